package io.osmhub.core.emit.yaml;

/**
 * A word of YAML.
 *
 * @param text a scalar's text, an anchor's or alias's name, a tag's suffix, a directive's prefix; else empty
 * @param handle handle of a tag or of a tag directive
 */
record YamlToken(Kind kind, YamlMark start, YamlMark end, String text, String handle, YamlNode.Style style) {
    enum Kind {
        STREAM_START,
        STREAM_END,
        VERSION_DIRECTIVE,
        TAG_DIRECTIVE,
        DOCUMENT_START,
        DOCUMENT_END,
        BLOCK_SEQUENCE_START,
        BLOCK_MAPPING_START,
        BLOCK_END,
        FLOW_SEQUENCE_START,
        FLOW_SEQUENCE_END,
        FLOW_MAPPING_START,
        FLOW_MAPPING_END,
        BLOCK_ENTRY,
        FLOW_ENTRY,
        KEY,
        VALUE,
        ALIAS,
        ANCHOR,
        TAG,
        SCALAR
    }

    static YamlToken of(Kind kind, YamlMark start, YamlMark end) {
        return new YamlToken(kind, start, end, "", "", YamlNode.Style.PLAIN);
    }

    static YamlToken named(Kind kind, YamlMark start, YamlMark end, String text) {
        return new YamlToken(kind, start, end, text, "", YamlNode.Style.PLAIN);
    }
}
