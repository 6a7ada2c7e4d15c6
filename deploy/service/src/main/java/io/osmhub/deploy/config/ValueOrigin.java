package io.osmhub.deploy.config;

import org.jspecify.annotations.Nullable;

/**
 * The source of a configuration value. Later sources override earlier ones.
 *
 * @param name printed beside the effective value, for example {@code OSM_HUB_LOG_LEVEL}
 * @param source printed in errors
 * @param subject printed in errors instead of the key; null for the key
 */
record ValueOrigin(String name, String source, @Nullable String subject) {
    static final String ENVIRONMENT = "environment";
    static final String SET = "--set";
    static final ValueOrigin BUILT_IN = ofFile("built-in");

    static ValueOrigin ofFile(String file) {
        return new ValueOrigin(file, file, null);
    }

    static ValueOrigin ofVariable(String variable) {
        return new ValueOrigin(variable, ENVIRONMENT, variable);
    }

    static ValueOrigin ofOption(ConfigurationSources.Option option) {
        return new ValueOrigin(option.name(), option.name(), option.name().equals(SET) ? null : option.text());
    }

    /** An error in the value of a key. */
    InputError error(String key, String what, String cure) {
        if (subject == null) {
            return new InputError(source, key, what, cure);
        }
        // The preceding column already shows the value of an option.
        String start = "\"" + subject + "\" is ";
        return new InputError(source, subject, what.startsWith(start) ? what.substring(start.length()) : what, cure);
    }
}
