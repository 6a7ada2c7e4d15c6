package io.osmhub.deploy.explain;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Lays out text for a terminal: columns and wrapped paragraphs. */
final class TextLayout {
    private static final int WIDTH = 100;
    private static final int LABEL = 12;
    private static final int WIDEST_NAME = 50;

    private final List<String> lines = new ArrayList<>();

    List<String> all() {
        return lines;
    }

    TextLayout title(String title) {
        lines.add(title);
        return this;
    }

    TextLayout blank() {
        lines.add("");
        return this;
    }

    /** Text below a title. */
    TextLayout paragraph(String text) {
        wrap(text, "  ", "  ");
        return this;
    }

    /** Unwrapped lines next to a label. */
    TextLayout verbatim(String label, String text) {
        String margin = "  " + label + " ".repeat(Math.max(1, LABEL - label.length()));
        for (String line : text.split("\n", -1)) {
            lines.add(margin + line);
            margin = " ".repeat(LABEL + 2);
        }
        return this;
    }

    /** A label and its text; nothing if the text is empty. */
    TextLayout field(String label, String text) {
        if (!text.isEmpty()) {
            wrap(text, "  " + label + " ".repeat(Math.max(1, LABEL - label.length())), " ".repeat(LABEL + 2));
        }
        return this;
    }

    /** Names and descriptions in two columns. A long name pushes its description to the right. */
    TextLayout table(List<Map.Entry<String, String>> rows) {
        int width = rows.stream()
                .mapToInt(row -> row.getKey().length())
                .filter(length -> length <= WIDEST_NAME)
                .max()
                .orElse(0);
        for (Map.Entry<String, String> row : rows) {
            int gap = Math.max(0, width - row.getKey().length()) + 2;
            lines.add((row.getKey() + " ".repeat(gap) + row.getValue()).stripTrailing());
        }
        return this;
    }

    private void wrap(String text, String first, String rest) {
        StringBuilder line = new StringBuilder(first);
        boolean empty = true;
        for (String word : text.split("\\s+")) {
            if (!empty && line.length() + 1 + word.length() > WIDTH) {
                lines.add(line.toString());
                line = new StringBuilder(rest);
                empty = true;
            }
            line.append(empty ? "" : " ").append(word);
            empty = false;
        }
        lines.add(line.toString());
    }
}
