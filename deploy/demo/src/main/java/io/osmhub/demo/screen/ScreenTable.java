package io.osmhub.demo.screen;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Lays out cells in columns separated by two blanks. Pure. */
public final class ScreenTable {
    private static final String GAP = "  ";
    private static final int NARROWEST_TEXT = 5;

    private final List<ScreenColumn> columns;
    private final List<List<ScreenCell>> rows = new ArrayList<>();

    /** An empty table. */
    public ScreenTable(List<ScreenColumn> columns) {
        this.columns = List.copyOf(columns);
    }

    /** Adds a row with a cell per column. */
    public void add(List<ScreenCell> row) {
        if (row.size() != columns.size()) {
            throw new IllegalArgumentException(row.size() + " cells for " + columns.size() + " columns");
        }
        rows.add(List.copyOf(row));
    }

    /**
     * Heading and rows, one line each.
     *
     * @param width columns of the terminal: texts are truncated from the right-most column, then lines; 0 if unlimited
     * @param colour whether to use colours
     */
    public List<String> lines(int width, boolean colour) {
        int[] widths = widths(width);
        List<String> lines = new ArrayList<>(rows.size() + 1);
        lines.add(line(
                columns.stream()
                        .map(column -> new ScreenCell(column.heading(), ScreenStyle.FAINT))
                        .toList(),
                widths,
                width,
                colour));
        for (List<ScreenCell> row : rows) {
            lines.add(line(row, widths, width, colour));
        }
        return lines;
    }

    private int[] widths(int limit) {
        int[] widths = new int[columns.size()];
        for (int i = 0; i < widths.length; i++) {
            widths[i] = DisplayWidth.of(columns.get(i).heading());
            for (List<ScreenCell> row : rows) {
                widths[i] = Math.max(widths[i], DisplayWidth.of(row.get(i).text()));
            }
        }
        int excess = limit == 0 ? 0 : Arrays.stream(widths).sum() + GAP.length() * (widths.length - 1) - limit;
        for (int i = widths.length - 1; i >= 0 && excess > 0; i--) {
            if (columns.get(i).side() == ScreenColumn.Side.LEFT) {
                int given = Math.min(excess, Math.max(0, widths[i] - NARROWEST_TEXT));
                widths[i] -= given;
                excess -= given;
            }
        }
        return widths;
    }

    private String line(List<ScreenCell> cells, int[] widths, int limit, boolean colour) {
        StringBuilder line = new StringBuilder();
        int left = limit == 0 ? Integer.MAX_VALUE : limit;
        for (int i = 0; i < cells.size() && left > 0; i++) {
            ScreenCell cell = cells.get(i);
            boolean last = i == cells.size() - 1;
            String text = DisplayWidth.cut(DisplayWidth.cut(cell.text(), widths[i]), left);
            String blanks = " ".repeat(Math.max(0, Math.min(widths[i], left) - DisplayWidth.of(text)));
            String toned = colour ? cell.tone().colorize(text) : text;
            line.append(
                    columns.get(i).side() == ScreenColumn.Side.RIGHT ? blanks + toned : toned + (last ? "" : blanks));
            left -= widths[i] + GAP.length();
            if (!last && left > 0) {
                line.append(GAP);
            }
        }
        return line.toString().stripTrailing();
    }
}
