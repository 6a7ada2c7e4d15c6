package io.osmhub.deploy.view;

import io.osmhub.api.diagnosis.WhyReportText;
import io.osmhub.api.schema.WhyReport;
import io.osmhub.deploy.fleet.TerminalSanitizer;
import io.osmhub.deploy.fleet.TextTable.CellStyle;
import java.util.List;
import java.util.Map;

/** Formats for a terminal why new nodes are or are not joining. */
public final class WhyReportFormatter {
    /** Used if the width is unknown. */
    private static final int USUAL_WIDTH = 100;

    private static final int LEAST_WIDTH = 40;
    private static final Map<String, CellStyle> STATES = Map.of(
            "  ok ", CellStyle.GOOD,
            "  BROKEN ", CellStyle.BAD,
            "  older ", CellStyle.WARNING,
            "  waits ", CellStyle.WARNING,
            "  ? ", CellStyle.FAINT);

    private WhyReportFormatter() {}

    /** @param width of the terminal; 0 if unknown */
    public static List<String> of(WhyReport report, boolean colors, int width) {
        return WhyReportText.lines(report, width == 0 ? USUAL_WIDTH : Math.max(LEAST_WIDTH, width)).stream()
                .map(TerminalSanitizer::sanitizeLine)
                .map(line -> colors ? painted(line) : line)
                .toList();
    }

    private static String painted(String line) {
        for (Map.Entry<String, CellStyle> state : STATES.entrySet()) {
            String word = state.getKey();
            if (line.startsWith(word)) {
                return "  " + state.getValue().colorize(word.strip())
                        + line.substring(word.stripTrailing().length());
            }
        }
        return line;
    }
}
