package io.osmhub.bench;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;

/**
 * One line of the table. Shows the best round next to the median, because other programs can only slow a round down.
 *
 * @param processorMillis median
 */
record BenchmarkFigure(
        String what,
        String workload,
        double medianMillis,
        double bestMillis,
        double processorMillis,
        double allocatedBytes) {
    static final String HEADER = RenderBenchCommand.format(
            "%-8s %-16s %10s %10s %10s %13s   %s",
            "", "workload", "median", "best", "processor", "allocated", "target");

    private static final Map<String, String> TARGETS = Map.of("render", "0.3 ms, 200,000 B", "compile", "10 ms");

    /** In the order of the workloads, which JMH does not preserve. */
    static List<BenchmarkFigure> of(List<RunResult> results, List<String> workloads) {
        return results.stream()
                .map(BenchmarkFigure::of)
                .sorted(Comparator.comparingInt((BenchmarkFigure figure) -> workloads.indexOf(figure.workload))
                        .thenComparing(BenchmarkFigure::what, Comparator.reverseOrder()))
                .toList();
    }

    private static BenchmarkFigure of(RunResult result) {
        List<IterationResult> rounds = result.getBenchmarkResults().stream()
                .flatMap(fork -> fork.getIterationResults().stream())
                .toList();
        List<Double> millis = sorted(rounds.stream()
                .<Result<?>>map(IterationResult::getPrimaryResult)
                .toList());
        String method = result.getParams().getBenchmark();
        return new BenchmarkFigure(
                method.substring(method.lastIndexOf('.') + 1),
                result.getParams().getParam("workload"),
                median(millis),
                millis.getFirst(),
                median(sorted(secondary(rounds, CpuTimeProfiler.NAME))),
                median(sorted(secondary(rounds, "gc.alloc.rate.norm"))));
    }

    private static List<Result<?>> secondary(List<IterationResult> rounds, String name) {
        return rounds.stream()
                .<Result<?>>map(round ->
                        Objects.requireNonNull(round.getSecondaryResults().get(name), "every round has " + name))
                .toList();
    }

    private static List<Double> sorted(List<Result<?>> results) {
        return results.stream().map(Result::getScore).sorted().toList();
    }

    private static double median(List<Double> sorted) {
        return sorted.get(sorted.size() / 2);
    }

    @Override
    public String toString() {
        return RenderBenchCommand.format(
                "%-8s %-16s %7.3f ms %7.3f ms %7.3f ms %,11.0f B   %s",
                what,
                workload,
                medianMillis,
                bestMillis,
                processorMillis,
                allocatedBytes,
                TARGETS.getOrDefault(what, ""));
    }
}
