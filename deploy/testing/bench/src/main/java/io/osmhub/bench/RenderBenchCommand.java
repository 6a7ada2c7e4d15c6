package io.osmhub.bench;

import io.osmhub.bench.Bench.MachineInfo;
import io.osmhub.core.render.CompiledProfile;
import io.osmhub.core.render.CompiledProfile.CompiledProfileCache;
import io.osmhub.core.template.language.TemplateEngines;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ./hub bench render}. */
@Command(
        name = "render",
        description =
                "Measure one MachineDeployment on one thread: time and memory of rendering, of compiling its profile, and of"
                        + " 1,000 tenants with the same profile.",
        mixinStandardHelpOptions = true)
final class RenderBenchCommand implements Callable<Integer> {
    private static final int TENANTS = 1_000;

    @Option(
            names = "--quick",
            description =
                    "Run for half a minute instead of four: one JVM and fewer rounds. Not for docs/performance.md.")
    private boolean quick;

    @Override
    public Integer call() throws RunnerException {
        System.out.println(MachineInfo.describe());
        System.out.println();
        List<String> workloads = List.copyOf(Workload.available().keySet());
        for (String name : workloads) {
            System.out.println(Workload.forName(name).describe(name));
        }
        if (!workloads.contains(Workload.FIXTURE)) {
            System.out.println("no fixtures found: " + Workload.FIXTURE + " skipped");
        }
        System.out.println();
        System.out.println(BenchmarkFigure.HEADER);
        List<BenchmarkFigure> figures = BenchmarkFigure.of(measure(workloads), workloads);
        figures.forEach(System.out::println);
        System.out.println();
        System.out.println(BenchmarkFigure.describeExtensions(figures));
        for (String name : workloads) {
            if (name.equals(Workload.OWN_EXTENDED)) {
                continue; // it has the same profile as another one
            }
            System.out.println(
                    SharedProfileMemory.measure(Workload.forName(name), TENANTS).describe(name));
        }
        return 0;
    }

    private List<RunResult> measure(List<String> workloads) throws RunnerException {
        ChainedOptionsBuilder options = new OptionsBuilder()
                .include("^" + RenderBenchmark.class.getName().replace(".", "\\.") + "\\.")
                .param("workload", workloads.toArray(String[]::new))
                .addProfiler(GCProfiler.class)
                .addProfiler(CpuTimeProfiler.class)
                .threads(1)
                .shouldFailOnError(true)
                .verbosity(VerboseMode.SILENT);
        if (quick) {
            options.forks(1).warmupIterations(3).measurementIterations(3);
        } else {
            options.forks(3).warmupIterations(10).measurementIterations(10);
        }
        TimeValue second = TimeValue.seconds(1);
        return List.copyOf(
                new Runner(options.warmupTime(second).measurementTime(second).build()).run());
    }

    /** Formats with the documents' separators, independent of the locale. */
    @SuppressWarnings("AnnotateFormatMethod") // the annotation is Error Prone's own, and not a dependency
    static String format(String format, Object... arguments) {
        return String.format(Locale.ROOT, format, arguments);
    }

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

        private static final double MOST_WITH_EXTENSIONS = 1.2;

        private static final Map<String, String> TARGETS = Map.of("render", "0.3 ms, 200,000 B", "compile", "10 ms");

        /** In the order of the workloads, which JMH does not preserve. */
        static List<BenchmarkFigure> of(List<RunResult> results, List<String> workloads) {
            return results.stream()
                    .map(BenchmarkFigure::of)
                    .sorted(Comparator.comparingInt((BenchmarkFigure figure) -> workloads.indexOf(figure.workload))
                            .thenComparing(BenchmarkFigure::what, Comparator.reverseOrder()))
                    .toList();
        }

        /** Compares rendering with and without extensions. */
        static String describeExtensions(List<BenchmarkFigure> figures) {
            double ratio = renderMillis(figures, Workload.OWN_EXTENDED) / renderMillis(figures, Workload.OWN);
            return RenderBenchCommand.format(
                    "render with five extensions takes %.2f times as long as without, at most %.1f: %s",
                    ratio, MOST_WITH_EXTENSIONS, ratio <= MOST_WITH_EXTENSIONS ? "met" : "MISSED");
        }

        private static double renderMillis(List<BenchmarkFigure> figures, String workload) {
            return figures.stream()
                    .filter(figure -> figure.what.equals("render") && figure.workload.equals(workload))
                    .findFirst()
                    .orElseThrow()
                    .medianMillis;
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

    /**
     * Number and heap size of the compiled profiles of tenants with the same content. Each tenant's profile is decoded separately, as
     * from its own namespace.
     *
     * @param bytes live heap of all tenants
     * @param bytesUnshared live heap with one compiled profile each
     */
    record SharedProfileMemory(int tenants, int copies, long bytes, long bytesUnshared) {
        private static final int COMPILED_CONTENTS = 64;
        /** The serial collector may leave a few per cent of garbage, and compacts fully every fourth time. */
        private static final int COLLECTIONS = 4;

        static SharedProfileMemory measure(Workload work, int tenants) {
            // Warm-up, to exclude allocations of the first use.
            measureOnce(work, tenants / 10);
            return measureOnce(work, tenants);
        }

        private static SharedProfileMemory measureOnce(Workload work, int tenants) {
            TemplateEngines languages = new TemplateEngines();
            CompiledProfile[] shared = new CompiledProfile[tenants];
            CompiledProfileCache profiles = new CompiledProfileCache(languages, COMPILED_CONTENTS);
            long bytes = grownHeap(() -> profiles.getOrCompile(work.decodeAgain()), shared);
            Set<CompiledProfile> copies = Collections.newSetFromMap(new IdentityHashMap<>());
            Collections.addAll(copies, shared);

            CompiledProfile[] own = new CompiledProfile[tenants / 10];
            long bytesOfTenth =
                    grownHeap(() -> new CompiledProfileCache(languages, 1).getOrCompile(work.decodeAgain()), own);
            return new SharedProfileMemory(tenants, copies.size(), bytes, bytesOfTenth * tenants / own.length);
        }

        /** Fills the array and returns the growth of the live heap. */
        private static long grownHeap(Supplier<CompiledProfile> make, CompiledProfile[] kept) {
            long before = usedHeap();
            for (int i = 0; i < kept.length; i++) {
                kept[i] = make.get();
            }
            return usedHeap() - before;
        }

        private static long usedHeap() {
            MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
            for (int i = 0; i < COLLECTIONS; i++) {
                memory.gc();
            }
            return memory.getHeapMemoryUsage().getUsed();
        }

        String describe(String workload) {
            return RenderBenchCommand.format(
                    "%,d tenants sharing one profile (%s) keep %d compiled cop%s, %,d KiB; unshared it would be %,d KiB",
                    tenants, workload, copies, copies == 1 ? "y" : "ies", bytes / 1024, bytesUnshared / 1024);
        }
    }
}
