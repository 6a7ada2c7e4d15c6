package io.osmhub.deploy.config;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;

/**
 * The configuration of a running hub: rereads the file and applies reloadable changes, all or nothing. Not thread-safe; a timer
 * calls {@link #poll} every few seconds.
 */
public final class ConfigurationReloader {
    private final ConfigurationSources sources;
    private EffectiveConfiguration readConfiguration;
    private final ObjectNode inEffect;
    private HubConfiguration currentConfiguration;
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
        this.readConfiguration = started;
        this.inEffect = started.values().deepCopy();
        this.currentConfiguration = started.configuration();
        this.text = "";
        this.text = content();
    }

    public HubConfiguration current() {
        return currentConfiguration;
    }

    /** The file's content; that of the last time if it cannot be read, because it is being replaced. */
    private String content() {
        String file = readConfiguration.file();
        try {
            return file == null ? "" : ConfigurationLoader.text(file);
        } catch (InputFile.UnreadableException e) {
            return text;
        }
    }

    /** Rereads the file. Ignores modification times, which mean little for a mounted ConfigMap: it changes by a symlink. */
    public ReloadResult poll() {
        String next = content();
        if (next.equals(text)) {
            return new ReloadResult.Unchanged();
        }
        text = next;
        return switch (ConfigurationLoader.load(sources, readConfiguration.file(), next)) {
            case ConfigurationLoader.Result.Refused(var wrong) -> new ReloadResult.RejectedReload(wrong);
            case ConfigurationLoader.Result.Loaded(var effective) -> applyChange(effective);
        };
    }

    /** The next poll compares with all that was read; what requires a restart stays as it was started. */
    private ReloadResult applyChange(EffectiveConfiguration effective) {
        List<String> reloaded = new ArrayList<>();
        List<String> needRestart = new ArrayList<>();
        for (ConfigurationKey key : ConfigurationKey.all()) {
            if (!effective.text(key).equals(readConfiguration.text(key))) {
                (key.inPlace() ? reloaded : needRestart).add(key.path());
            }
            if (key.inPlace()) {
                key.set(inEffect, key.in(effective.values()));
            }
        }
        readConfiguration = effective;
        currentConfiguration = ConfigurationSchema.decode(inEffect);
        return new ReloadResult.AppliedReload(currentConfiguration, reloaded, needRestart);
    }
}
