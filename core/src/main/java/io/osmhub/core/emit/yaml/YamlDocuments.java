package io.osmhub.core.emit.yaml;

import io.osmhub.core.emit.Nesting;
import io.osmhub.core.golang.CallFailure;
import java.util.List;

/** Reads a text with any number of documents as trees that know where things stand. */
public final class YamlDocuments {
    private YamlDocuments() {}

    /**
     * The documents in order. Text is bytes as chars.
     *
     * @throws CallFailure with the Go library's words for what it refuses
     */
    public static List<YamlNode> read(String bytes) throws CallFailure {
        return NodeParser.parseAll(bytes, new Nesting(null));
    }
}
