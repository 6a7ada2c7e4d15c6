package io.osmhub.workersync.watch;

import com.fasterxml.jackson.core.JsonParser;
import java.io.IOException;

/** Reduces an object to the parts that are kept. Called on an event loop; must not block. */
@FunctionalInterface
public interface ObjectDecoder<T> {
    /**
     * Decodes one object. An invalid object is kept as such or dropped: it must not stop a watch.
     *
     * @param parser positioned at the object's start; left at its end
     * @throws IOException only if the text is not JSON
     */
    ObservedObject<T> decode(JsonParser parser) throws IOException;

    /**
     * Decodes a later version of a cached object; parts that cannot have changed may be taken from it.
     *
     * @param earlier its UID may differ
     */
    default ObservedObject<T> decode(JsonParser parser, T earlier) throws IOException {
        return decode(parser);
    }
}
