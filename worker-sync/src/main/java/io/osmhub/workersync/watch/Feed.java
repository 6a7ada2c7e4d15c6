package io.osmhub.workersync.watch;

import java.util.Collection;

/**
 * Hears what the API server says of a selection: all of it, in its order, and nothing else. What the hub writes itself comes here
 * when the server tells it, and not before. Called under a lock: hands over and returns.
 */
public interface Feed<T> {
    /** Everything there is at one version. What happened between the last call and this one is not known. */
    void listed(Collection<Seen<T>> objects, String resourceVersion);

    /** An object is there, or is another. {@code added}: there was none of its name before. */
    void put(Seen<T> seen, boolean added);

    /** An object is gone; {@code last} has the version of its end. */
    void gone(Seen<T> last);

    /** Nothing happened up to this version that was not told. */
    void reached(String resourceVersion);

    /** Of no interest to anybody. */
    static <T> Feed<T> toNobody() {
        return new Feed<>() {
            @Override
            public void listed(Collection<Seen<T>> objects, String resourceVersion) {}

            @Override
            public void put(Seen<T> seen, boolean added) {}

            @Override
            public void gone(Seen<T> last) {}

            @Override
            public void reached(String resourceVersion) {}
        };
    }
}
