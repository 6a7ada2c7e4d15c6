package io.osmhub.bench;

import io.osmhub.core.render.Renderer.RenderInput;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Repeatedly renders one MachineDeployment, and compiles its profile. Run by {@link RenderBenchCommand}. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@SuppressWarnings("NullAway.Init") // set by JMH before anything is measured
public class RenderBenchmark {
    /** Names of {@link Workload}s. */
    @Param({Workload.OWN})
    public String workload;

    private Workload work;
    private RenderInput input;

    /** Reads and decodes the files, and compiles the profile. */
    @Setup
    public void decode() {
        work = Workload.forName(workload);
        input = work.input(work.compile());
    }

    /** From decoded objects to the texts of the OSC and of both payloads. */
    @Benchmark
    public Workload.RenderedTexts render() {
        return work.render(input);
    }

    /** From a decoded profile and extensions to their compiled form, with the content hash. */
    @Benchmark
    public RenderInput.Profile compile() {
        return work.compile();
    }
}
