package io.osmhub.deploy.config;

import java.util.Locale;

/**
 * One key of the configuration.
 *
 * @param path in the file, for example {@code replicas.leaseDuration}
 * @param builtIn what holds when nobody says anything
 * @param description one sentence
 * @param flag option of {@code hub run} that sets it too; empty when there is none
 * @param inPlace whether a running hub takes over a change
 */
record Key<T>(String path, Form<T> form, T builtIn, String description, String flag, boolean inPlace) {
    private static final String PREFIX = "OSM_HUB_";

    Key(String path, Form<T> form, T builtIn, String description) {
        this(path, form, builtIn, description, "", false);
    }

    Key<T> flag(String option) {
        return new Key<>(path, form, builtIn, description, option, inPlace);
    }

    Key<T> changedInPlace() {
        return new Key<>(path, form, builtIn, description, flag, true);
    }

    /** The variable that sets it too; empty when only the file can. */
    String variable() {
        if (!form.inText()) {
            return "";
        }
        // A new word begins where a capital follows a small letter: installCRDs, authCacheTTL.
        return PREFIX
                + path.replace('.', '_')
                        .replaceAll("([a-z0-9])([A-Z])", "$1_$2")
                        .toUpperCase(Locale.ROOT);
    }

    String builtInText() {
        return form.write(builtIn);
    }
}
