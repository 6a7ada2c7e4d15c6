package io.osmhub.core.emit.yaml;

import java.util.List;

/** A document that is to be written: what the styles and the layout are decided from. */
sealed interface YamlTree {
    /** How a scalar is to be written if its text and its place allow it. */
    enum Style {
        PLAIN,
        DOUBLE_QUOTED,
        LITERAL
    }

    /** {@code text} is valid UTF-8; with {@code binary} it is base64 and tagged as such. */
    record Scalar(String text, Style style, boolean binary) implements YamlTree {
        static Scalar plain(String text) {
            return new Scalar(text, Style.PLAIN, false);
        }
    }

    record Sequence(List<YamlTree> items) implements YamlTree {}

    record Mapping(List<Entry> entries) implements YamlTree {}

    record Entry(YamlTree key, YamlTree value) {}
}
