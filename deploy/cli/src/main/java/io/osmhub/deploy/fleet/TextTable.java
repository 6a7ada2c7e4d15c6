package io.osmhub.deploy.fleet;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A text table: columns separated by two blanks, numbers right-aligned. On a terminal, texts are truncated to its width from the
 * right-most column, then lines.
 */
public final class TextTable<T> {
    private static final String GAP = "  ";
    private static final int LEAST = 8;

    private final List<T> rows;
    private final List<TextTableColumn<T>> columns = new ArrayList<>();
    private int[] least = {};

    private record TextTableColumn<T>(String title, boolean number, Function<T, TextTableCell> cell) {}

    public record TextTableCell(String text, CellStyle tone) {
        public TextTableCell {
            text = TerminalSanitizer.sanitizeLine(text);
        }

        /** Null is printed as empty. */
        public static TextTableCell of(@Nullable String text) {
            return new TextTableCell(text == null ? "" : text, CellStyle.PLAIN);
        }
    }

    /** @param rows null for none */
    public TextTable(@Nullable List<T> rows) {
        this.rows = rows == null ? List.of() : List.copyOf(rows);
    }

    public boolean isEmpty() {
        return rows.isEmpty();
    }

    /** Adds a column of plain text; null is printed as empty. */
    public TextTable<T> text(String title, Function<T, @Nullable String> text) {
        return cell(title, row -> TextTableCell.of(text.apply(row)));
    }

    /** Adds a right-aligned column; null is printed as empty. */
    public TextTable<T> number(String title, Function<T, @Nullable String> text) {
        return numberCell(title, row -> TextTableCell.of(text.apply(row)));
    }

    /** Adds a column of text with styles. */
    public TextTable<T> cell(String title, Function<T, TextTableCell> cell) {
        columns.add(new TextTableColumn<>(title, false, cell));
        return this;
    }

    /** Adds a right-aligned column with styles. */
    public TextTable<T> numberCell(String title, Function<T, TextTableCell> cell) {
        columns.add(new TextTableColumn<>(title, true, cell));
        return this;
    }

    /** Makes columns at least as wide as those of the table above; returns the widths. */
    public int[] widenColumns(int[] above) {
        least = above.clone();
        return widths(cells(), true);
    }

    /**
     * The lines, without trailing blanks.
     *
     * @param width of the terminal; 0 if unlimited
     */
    public List<String> lines(boolean headers, boolean colors, int width) {
        List<List<TextTableCell>> cells = cells();
        int[] widths = widths(cells, headers);
        cut(widths, width);
        List<String> lines = new ArrayList<>();
        if (headers) {
            lines.add(line(
                    columns.stream()
                            .map(column -> TextTableCell.of(column.title()))
                            .toList(),
                    widths,
                    false,
                    width));
        }
        cells.forEach(row -> lines.add(line(row, widths, colors, width)));
        return lines;
    }

    private List<List<TextTableCell>> cells() {
        return rows.stream()
                .map(row ->
                        columns.stream().map(column -> column.cell().apply(row)).toList())
                .toList();
    }

    private int[] widths(List<List<TextTableCell>> cells, boolean headers) {
        int[] widths = new int[columns.size()];
        for (int i = 0; i < widths.length; i++) {
            widths[i] =
                    Math.max(headers ? DisplayWidth.of(columns.get(i).title()) : 0, i < least.length ? least[i] : 0);
            for (List<TextTableCell> row : cells) {
                widths[i] = Math.max(widths[i], DisplayWidth.of(row.get(i).text()));
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

    private String line(List<TextTableCell> row, int[] widths, boolean colors, int width) {
        StringBuilder line = new StringBuilder();
        int left = width == 0 ? Integer.MAX_VALUE : width;
        for (int i = 0; i < widths.length && left > 0; i++) {
            TextTableCell cell = row.get(i);
            int room = Math.min(widths[i], left);
            String text = DisplayWidth.cut(cell.text(), room);
            String blanks = " ".repeat(room - DisplayWidth.of(text));
            String painted = colors ? cell.tone().colorize(text) : text;
            left -= widths[i] + GAP.length();
            line.append(columns.get(i).number() ? blanks + painted : painted + blanks)
                    .append(left > 0 ? GAP : "");
        }
        return line.toString().stripTrailing();
    }

    /** The style of a cell; printed as a colour if colours are enabled. */
    public enum CellStyle {
        PLAIN(""),
        GOOD("32"),
        WARNING("33"),
        BAD("31"),
        FAINT("2");

        private final String code;

        CellStyle(String code) {
            this.code = code;
        }

        /** Adds the colour's escape codes. */
        public String colorize(String text) {
            return code.isEmpty() || text.isEmpty() ? text : "\u001b[" + code + "m" + text + "\u001b[0m";
        }
    }
}
