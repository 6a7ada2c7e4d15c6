package io.osmhub.deploy.explain;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Lays out text for a terminal: columns, and paragraphs that end before its edge. */
final class Lines {
    private static final int WIDTH = 100;
    private static final int LABEL = 12;
    private static final int WIDEST_NAME = 50;

    private final List<String> lines = new ArrayList<>();

    List<String> all() {
        return lines;
    }

    Lines title(String title) {
        lines.add(title);
        return this;
    }

    Lines blank() {
        lines.add("");
        return this;
    }

    /** A text below its title. */
    Lines paragraph(String text) {
        wrap(text, "  ", "  ");
        return this;
    }

    /** Lines as they are, below a label. */
    Lines verbatim(String label, String text) {
        String margin = "  " + label + " ".repeat(Math.max(1, LABEL - label.length()));
        for (String line : text.split("\n", -1)) {
            lines.add(margin + line);
            margin = " ".repeat(LABEL + 2);
        }
        return this;
    }

    /** A label and what belongs to it; nothing when that is empty. */
    Lines field(String label, String text) {
        if (!text.isEmpty()) {
            wrap(text, "  " + label + " ".repeat(Math.max(1, LABEL - label.length())), " ".repeat(LABEL + 2));
        }
        return this;
    }

    /** Names and what each is, in two columns. A name that is longer than most pushes its text aside. */
    Lines table(List<Map.Entry<String, String>> rows) {
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
