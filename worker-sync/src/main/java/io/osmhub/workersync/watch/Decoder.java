package io.osmhub.workersync.watch;

import com.fasterxml.jackson.core.JsonParser;
import java.io.IOException;

/** Reduces an object to what is remembered of it. Called on an event loop, so it does not wait for anything. */
@FunctionalInterface
public interface Decoder<T> {
    /**
     * Reads one object. An object that is odd in itself is kept as odd, or not kept: one object must not stop a watch.
     *
     * @param parser stands on the object's start; is left on its end
     * @throws IOException only when the text is not JSON
     */
    Seen<T> decode(JsonParser parser) throws IOException;
}
