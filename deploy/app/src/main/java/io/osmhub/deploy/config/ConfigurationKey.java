package io.osmhub.deploy.config;

import java.util.Locale;

/**
 * One key of the configuration.
 *
 * @param path in the file, for example {@code replicas.leaseDuration}
 * @param builtIn the built-in default
 * @param description one sentence
 * @param flag option of {@code hub run} that also sets it; empty if none
 * @param inPlace whether a running hub reloads it
 */
record ConfigurationKey<T>(
        String path, ValueType<T> form, T builtIn, String description, String flag, boolean inPlace) {
    private static final String PREFIX = "OSM_HUB_";

    ConfigurationKey(String path, ValueType<T> form, T builtIn, String description) {
        this(path, form, builtIn, description, "", false);
    }

    ConfigurationKey<T> flag(String option) {
        return new ConfigurationKey<>(path, form, builtIn, description, option, inPlace);
    }

    ConfigurationKey<T> changedInPlace() {
        return new ConfigurationKey<>(path, form, builtIn, description, flag, true);
    }

    /** The environment variable; empty if only the file can set the key. */
    String variable() {
        if (!form.isTextual()) {
            return "";
        }
        // A word starts where a capital follows a lower-case letter: installCRDs, authCacheTTL.
        return PREFIX
                + path.replace('.', '_')
                        .replaceAll("([a-z0-9])([A-Z])", "$1_$2")
                        .toUpperCase(Locale.ROOT);
    }

    String builtInText() {
        return form.write(builtIn);
    }
}
