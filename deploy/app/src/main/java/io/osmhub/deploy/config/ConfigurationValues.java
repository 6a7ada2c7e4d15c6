package io.osmhub.deploy.config;

import java.util.HashMap;
import java.util.Map;

/** The values of all keys while the layers are merged. */
final class ConfigurationValues {
    private final Map<ConfigurationKey<?>, ConfiguredValue<?>> given = new HashMap<>();

    /** Overrides a value. */
    <T> void set(ConfigurationKey<T> key, T value, ValueOrigin origin) {
        given.put(key, new ConfiguredValue<>(value, origin));
    }

    <T> T get(ConfigurationKey<T> key) {
        return of(key).value();
    }

    ValueOrigin origin(ConfigurationKey<?> key) {
        return of(key).origin();
    }

    @SuppressWarnings("unchecked") // set takes a value of the key's type
    <T> ConfiguredValue<T> of(ConfigurationKey<T> key) {
        ConfiguredValue<?> found = given.get(key);
        return found == null
                ? new ConfiguredValue<>(key.builtIn(), new ValueOrigin.BuiltIn())
                : (ConfiguredValue<T>) found;
    }

    /** In file syntax. */
    <T> String text(ConfigurationKey<T> key) {
        return key.form().write(get(key));
    }
}
