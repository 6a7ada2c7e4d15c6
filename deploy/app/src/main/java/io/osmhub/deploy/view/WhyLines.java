package io.osmhub.deploy.view;

import io.osmhub.api.diagnosis.WhyText;
import io.osmhub.api.schema.WhyReport;
import io.osmhub.deploy.fleet.Plain;
import io.osmhub.deploy.fleet.Tone;
import java.util.List;
import java.util.Map;

/** The answer to why new nodes come or do not come, for a terminal. */
public final class WhyLines {
    /** Where nobody says how wide it is. */
    private static final int USUAL_WIDTH = 100;

    private static final int LEAST_WIDTH = 40;
    private static final Map<String, Tone> STATES = Map.of(
            "  ok ", Tone.GOOD,
            "  BROKEN ", Tone.BAD,
            "  older ", Tone.WARNING,
            "  waits ", Tone.WARNING,
            "  ? ", Tone.FAINT);

    private WhyLines() {}

    /** @param width of the terminal; 0 when it is not known */
    public static List<String> of(WhyReport report, boolean colors, int width) {
        return WhyText.lines(report, width == 0 ? USUAL_WIDTH : Math.max(LEAST_WIDTH, width)).stream()
                .map(Plain::line)
                .map(line -> colors ? painted(line) : line)
                .toList();
    }

    private static String painted(String line) {
        for (Map.Entry<String, Tone> state : STATES.entrySet()) {
            String word = state.getKey();
            if (line.startsWith(word)) {
                return "  " + state.getValue().paint(word.strip())
                        + line.substring(word.stripTrailing().length());
            }
        }
        return line;
    }
}
