package io.osmhub.api.console;

import io.osmhub.api.ops.FleetStatistics;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Charts of the first page: static parts go to the template, changing ones to the cells. Bars stretch with the page, text does not. */
final class Charts {
    private static final double BASE = 74;
    private static final double HEIGHT = 52;
    private static final double GAP = 0.18;

    private static final double QUEUE_HEIGHT = 42;
    private static final int QUEUE_POINTS = 120;

    private static final List<String> LATENCY_WORDS =
            List.of("20 ms", "50", "100", "200", "500", "1 s", "2 s", "5 s", "10 s", "30 s", "more");

    /** Upper bounds of validity ranges, in minutes; the first is expired. */
    private static final int[] VALIDITY = {0, 10, 20, 40, 60, 80, 100};

    private static final List<String> VALIDITY_WORDS =
            List.of("out", "0–10", "10–20", "20–40", "40–60", "60–80", "80–100", "more");
    private static final int BAD_RANGES = 3;

    private Charts() {}

    /**
     * The charts of a replica's last hour.
     *
     * @param tokens expiry times of those in use, of which only the first {@code most}; empty if unknown
     */
    static Map<String, Object> of(
            FleetStatistics figures, List<Instant> tokens, int most, Instant now, LiveCells cells) {
        Map<String, Object> charts = new LinkedHashMap<>();
        FleetStatistics.PublishStatistics publishes = figures.publishes();
        charts.put("latency", bars("latency", publishes.ranges(), LATENCY_WORDS, 0, cells));
        scale("latency", most(publishes.ranges()), "publish", "publishes", cells);
        for (int range = 0; range < publishes.ranges().size(); range++) {
            cells.number("latency/n/" + range, publishes.ranges().get(range));
        }
        cells.text(
                "latency/read",
                publishes.count() == 0
                        ? "no publish in the last hour"
                        : NumberFormats.count(publishes.count(), "publish", "publishes") + ", half within "
                                + NumberFormats.milliseconds(publishes.p50Milliseconds()) + ", 99 % within "
                                + NumberFormats.milliseconds(publishes.p99Milliseconds()));
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
                            ? NumberFormats.number(under) + " of "
                                    + NumberFormats.count(tokens.size(), "token", "tokens")
                                    + " below 20 min"
                            : NumberFormats.number(under) + " of the " + NumberFormats.number(tokens.size())
                                    + " that expire first below 20 min");
        }
        return charts;
    }

    private static List<Map<String, Object>> bars(
            String key, List<Integer> counts, List<String> words, int bad, LiveCells cells) {
        int most = Math.max(1, most(counts));
        double width = 1.0 / counts.size();
        List<Map<String, Object>> bars = new ArrayList<>();
        for (int at = 0; at < counts.size(); at++) {
            Map<String, Object> bar = new LinkedHashMap<>();
            bar.put("word", words.get(at));
            bar.put("x", NumberFormats.percent((at + GAP / 2) * width));
            bar.put("width", NumberFormats.percent((1 - GAP) * width));
            bar.put("middle", NumberFormats.percent((at + 0.5) * width));
            bar.put("bad", at < bad);
            bars.add(bar);
            // A nonzero value stays visible: at least two units.
            double height = counts.get(at) == 0 ? 0 : Math.max(2, HEIGHT * counts.get(at) / most);
            cells.shape(
                    key + "/" + at,
                    Map.of("y", NumberFormats.place(BASE - height), "height", NumberFormats.place(height)));
        }
        return bars;
    }

    private static void queue(FleetStatistics.QueueStatistics queue, LiveCells cells) {
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
            // A young process fills the chart from the right.
            int x = QUEUE_POINTS - points + point;
            line.append(point == 0 ? "M" : "L")
                    .append(x)
                    .append(' ')
                    .append(NumberFormats.place(QUEUE_HEIGHT - QUEUE_HEIGHT * depth / most));
        }
        String area = line + "L" + (QUEUE_POINTS - 1) + " 42L" + (QUEUE_POINTS - points) + " 42Z";
        cells.shape("queue/line", Map.of("d", line.toString()));
        cells.shape("queue/area", Map.of("d", area));
        cells.text(
                "queue/read",
                "now " + NumberFormats.number(queue.depth()) + ", oldest "
                        + NumberFormats.milliseconds(queue.oldestSeconds() * 1_000) + ", most "
                        + NumberFormats.number(most(depths)));
    }

    private static int most(List<Integer> numbers) {
        return numbers.stream().mapToInt(Integer::intValue).max().orElse(0);
    }

    /** The line that the highest bar reaches, with its value; neither if nothing is drawn. */
    private static void scale(String key, int most, String one, String many, LiveCells cells) {
        cells.text(key + "/top", most == 0 ? "" : NumberFormats.count(most, one, many));
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
