package io.osmhub.deploy.view;

import io.osmhub.deploy.fleet.Plain;
import io.osmhub.deploy.fleet.TextTable;
import java.util.ArrayList;
import java.util.List;

/** One object, told from top to bottom: its head as pairs, then tables. */
final class Description {
    private final List<String[]> head = new ArrayList<>();
    private final List<TextTable> tables = new ArrayList<>();
    private final List<String> remarks = new ArrayList<>();

    /** A pair of the head; left out when there is nothing to say. */
    Description say(String name, String value) {
        if (!value.isEmpty()) {
            head.add(new String[] {name, Plain.line(value)});
        }
        return this;
    }

    Description add(TextTable table) {
        tables.add(table);
        return this;
    }

    /** A sentence below. */
    Description remark(String sentence) {
        remarks.add(Plain.line(sentence));
        return this;
    }

    List<String> lines(boolean colors, int width) {
        int names = head.stream().mapToInt(pair -> pair[0].length()).max().orElse(0);
        List<String> lines = new ArrayList<>();
        head.forEach(pair -> lines.add(pair[0] + " ".repeat(names - pair[0].length() + 2) + pair[1]));
        for (TextTable table : tables) {
            lines.add("");
            lines.addAll(table.lines(true, colors, width));
        }
        if (!remarks.isEmpty()) {
            lines.add("");
            lines.addAll(remarks);
        }
        return lines;
    }
}
