package io.osmhub.bench;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.RunResult;

/**
 * One line of the table. Other programs on the machine can only make a round slower, so the best round is shown beside the
 * median of all.
 */
record Figure(String what, String workload, double medianMillis, double bestMillis, double allocatedBytes) {
    static final String HEADER = RenderCommand.format(
            "%-8s %-16s %10s %10s %14s   %s", "", "workload", "median", "best", "allocated", "target");

    private static final Map<String, String> TARGETS = Map.of("render", "0.3 ms, 200,000 B", "compile", "10 ms");

    static Figure of(RunResult result) {
        List<Double> rounds = result.getBenchmarkResults().stream()
                .flatMap(fork -> fork.getIterationResults().stream())
                .map(Figure::millis)
                .sorted()
                .toList();
        String method = result.getParams().getBenchmark();
        return new Figure(
                method.substring(method.lastIndexOf('.') + 1),
                result.getParams().getParam("workload"),
                rounds.get(rounds.size() / 2),
                rounds.getFirst(),
                Objects.requireNonNull(result.getSecondaryResults().get("gc.alloc.rate.norm"), "the profiler ran")
                        .getScore());
    }

    private static double millis(IterationResult round) {
        return round.getPrimaryResult().getScore() / 1_000;
    }

    @Override
    public String toString() {
        return RenderCommand.format(
                "%-8s %-16s %7.3f ms %7.3f ms %,12.0f B   %s",
                what, workload, medianMillis, bestMillis, allocatedBytes, TARGETS.getOrDefault(what, ""));
    }
}
