package io.osmhub.demo;

import io.osmhub.core.problem.MessageFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Lays out cells in columns separated by two blanks. Pure. */
final class ScreenTable {
    private static final String GAP = "  ";
    private static final int NARROWEST_TEXT = 5;

    private final List<ScreenColumn> columns;
    private final List<List<ScreenCell>> rows = new ArrayList<>();

    ScreenTable(List<ScreenColumn> columns) {
        this.columns = List.copyOf(columns);
    }

    /** Adds a row with a cell per column. */
    void add(List<ScreenCell> row) {
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
    List<String> lines(int width, boolean colour) {
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
            if (!columns.get(i).rightAligned()) {
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
            line.append(columns.get(i).rightAligned() ? blanks + toned : toned + (last ? "" : blanks));
            left -= widths[i] + GAP.length();
            if (!last && left > 0) {
                line.append(GAP);
            }
        }
        return line.toString().stripTrailing();
    }

    /** A cell's text, without control characters. */
    record ScreenCell(String text, ScreenStyle tone) {
        ScreenCell {
            text = MessageFormatter.visible(text);
        }

        /** A cell without a colour. */
        static ScreenCell of(Object value) {
            return new ScreenCell(String.valueOf(value), ScreenStyle.PLAIN);
        }
    }

    /** A column's heading and alignment. Only left-aligned texts are truncated on a narrow terminal. */
    record ScreenColumn(String heading, boolean rightAligned) {
        static ScreenColumn text(String heading) {
            return new ScreenColumn(heading, false);
        }

        static ScreenColumn number(String heading) {
            return new ScreenColumn(heading, true);
        }
    }

    /** The colour of a cell; it repeats what the text states. */
    enum ScreenStyle {
        PLAIN(""),
        FAINT("2"),
        GOOD("32"),
        WAITING("33"),
        BAD("31;1");

        private final String code;

        ScreenStyle(String code) {
            this.code = code;
        }

        String colorize(String text) {
            return code.isEmpty() || text.isBlank() ? text : "\u001b[" + code + "m" + text + "\u001b[0m";
        }
    }

    /** The display width of text in terminal columns. */
    static final class DisplayWidth {
        private static final String CUT = "…";

        private DisplayWidth() {}

        static int of(String text) {
            return text.codePoints().map(DisplayWidth::of).sum();
        }

        /** Truncates the text to the width, with an ellipsis. */
        static String cut(String text, int width) {
            if (of(text) <= width) {
                return text;
            }
            StringBuilder kept = new StringBuilder();
            int taken = 0;
            for (int c : text.codePoints().toArray()) {
                taken += of(c);
                if (taken > width - 1) {
                    break;
                }
                kept.appendCodePoint(c);
            }
            return width < 1 ? "" : kept + CUT;
        }

        private static int of(int c) {
            return switch (Character.getType(c)) {
                case Character.NON_SPACING_MARK, Character.ENCLOSING_MARK, Character.FORMAT, Character.CONTROL -> 0;
                default -> isWide(c) ? 2 : 1;
            };
        }

        // The wide and full-width blocks of Unicode's EastAsianWidth.txt, and the pictographs that terminals draw as
        // wide.
        private static boolean isWide(int c) {
            return c >= 0x1100
                    && (c <= 0x115f
                            || (c >= 0x2e80 && c <= 0xa4cf && c != 0x303f)
                            || (c >= 0xac00 && c <= 0xd7a3)
                            || (c >= 0xf900 && c <= 0xfaff)
                            || (c >= 0xfe30 && c <= 0xfe6f)
                            || (c >= 0xff00 && c <= 0xff60)
                            || (c >= 0xffe0 && c <= 0xffe6)
                            || (c >= 0x1f300 && c <= 0x1faff)
                            || (c >= 0x20000 && c <= 0x3fffd));
        }
    }
}
