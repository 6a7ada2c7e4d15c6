package io.osmhub.deploy.config;

import java.util.HashMap;
import java.util.Map;

/** The values of all keys while the layers are laid over each other. */
final class Values {
    private final Map<Key<?>, Given<?>> given = new HashMap<>();

    /** Lays a value over what was there. */
    <T> void set(Key<T> key, T value, Origin origin) {
        given.put(key, new Given<>(value, origin));
    }

    <T> T get(Key<T> key) {
        return of(key).value();
    }

    Origin origin(Key<?> key) {
        return of(key).origin();
    }

    @SuppressWarnings("unchecked") // set takes a value of the key's type
    <T> Given<T> of(Key<T> key) {
        Given<?> found = given.get(key);
        return found == null ? new Given<>(key.builtIn(), new Origin.BuiltIn()) : (Given<T>) found;
    }

    /** As in a file. */
    <T> String text(Key<T> key) {
        return key.form().write(get(key));
    }
}
