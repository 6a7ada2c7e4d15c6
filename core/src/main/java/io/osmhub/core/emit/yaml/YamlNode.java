package io.osmhub.core.emit.yaml;

import java.util.List;

/**
 * A document as it was written, for those who have to know more than its values: where things stand, and in which style. Text is
 * bytes as chars.
 */
public sealed interface YamlNode {
    /** How a scalar was written. */
    enum Style {
        PLAIN,
        SINGLE_QUOTED,
        DOUBLE_QUOTED,
        LITERAL,
        FOLDED
    }

    /** Where it begins; line and column from 1, the column in characters. */
    record Position(int line, int column) {}

    /** {@code tag} is the explicit or implied one in its short form, like {@code !!str}. */
    record Scalar(Position position, String tag, String text, Style style) implements YamlNode {}

    /** {@code tag} is {@code !!seq} unless there is an explicit one. */
    record Sequence(Position position, String tag, List<YamlNode> items) implements YamlNode {}

    /** {@code tag} is {@code !!map} unless there is an explicit one. */
    record Mapping(Position position, String tag, List<Entry> entries) implements YamlNode {}

    /** A reference to an anchor. What it stands for may contain the reference itself. */
    record Alias(Position position, String name, YamlAnchor anchor) implements YamlNode {
        @Override
        public String tag() {
            return anchor.node().tag();
        }
    }

    /** One key and its value, in the document's order. */
    record Entry(YamlNode key, YamlNode value) {}

    /** Where the node begins. */
    Position position();

    String tag();
}
