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
 * Counters, histograms and gauges by name and labels, created on first use. Names are Prometheus', without the suffixes that it
 * appends ({@code _total}, {@code _seconds} of a histogram). Thread-safe.
 */
final class Meters {
    /** Requests and reconciles: from 1 ms to a minute. */
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
    /** Computations: from 50 µs to 100 ms. */
    static final Duration[] SHORT = micros(50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000);

    private final HelpTexts help = new HelpTexts();
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    /** The registry builds an identity for each lookup; these are read on every request. */
    private final Map<String, Counter> counters = new ConcurrentHashMap<>();

    private final Map<String, Timer> timers = new ConcurrentHashMap<>();
    private final Map<String, MultiGauge> gauges = new ConcurrentHashMap<>();

    /** One series of a gauge: label, value, label, value, ... */
    record GaugeSeries(List<String> labels, double value) {
        GaugeSeries {
            labels = List.copyOf(labels);
        }

        static GaugeSeries of(double value, String... labels) {
            return new GaugeSeries(List.of(labels), value);
        }
    }

    Meters() {
        // Before the first meter, because the registry applies a later filter to new meters only.
        registry.config()
                .meterFilter(new VertxMeterFilter())
                .meterFilter(help)
                // Both names violate Prometheus' rules; process_cpu_usage shows the same as the first.
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

    /** Registers metrics of the process. */
    @SuppressWarnings("resource") // it observes garbage collections for the life of the process
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

    String scrape(String contentType) {
        return registry.scrape(contentType);
    }

    void count(String name, String... labels) {
        counter(name, labels).increment();
    }

    /** The series exists from now on, even if nothing is counted. */
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

    /** A gauge of constant value 1 with information in its labels. An ordinary gauge would lose the suffix of its name. */
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

    /** Replaces all series of a gauge. */
    void setSeries(String name, List<GaugeSeries> rows) {
        gauges.computeIfAbsent(name, n -> MultiGauge.builder(n).register(registry))
                .register(
                        rows.stream()
                                .map(row ->
                                        MultiGauge.Row.of(Tags.of(row.labels().toArray(String[]::new)), row.value()))
                                .toList(),
                        true);
    }

    /** Replaces all series of a gauge with a single label. */
    void setSeries(String name, String label, Map<String, ? extends Number> values) {
        List<GaugeSeries> rows = new ArrayList<>();
        values.forEach((word, value) -> rows.add(GaugeSeries.of(value.doubleValue(), label, word)));
        setSeries(name, rows);
    }
}
