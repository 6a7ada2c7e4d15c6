package io.osmhub.deploy.fleet;

import java.util.ArrayList;
import java.util.List;

/**
 * A table of text: columns two blanks apart, numbers to the right. On a terminal it is cut to the width at the right-most text
 * column; a pipe gets it whole.
 */
public final class TextTable {
    private static final String GAP = "  ";
    private static final int LEAST = 8;

    private final List<Column> columns;
    private final List<List<Cell>> rows = new ArrayList<>();
    private int[] least = {};

    /** A column. */
    public record Column(String title, boolean number) {
        public static Column text(String title) {
            return new Column(title, false);
        }

        public static Column number(String title) {
            return new Column(title, true);
        }
    }

    /** One field of a row. */
    public record Cell(String text, Tone tone) {
        public Cell {
            text = Plain.line(text);
        }

        public static Cell of(String text) {
            return new Cell(text, Tone.PLAIN);
        }
    }

    public TextTable(List<Column> columns) {
        this.columns = List.copyOf(columns);
    }

    public TextTable add(List<Cell> row) {
        if (row.size() != columns.size()) {
            throw new IllegalArgumentException(row.size() + " cells for " + columns.size() + " columns");
        }
        rows.add(List.copyOf(row));
        return this;
    }

    /** Makes columns at least as wide as those of a table above this one; how wide they are then. */
    public int[] widen(int[] above) {
        least = above.clone();
        return widths(true);
    }

    /**
     * The lines, without blanks at their ends.
     *
     * @param width of the terminal; 0 for any
     */
    public List<String> lines(boolean headers, boolean colors, int width) {
        int[] widths = widths(headers);
        cut(widths, width);
        List<String> lines = new ArrayList<>();
        if (headers) {
            lines.add(
                    line(columns.stream().map(column -> Cell.of(column.title())).toList(), widths, false));
        }
        rows.forEach(row -> lines.add(line(row, widths, colors)));
        return lines;
    }

    private int[] widths(boolean headers) {
        int[] widths = new int[columns.size()];
        for (int i = 0; i < widths.length; i++) {
            widths[i] = Math.max(headers ? length(columns.get(i).title()) : 0, i < least.length ? least[i] : 0);
            for (List<Cell> row : rows) {
                widths[i] = Math.max(widths[i], length(row.get(i).text()));
            }
        }
        return widths;
    }

    private void cut(int[] widths, int width) {
        int whole = GAP.length() * (widths.length - 1);
        for (int one : widths) {
            whole += one;
        }
        for (int i = widths.length - 1; i >= 0 && width > 0 && whole > width; i--) {
            if (!columns.get(i).number() && widths[i] > LEAST) {
                int less = Math.min(whole - width, widths[i] - LEAST);
                widths[i] -= less;
                whole -= less;
            }
        }
    }

    private String line(List<Cell> row, int[] widths, boolean colors) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            Cell cell = row.get(i);
            String text = shortened(cell.text(), widths[i]);
            String blanks = " ".repeat(Math.max(0, widths[i] - length(text)));
            String painted = colors ? cell.tone().paint(text) : text;
            line.append(i == 0 ? "" : GAP).append(columns.get(i).number() ? blanks + painted : painted + blanks);
        }
        return line.toString().stripTrailing();
    }

    private static String shortened(String text, int width) {
        return length(text) <= width ? text : text.substring(0, text.offsetByCodePoints(0, width - 1)) + "…";
    }

    private static int length(String text) {
        return text.codePointCount(0, text.length());
    }
}
