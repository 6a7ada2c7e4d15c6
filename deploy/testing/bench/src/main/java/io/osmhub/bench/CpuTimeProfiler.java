package io.osmhub.bench;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;

/**
 * Processor time of the whole JVM per operation, including the collector's and the compiler's threads. Unlike wall-clock time, it
 * excludes waiting on a busy machine.
 */
public final class CpuTimeProfiler implements InternalProfiler {
    /** Name of the result; its unit is milliseconds. */
    static final String NAME = "processor.time.norm";

    private static final OperatingSystemMXBean SYSTEM =
            ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

    private long before;

    @Override
    public String getDescription() {
        return "processor time of the JVM";
    }

    @Override
    public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
        before = SYSTEM.getProcessCpuTime();
    }

    @Override
    public Collection<? extends Result<?>> afterIteration(
            BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
        double millis = (SYSTEM.getProcessCpuTime() - before) / 1e6;
        long operations = result.getMetadata().getAllOps();
        return List.of(new ScalarResult(NAME, millis / operations, "ms/op", AggregationPolicy.AVG));
    }
}
