package io.osmhub.core.emit.yaml;

import io.osmhub.core.emit.NestingTracker;
import io.osmhub.core.golang.GoCallException;
import java.util.List;

/** Reads a text with any number of documents as trees that know where things stand. */
public final class YamlNodeReader {
    private YamlNodeReader() {}

    /**
     * The documents in order. Text is bytes as chars.
     *
     * @throws GoCallException with the Go library's words for what it refuses
     */
    public static List<YamlNode> read(String bytes) throws GoCallException {
        return YamlNodeParser.parseAll(bytes, new NestingTracker(null));
    }
}
