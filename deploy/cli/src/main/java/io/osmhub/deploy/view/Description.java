package io.osmhub.deploy.view;

import io.osmhub.deploy.fleet.TerminalSanitizer;
import io.osmhub.deploy.fleet.TextTable;
import java.util.ArrayList;
import java.util.List;

/** The description of one object: fields, then tables and remarks. */
final class Description {
    private final List<String[]> head = new ArrayList<>();
    private final List<TextTable> tables = new ArrayList<>();
    private final List<String> remarks = new ArrayList<>();

    /** Adds a field; ignored if empty. */
    Description addField(String name, String value) {
        if (!value.isEmpty()) {
            head.add(new String[] {name, TerminalSanitizer.sanitizeLine(value)});
        }
        return this;
    }

    Description addTable(TextTable table) {
        tables.add(table);
        return this;
    }

    /** Adds a sentence below the tables. */
    Description addRemark(String sentence) {
        remarks.add(TerminalSanitizer.sanitizeLine(sentence));
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
