package io.osmhub.deploy.config;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.osmhub.core.document.SourcePosition;
import io.osmhub.deploy.render.InputError;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Merges file, environment and command line over the built-in defaults. */
public final class ConfigurationLoader {
    private static final int LARGEST = 1 << 20;
    private static final String FILE_VARIABLE = "OSM_HUB_CONFIG";
    private static final String NAMESPACE_VARIABLE = "POD_NAMESPACE";

    private ConfigurationLoader() {}

    /** A configuration, or its errors. */
    public sealed interface Result {
        record Loaded(EffectiveConfiguration effective) implements Result {}

        /** @param mistakes at least one */
        record Refused(List<InputError> mistakes) implements Result {
            public Refused {
                mistakes = List.copyOf(mistakes);
            }
        }
    }

    /** The file to read; null if none. */
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

    /** Reads all layers. Does not throw: an unreadable file is reported as an error. */
    public static Result load(ConfigurationSources sources) {
        ConfigurationErrors mistakes = new ConfigurationErrors();
        String file = file(sources);
        String text = file == null ? "" : text(file, mistakes);
        return load(sources, file, text, mistakes);
    }

    static Result load(ConfigurationSources sources, @Nullable String file, String text, ConfigurationErrors mistakes) {
        ConfigurationValues values = new ConfigurationValues();
        pod(sources, values, mistakes);
        if (file != null) {
            FileLayer.read(file, text, values, mistakes);
        }
        EnvironmentLayer.read(sources.environment(), values, mistakes);
        CommandLineLayer.read(sources.options(), values, mistakes);
        CrossKeyValidator.check(values, sources.environment(), mistakes);
        List<InputError> all = mistakes.all();
        return all.isEmpty() ? new Result.Loaded(new EffectiveConfiguration(values, file)) : new Result.Refused(all);
    }

    /** The pod's namespace is a default that the file can override. */
    private static void pod(ConfigurationSources sources, ConfigurationValues values, ConfigurationErrors mistakes) {
        String namespace = sources.environment().getOrDefault(NAMESPACE_VARIABLE, "");
        if (!namespace.isEmpty()) {
            ValueOrigin origin = new ValueOrigin.Pod(NAMESPACE_VARIABLE);
            String value = ConfigurationKeys.NAMESPACE
                    .form()
                    .read(namespace, ConfigurationKeys.NAMESPACE.path(), mistakes.of(origin));
            if (value != null) {
                values.set(ConfigurationKeys.NAMESPACE, value, origin);
            }
        }
    }

    /** The content of the file; empty if unreadable, which is reported. */
    static String text(String file, ConfigurationErrors mistakes) {
        try {
            return text(Path.of(file));
        } catch (NoSuchFileException | InvalidPathException e) {
            mistakes.add(file, SourcePosition.NONE, "", "file not found", "correct the path");
        } catch (CharacterCodingException e) {
            mistakes.add(file, SourcePosition.NONE, "", "is not valid UTF-8", "correct its encoding");
        } catch (IOException e) {
            mistakes.add(
                    file,
                    SourcePosition.NONE,
                    "",
                    "cannot be read",
                    "check that it is a file of at most 1 MiB, and its permissions");
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
