package io.osmhub.deploy.config;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.osmhub.core.document.Position;
import io.osmhub.deploy.render.Mistake;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Lays file, environment and command line over the built-in defaults. */
public final class ConfigurationLoader {
    private static final int LARGEST = 1 << 20;
    private static final String FILE_VARIABLE = "OSM_HUB_CONFIG";
    private static final String NAMESPACE_VARIABLE = "POD_NAMESPACE";

    private ConfigurationLoader() {}

    /** A configuration, or all that is wrong with it. */
    public sealed interface Result {
        /** It can be used. */
        record Loaded(EffectiveConfiguration effective) implements Result {}

        /** It cannot be used; at least one mistake. */
        record Refused(List<Mistake> mistakes) implements Result {
            public Refused {
                mistakes = List.copyOf(mistakes);
            }
        }
    }

    /** The file that is read; null when there is none. */
    static @Nullable String file(ConfigurationSources sources) {
        if (sources.file() != null) {
            return sources.file();
        }
        String named = sources.environment().getOrDefault(FILE_VARIABLE, "");
        if (!named.isEmpty()) {
            return named;
        }
        return Files.exists(sources.usualFile()) ? sources.usualFile().toString() : null;
    }

    /** Reads all layers. Throws nothing: a file that cannot be read is a mistake as any other. */
    public static Result load(ConfigurationSources sources) {
        ConfigurationMistakes mistakes = new ConfigurationMistakes();
        String file = file(sources);
        String text = file == null ? "" : text(file, mistakes);
        return load(sources, file, text, mistakes);
    }

    static Result load(
            ConfigurationSources sources, @Nullable String file, String text, ConfigurationMistakes mistakes) {
        Values values = new Values();
        pod(sources, values, mistakes);
        if (file != null) {
            FileLayer.read(file, text, values, mistakes);
        }
        EnvironmentLayer.read(sources.environment(), values, mistakes);
        CommandLineLayer.read(sources.options(), values, mistakes);
        CrossChecks.check(values, sources.environment(), mistakes);
        List<Mistake> all = mistakes.all();
        return all.isEmpty() ? new Result.Loaded(new EffectiveConfiguration(values, file)) : new Result.Refused(all);
    }

    /** The pod's namespace is a default and no setting: the file can say otherwise. */
    private static void pod(ConfigurationSources sources, Values values, ConfigurationMistakes mistakes) {
        String namespace = sources.environment().getOrDefault(NAMESPACE_VARIABLE, "");
        if (!namespace.isEmpty()) {
            Origin origin = new Origin.Pod(NAMESPACE_VARIABLE);
            String value = Keys.NAMESPACE.form().read(namespace, Keys.NAMESPACE.path(), mistakes.of(origin));
            if (value != null) {
                values.set(Keys.NAMESPACE, value, origin);
            }
        }
    }

    /** The content of the file; empty when it cannot be read, which is reported. */
    static String text(String file, ConfigurationMistakes mistakes) {
        try {
            return text(Path.of(file));
        } catch (NoSuchFileException | InvalidPathException e) {
            mistakes.add(file, Position.NONE, "", "there is no such file", "correct the path");
        } catch (CharacterCodingException e) {
            mistakes.add(file, Position.NONE, "", "is not a text in UTF-8", "correct its encoding");
        } catch (IOException e) {
            mistakes.add(
                    file,
                    Position.NONE,
                    "",
                    "cannot be read",
                    "check that it is a file, not too large, and its rights");
        }
        return "";
    }

    static String text(Path file) throws IOException {
        if (Files.size(file) > LARGEST) {
            throw new IOException("larger than 1 MiB");
        }
        return UTF_8.newDecoder()
                .decode(ByteBuffer.wrap(Files.readAllBytes(file)))
                .toString();
    }
}
