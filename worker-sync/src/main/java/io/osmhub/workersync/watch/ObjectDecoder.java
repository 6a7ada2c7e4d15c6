package io.osmhub.workersync.watch;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.core.problem.Problem;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Reduces an object to the parts that are kept. Called on an event loop; must not block. */
@FunctionalInterface
public interface ObjectDecoder<T> {
    /**
     * Decodes one object. After any exception the object counts as unreadable.
     *
     * @param parser positioned at the object's start; left at its end
     * @throws IOException if the object cannot be decoded; the message quotes nothing of it
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

    /**
     * What the cache keeps of an object that cannot be decoded: by default the earlier version, because neither is it deleted nor
     * is its content known.
     *
     * @param metadata an object with the metadata alone
     * @param earlier null if no version of the object could be read
     */
    default @Nullable T unreadable(JsonNode metadata, Problem why, @Nullable T earlier) {
        return earlier;
    }
}
