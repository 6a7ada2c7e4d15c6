package io.osmhub.api.ops;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.config.MeterFilterReply;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.micrometer.Label;
import io.vertx.micrometer.MetricsDomain;
import io.vertx.micrometer.MicrometerMetricsFactory;
import io.vertx.micrometer.MicrometerMetricsOptions;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * Filters Vert.x's metrics of its worker pools, HTTP client and HTTP servers. Addresses, paths and routes are removed and methods and
 * codes reduced to few values, so that neither tenants nor callers add series.
 */
final class VertxMeterFilter implements MeterFilter {
    private static final String PREFIX = "vertx.";
    /** Metrics named in docs/reference/metrics.md; the others repeat them or the hub's own. */
    private static final Set<String> KEPT = Set.of(
            "vertx.pool.queue.time",
            "vertx.pool.queue.pending",
            "vertx.pool.usage",
            "vertx.pool.in.use",
            "vertx.http.client.active.connections",
            "vertx.http.client.active.requests",
            "vertx.http.client.queue.pending",
            "vertx.http.client.queue.time",
            "vertx.http.client.response.time",
            "vertx.http.client.bytes.read",
            "vertx.http.client.bytes.written",
            "vertx.http.server.active.connections",
            "vertx.http.server.active.requests",
            "vertx.http.server.response.time");

    /** Creates a Vert.x instance that reports to a registry through this filter. */
    static Vertx createVertx(VertxOptions options, PrometheusMeterRegistry registry) {
        MicrometerMetricsOptions metrics = new MicrometerMetricsOptions()
                // A name already used in the process would select another hub's registry.
                .setRegistryName("osm-hub-" + UUID.randomUUID())
                // For an omitted label, the library adds a filter that also removes it from the hub's own meters.
                .setLabels(EnumSet.allOf(Label.class))
                .addDisabledMetricsCategory(MetricsDomain.EVENT_BUS)
                .addDisabledMetricsCategory(MetricsDomain.DATAGRAM_SOCKET)
                .addDisabledMetricsCategory(MetricsDomain.NET_CLIENT)
                .addDisabledMetricsCategory(MetricsDomain.NET_SERVER);
        metrics.setEnabled(true);
        return Vertx.builder()
                .with(options.setMetricsOptions(metrics))
                .withMetrics(new MicrometerMetricsFactory(registry))
                .build();
    }

    @Override
    public MeterFilterReply accept(Meter.Id id) {
        return !id.getName().startsWith(PREFIX) || KEPT.contains(id.getName())
                ? MeterFilterReply.NEUTRAL
                : MeterFilterReply.DENY;
    }

    @Override
    public Meter.Id map(Meter.Id id) {
        if (!id.getName().startsWith(PREFIX)) {
            return id;
        }
        List<Tag> tags = new ArrayList<>(2);
        for (Tag tag : id.getTagsAsIterable()) {
            switch (tag.getKey()) {
                case "pool_name" -> tags.add(tag);
                case "method" -> tags.add(Tag.of("method", HubMetrics.method(tag.getValue())));
                case "code" -> tags.add(Tag.of("code", tag.getValue().charAt(0) + "xx"));
                default -> {
                    // An address, a path, a route or a constant value.
                }
            }
        }
        return id.replaceTags(tags);
    }
}
