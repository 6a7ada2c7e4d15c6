package io.osmhub.api.console;

import io.osmhub.api.ops.FleetFigures;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Charts of the first page: what stands still goes to the template, what moves to the cells. Bars stretch with the page, text does not. */
final class Charts {
    private static final double BASE = 74;
    private static final double HEIGHT = 52;
    private static final double GAP = 0.18;

    private static final double QUEUE_HEIGHT = 42;
    private static final int QUEUE_POINTS = 120;

    private static final List<String> LATENCY_WORDS =
            List.of("10 ms", "20", "30", "50", "75", "100", "200", "500", "1 s", "2 s", "more");

    /** Ends of the ranges of validity, in minutes; the first is what has run out. */
    private static final int[] VALIDITY = {0, 10, 20, 40, 60, 80, 100};

    private static final List<String> VALIDITY_WORDS =
            List.of("out", "0–10", "10–20", "20–40", "40–60", "60–80", "80–100", "more");
    private static final int BAD_RANGES = 3;

    private Charts() {}

    /**
     * The charts of a replica's last hour.
     *
     * @param tokens the ends of those in use, of which only the first {@code most}; empty where they are not known
     */
    static Map<String, Object> of(FleetFigures figures, List<Instant> tokens, int most, Instant now, Cells cells) {
        Map<String, Object> charts = new LinkedHashMap<>();
        FleetFigures.Publishes publishes = figures.publishes();
        charts.put("latency", bars("latency", publishes.ranges(), LATENCY_WORDS, 0, cells));
        scale("latency", most(publishes.ranges()), "publish", "publishes", cells);
        for (int range = 0; range < publishes.ranges().size(); range++) {
            cells.number("latency/n/" + range, publishes.ranges().get(range));
        }
        cells.text(
                "latency/read",
                publishes.count() == 0
                        ? "no publish in the last hour"
                        : Figures.count(publishes.count(), "publish", "publishes") + ", half within "
                                + Figures.milliseconds(publishes.p50Milliseconds()) + ", 99 % within "
                                + Figures.milliseconds(publishes.p99Milliseconds()));
        queue(figures.queue(), cells);
        if (!tokens.isEmpty()) {
            List<Integer> ranges = validity(tokens, now);
            charts.put("tokens", bars("tokens", ranges, VALIDITY_WORDS, BAD_RANGES, cells));
            scale("tokens", most(ranges), "token", "tokens", cells);
            int under = ranges.subList(0, BAD_RANGES).stream()
                    .mapToInt(Integer::intValue)
                    .sum();
            cells.text(
                    "tokens/read",
                    tokens.size() < most
                            ? Figures.number(under) + " of " + Figures.count(tokens.size(), "token", "tokens")
                                    + " under the floor of 20 min"
                            : Figures.number(under) + " of the " + Figures.number(tokens.size())
                                    + " that end first under the floor of 20 min");
        }
        return charts;
    }

    private static List<Map<String, Object>> bars(
            String key, List<Integer> counts, List<String> words, int bad, Cells cells) {
        int most = Math.max(1, most(counts));
        double width = 1.0 / counts.size();
        List<Map<String, Object>> bars = new ArrayList<>();
        for (int at = 0; at < counts.size(); at++) {
            Map<String, Object> bar = new LinkedHashMap<>();
            bar.put("word", words.get(at));
            bar.put("x", Figures.percent((at + GAP / 2) * width));
            bar.put("width", Figures.percent((1 - GAP) * width));
            bar.put("middle", Figures.percent((at + 0.5) * width));
            bar.put("bad", at < bad);
            bars.add(bar);
            // What is there at all is seen: two units at least.
            double height = counts.get(at) == 0 ? 0 : Math.max(2, HEIGHT * counts.get(at) / most);
            cells.shape(key + "/" + at, Map.of("y", Figures.place(BASE - height), "height", Figures.place(height)));
        }
        return bars;
    }

    private static void queue(FleetFigures.Queue queue, Cells cells) {
        List<Integer> depths = queue.depths();
        int most = Math.max(1, most(depths));
        scale("queue", most(depths), "key", "keys", cells);
        StringBuilder line = new StringBuilder();
        int points = Math.min(QUEUE_POINTS, depths.size());
        for (int point = 0; point < points; point++) {
            int from = point * depths.size() / points;
            int to = Math.max(from + 1, (point + 1) * depths.size() / points);
            int depth = depths.subList(from, to).stream()
                    .mapToInt(Integer::intValue)
                    .max()
                    .orElse(0);
            // A young process fills the chart from its right end.
            int x = QUEUE_POINTS - points + point;
            line.append(point == 0 ? "M" : "L")
                    .append(x)
                    .append(' ')
                    .append(Figures.place(QUEUE_HEIGHT - QUEUE_HEIGHT * depth / most));
        }
        String area = line + "L" + (QUEUE_POINTS - 1) + " 42L" + (QUEUE_POINTS - points) + " 42Z";
        cells.shape("queue/line", Map.of("d", line.toString()));
        cells.shape("queue/area", Map.of("d", area));
        cells.text(
                "queue/read",
                "now " + Figures.number(queue.depth()) + ", oldest "
                        + Figures.milliseconds(queue.oldestSeconds() * 1_000) + ", most "
                        + Figures.number(most(depths)));
    }

    private static int most(List<Integer> numbers) {
        return numbers.stream().mapToInt(Integer::intValue).max().orElse(0);
    }

    /** The line that the highest bar reaches, with what it stands for; neither where nothing is drawn. */
    private static void scale(String key, int most, String one, String many, Cells cells) {
        cells.text(key + "/top", most == 0 ? "" : Figures.count(most, one, many));
        cells.shape(key + "/grid", Map.of("x2", most == 0 ? "0" : "100%"));
    }

    private static List<Integer> validity(List<Instant> tokens, Instant now) {
        int[] counts = new int[VALIDITY.length + 1];
        for (Instant end : tokens) {
            long minutes = Duration.between(now, end).toMinutes();
            int range = end.isBefore(now) ? 0 : 1;
            while (range > 0 && range < VALIDITY.length && minutes >= VALIDITY[range]) {
                range++;
            }
            counts[range]++;
        }
        return Arrays.stream(counts).boxed().toList();
    }
}
