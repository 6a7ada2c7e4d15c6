package io.osmhub.deploy.config;

import io.osmhub.deploy.render.InputError;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The configuration of a running hub: rereads the file and applies reloadable changes, all or nothing. Not thread-safe; a timer
 * calls {@link #poll} every few seconds.
 */
public final class ConfigurationReloader {
    private final ConfigurationSources sources;
    private EffectiveConfiguration read;
    private HubConfiguration current;
    private String text;

    public sealed interface ReloadResult {
        /** The file is unchanged, or there is none. */
        record Unchanged() implements ReloadResult {}

        /**
         * The file changed and is valid.
         *
         * @param configuration now in effect
         * @param reloadedKeys keys whose new values were applied
         * @param restartKeys changed keys that require a restart
         */
        record AppliedReload(HubConfiguration configuration, List<String> reloadedKeys, List<String> restartKeys)
                implements ReloadResult {
            public AppliedReload {
                reloadedKeys = List.copyOf(reloadedKeys);
                restartKeys = List.copyOf(restartKeys);
            }
        }

        /** The file changed and has errors; the configuration stays. Returned once per change of the file. */
        record RejectedReload(List<InputError> mistakes) implements ReloadResult {
            public RejectedReload {
                mistakes = List.copyOf(mistakes);
            }
        }
    }

    /** @param started the configuration at start, from the same sources */
    public ConfigurationReloader(ConfigurationSources sources, EffectiveConfiguration started) {
        this.sources = sources;
        this.read = started;
        this.current = started.configuration();
        this.text = "";
        this.text = content(new ConfigurationErrors());
    }

    public HubConfiguration current() {
        return current;
    }

    private String content(ConfigurationErrors mistakes) {
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

    /** Rereads the file. Ignores modification times, which mean little for a mounted ConfigMap: it changes by a symlink. */
    public ReloadResult poll() {
        ConfigurationErrors mistakes = new ConfigurationErrors();
        String next = content(mistakes);
        // A missing file is being replaced; the next poll reads the new one.
        if (next.equals(text) || !mistakes.all().isEmpty()) {
            return new ReloadResult.Unchanged();
        }
        text = next;
        return switch (ConfigurationLoader.load(sources, read.file(), next, mistakes)) {
            case ConfigurationLoader.Result.Refused(var wrong) -> new ReloadResult.RejectedReload(wrong);
            case ConfigurationLoader.Result.Loaded(var effective) -> applyChange(effective);
        };
    }

    private ReloadResult applyChange(EffectiveConfiguration effective) {
        List<String> takenOver = new ArrayList<>();
        List<String> needRestart = new ArrayList<>();
        for (ConfigurationKey<?> key : ConfigurationKeys.ALL) {
            if (!effective.text(key).equals(read.text(key))) {
                (key.inPlace() ? takenOver : needRestart).add(key.path());
            }
        }
        read = effective;
        current = current.withReloadable(effective.configuration());
        return new ReloadResult.AppliedReload(current, takenOver, needRestart);
    }
}
