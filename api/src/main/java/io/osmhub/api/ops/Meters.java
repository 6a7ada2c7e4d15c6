package io.osmhub.api.ops;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.core.metrics.Info;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.DoubleSupplier;

/**
 * Counters, histograms and gauges by name and labels, made when they are first asked for. Names are Prometheus', without the
 * endings that it gives by itself ({@code _total}, {@code _seconds} of a histogram). Safe for use by many threads.
 */
final class Meters {
    /** Requests and runs: from 1 ms to a minute. */
    static final Duration[] LONG = micros(
            1_000,
            2_000,
            5_000,
            10_000,
            25_000,
            50_000,
            100_000,
            250_000,
            500_000,
            1_000_000,
            2_500_000,
            5_000_000,
            10_000_000,
            30_000_000,
            60_000_000);
    /** Pure computing: from 50 µs to 100 ms. */
    static final Duration[] SHORT = micros(50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000);

    private final HelpTexts help = new HelpTexts();
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    /** The registry builds an identity for each look-up; these are asked for with every request. */
    private final Map<String, Counter> counters = new ConcurrentHashMap<>();

    private final Map<String, Timer> timers = new ConcurrentHashMap<>();
    private final Map<String, MultiGauge> gauges = new ConcurrentHashMap<>();

    /** One series of a gauge: label, value, label, value, ... */
    record Row(List<String> labels, double value) {
        Row {
            labels = List.copyOf(labels);
        }

        static Row of(double value, String... labels) {
            return new Row(List.of(labels), value);
        }
    }

    Meters() {
        // Before the first meter, because the registry applies a later filter to new ones only.
        registry.config()
                .meterFilter(new VertxMeters())
                .meterFilter(help)
                // Both names break Prometheus' rules; process_cpu_usage shows the same as the first.
                .meterFilter(MeterFilter.denyNameStartsWith("process.cpu.time"))
                .meterFilter(new MeterFilter() {
                    @Override
                    public Meter.Id map(Meter.Id id) {
                        return id.getName().equals("system.cpu.count") ? id.withName("system.cpus") : id;
                    }
                });
    }

    private static Duration[] micros(long... ends) {
        return Arrays.stream(ends)
                .mapToObj(end -> Duration.ofNanos(end * 1_000))
                .toArray(Duration[]::new);
    }

    /** The process's own figures. */
    @SuppressWarnings("resource") // it hears of garbage collections as long as the process lives
    void bindProcess() {
        new JvmMemoryMetrics().bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        new JvmGcMetrics().bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
        new FileDescriptorMetrics().bindTo(registry);
        new UptimeMetrics().bindTo(registry);
    }

    PrometheusMeterRegistry registry() {
        return registry;
    }

    String text(String contentType) {
        return registry.scrape(contentType);
    }

    void count(String name, String... labels) {
        counter(name, labels).increment();
    }

    /** It exists from now on, also while nothing was counted. */
    Counter counter(String name, String... labels) {
        return counters.computeIfAbsent(
                name + String.join("\n", labels),
                ignored -> Counter.builder(name).tags(labels).register(registry));
    }

    /** A histogram of durations. */
    Timer timer(String name, Duration[] buckets, String... labels) {
        return timers.computeIfAbsent(name + String.join("\n", labels), ignored -> Timer.builder(name)
                .tags(labels)
                .serviceLevelObjectives(buckets)
                .register(registry));
    }

    /** A histogram of other numbers. */
    DistributionSummary sizes(String name, double[] buckets, String... labels) {
        return DistributionSummary.builder(name)
                .tags(labels)
                .serviceLevelObjectives(buckets)
                .register(registry);
    }

    void gauge(String name, DoubleSupplier value, String... labels) {
        Gauge.builder(name, value::getAsDouble).tags(labels).register(registry);
    }

    /** A gauge that is always 1 and says something by its labels. As an ordinary one it would lose the end of its name. */
    void info(String name, String... labels) {
        List<String> names = new ArrayList<>();
        List<String> values = new ArrayList<>();
        for (int i = 0; i < labels.length; i += 2) {
            names.add(labels[i]);
            values.add(labels[i + 1]);
        }
        Info.builder()
                .name(name)
                .help(help.of(name))
                .labelNames(names.toArray(String[]::new))
                .register(registry.getPrometheusRegistry())
                .setLabelValues(values.toArray(String[]::new));
    }

    /** All series of a gauge; one that is not among them ends. */
    void rows(String name, List<Row> rows) {
        gauges.computeIfAbsent(name, n -> MultiGauge.builder(n).register(registry))
                .register(
                        rows.stream()
                                .map(row ->
                                        MultiGauge.Row.of(Tags.of(row.labels().toArray(String[]::new)), row.value()))
                                .toList(),
                        true);
    }

    /** The same by one label. */
    void rows(String name, String label, Map<String, ? extends Number> values) {
        List<Row> rows = new ArrayList<>();
        values.forEach((word, value) -> rows.add(Row.of(value.doubleValue(), label, word)));
        rows(name, rows);
    }
}
