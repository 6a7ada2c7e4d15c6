package io.osmhub.bench;

import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.openjdk.jmh.profile.GCProfiler;
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
        for (BenchmarkFigure figure : BenchmarkFigure.of(measure(workloads), workloads)) {
            System.out.println(figure);
        }
        System.out.println();
        for (String name : workloads) {
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
}
