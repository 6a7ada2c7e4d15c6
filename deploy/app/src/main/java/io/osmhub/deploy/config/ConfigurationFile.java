package io.osmhub.deploy.config;

import io.osmhub.deploy.render.Mistake;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The configuration of a running hub: looks at the file again and takes over what can be changed in place, all or nothing. Not
 * safe for several threads; a timer calls {@link #poll} every few seconds.
 */
public final class ConfigurationFile {
    private final ConfigurationSources sources;
    private EffectiveConfiguration read;
    private HubConfiguration current;
    private String text;

    /** What a look at the file gave. */
    public sealed interface Change {
        /** The file is as it was, or there is none. */
        record None() implements Change {}

        /**
         * The file changed and is right.
         *
         * @param configuration what holds from now on
         * @param takenOver keys with new values
         * @param needRestart keys that changed too and hold after a restart only
         */
        record Taken(HubConfiguration configuration, List<String> takenOver, List<String> needRestart)
                implements Change {
            public Taken {
                takenOver = List.copyOf(takenOver);
                needRestart = List.copyOf(needRestart);
            }
        }

        /** The file changed and has mistakes, so that the configuration stays. Told once for each change of the file. */
        record Refused(List<Mistake> mistakes) implements Change {
            public Refused {
                mistakes = List.copyOf(mistakes);
            }
        }
    }

    /** @param started what the hub started with, read from the same sources */
    public ConfigurationFile(ConfigurationSources sources, EffectiveConfiguration started) {
        this.sources = sources;
        this.read = started;
        this.current = started.configuration();
        this.text = "";
        this.text = content(new ConfigurationMistakes());
    }

    /** What holds now. */
    public HubConfiguration current() {
        return current;
    }

    private String content(ConfigurationMistakes mistakes) {
        String file = read.file();
        if (file == null) {
            return "";
        }
        try {
            return ConfigurationLoader.text(Path.of(file));
        } catch (IOException e) {
            ConfigurationLoader.text(file, mistakes);
            return text;
        }
    }

    /** Looks at the file once. Reads it each time: a mounted ConfigMap changes by a link, and its times say little. */
    public Change poll() {
        ConfigurationMistakes mistakes = new ConfigurationMistakes();
        String next = content(mistakes);
        // A file that is away for a moment is being replaced; the next look sees the new one.
        if (next.equals(text) || !mistakes.all().isEmpty()) {
            return new Change.None();
        }
        text = next;
        return switch (ConfigurationLoader.load(sources, read.file(), next, mistakes)) {
            case ConfigurationLoader.Result.Refused(var wrong) -> new Change.Refused(wrong);
            case ConfigurationLoader.Result.Loaded(var effective) -> take(effective);
        };
    }

    private Change take(EffectiveConfiguration effective) {
        List<String> takenOver = new ArrayList<>();
        List<String> needRestart = new ArrayList<>();
        for (Key<?> key : Keys.ALL) {
            if (!effective.text(key).equals(read.text(key))) {
                (key.inPlace() ? takenOver : needRestart).add(key.path());
            }
        }
        read = effective;
        current = current.withInPlace(effective.configuration());
        return new Change.Taken(current, takenOver, needRestart);
    }
}
