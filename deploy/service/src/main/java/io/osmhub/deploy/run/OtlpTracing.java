package io.osmhub.deploy.run;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.spi.ConfigProperties;
import io.opentelemetry.sdk.autoconfigure.spi.ConfigurationException;
import io.opentelemetry.sdk.resources.Resource;
import io.osmhub.api.admission.AdmissionServer;
import io.osmhub.api.http.HttpObserver;
import io.osmhub.api.http.RequestTrace;
import io.osmhub.deploy.config.HubConfiguration;
import io.osmhub.workersync.port.RunTrace;
import io.osmhub.workersync.port.RunTrace.Interval;
import io.osmhub.workersync.port.RunTrace.TraceSpan;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Sends traces by OTLP over HTTP, configured by the hub's configuration and by OpenTelemetry's environment variables. Spans of a
 * run are created at its end: then it is known whether it left an Error, which is always sampled, and an unsampled run costs little.
 * Only this class, {@link SpanIds}, {@link FailureSampler} and {@link OutageLoggingSpanExporter} use the tracing library.
 */
final class OtlpTracing implements HubTracing {
    private static final String TRACES_ENDPOINT = "otel.exporter.otlp.traces.endpoint";
    private static final String ENDPOINT = "otel.exporter.otlp.endpoint";
    private static final Duration CLOSING = Duration.ofSeconds(1);
    /** Without user, query and fragment, which may be credentials: the library's messages and the log contain the endpoint. */
    private static final Pattern ENDPOINT_URL = Pattern.compile("https?://[^@\\s/?#]+(/[^@\\s?#]*)?");
    /** In the value of a header, what cannot be decoded. */
    private static final Pattern BAD_ESCAPE = Pattern.compile("%(?![0-9A-Fa-f]{2})");
    /** Silenced because it logs every failure; held strongly because unreferenced loggers lose their level. */
    private static final java.util.logging.Logger LIBRARY = java.util.logging.Logger.getLogger("io.opentelemetry");
    /** W3C Trace Context: version, trace, span, flags. */
    private static final Pattern TRACEPARENT = Pattern.compile("00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})");

    private final SpanIds ids = new SpanIds();
    private final OpenTelemetrySdk sdk;
    private final Tracer tracer;

    private OtlpTracing(HubConfiguration.Tracing wanted, String replica) {
        LIBRARY.setLevel(Level.OFF);
        sdk = AutoConfiguredOpenTelemetrySdk.builder()
                .disableShutdownHook()
                .addPropertiesSupplier(() -> defaults(wanted))
                .addPropertiesCustomizer(environment -> overrides(wanted, environment))
                .addResourceCustomizer((resource, environment) -> resource.merge(Resource.create(Attributes.builder()
                        .put("service.instance.id", replica)
                        .put("service.version", BuildInfo.current().version())
                        .build())))
                .addSamplerCustomizer((sampler, environment) -> new FailureSampler(sampler))
                .addSpanExporterCustomizer((exporter, environment) -> new OutageLoggingSpanExporter(
                        exporter, environment.getString(TRACES_ENDPOINT, environment.getString(ENDPOINT, ""))))
                .addTracerProviderCustomizer((provider, environment) -> provider.setIdGenerator(ids))
                .build()
                .getOpenTelemetrySdk();
        tracer = sdk.getTracer("io.osmhub");
    }

    /** @throws IOException if an environment variable is not usable */
    static OtlpTracing start(HubConfiguration.Tracing wanted, String replica) throws IOException {
        try {
            return new OtlpTracing(wanted, replica);
        } catch (ConfigurationException e) {
            Throwable cause = e.getCause();
            throw new IOException(
                    "cannot start tracing: " + e.getMessage() + (cause == null ? "" : ": " + cause.getMessage())
                            + "; check the OTEL_* variables",
                    e);
        }
    }

    /** What environment variables override. */
    private static Map<String, String> defaults(HubConfiguration.Tracing wanted) {
        return Map.of(
                "otel.service.name", "osm-hub",
                "otel.traces.sampler", "parentbased_traceidratio",
                "otel.traces.sampler.arg", String.valueOf(wanted.sampleRatio()),
                "otel.bsp.schedule.delay", "2s",
                // The replica is the instance; a second one would be reported on standard error.
                "otel.java.disabled.resource.providers",
                        "io.opentelemetry.sdk.autoconfigure.ServiceInstanceIdResourceProvider");
    }

    /** What environment variables cannot change: the hub has neither another exporter nor another protocol. */
    private static Map<String, String> overrides(HubConfiguration.Tracing wanted, ConfigProperties environment) {
        rejectBadHeaders(environment);
        Map<String, String> overrides = new HashMap<>(Map.of(
                "otel.traces.exporter", "otlp",
                "otel.metrics.exporter", "none",
                "otel.logs.exporter", "none",
                "otel.propagators", "none",
                "otel.exporter.otlp.protocol", "http/protobuf",
                "otel.exporter.otlp.traces.protocol", "http/protobuf"));
        String endpoint = wanted.endpoint().isEmpty()
                ? environment.getString(TRACES_ENDPOINT, environment.getString(ENDPOINT, ""))
                : wanted.endpoint();
        Matcher url = ENDPOINT_URL.matcher(endpoint);
        if (!url.matches()) {
            throw new ConfigurationException("the endpoint is not an http or https URL without user and query");
        }
        if (!wanted.endpoint().isEmpty()) {
            String path = url.group(1);
            overrides.put(
                    TRACES_ENDPOINT,
                    path != null && path.length() > 1 ? endpoint : endpoint.replaceFirst("/$", "") + "/v1/traces");
        }
        return overrides;
    }

    /** The library would do so with the value, a credential, in its message. */
    private static void rejectBadHeaders(ConfigProperties environment) {
        for (String name : List.of("otel.exporter.otlp.headers", "otel.exporter.otlp.traces.headers")) {
            boolean valid;
            try {
                valid = environment.getMap(name).values().stream()
                        .noneMatch(value -> BAD_ESCAPE.matcher(value).find());
            } catch (ConfigurationException e) {
                valid = false;
            }
            if (!valid) {
                throw new ConfigurationException(name + ": expected NAME=VALUE,... with URL-encoded values");
            }
        }
    }

    @Override
    public boolean isEnabled() {
        return true;
    }

    @Override
    public void recordRun(RunTrace run) {
        record(run.traceId(), run.root(), SpanKind.INTERNAL, Context.root());
    }

    /** Records a span with all below it; a failed one whatever the sampler decides. */
    private void record(String traceId, TraceSpan root, SpanKind kind, Context parent) {
        Instant now = Instant.now();
        long offset = TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano() - System.nanoTime();
        record(traceId, root, kind, parent.with(FailureSampler.FAILED, root.failed()), offset);
    }

    /** @param offset from monotonic time to nanoseconds since 1970 */
    private void record(String traceId, TraceSpan recorded, SpanKind kind, Context parent, long offset) {
        SpanBuilder builder = tracer.spanBuilder(recorded.name())
                .setParent(parent)
                .setSpanKind(kind)
                .setStartTimestamp(recorded.interval().began() + offset, TimeUnit.NANOSECONDS);
        recorded.attributes().forEach((name, value) -> {
            if (value instanceof Long number) {
                builder.setAttribute(name, number);
            } else {
                builder.setAttribute(name, value.toString());
            }
        });
        Span span = ids.with(traceId, recorded.id(), builder::startSpan);
        if (!span.isRecording()) {
            return;
        }
        Context inside = parent.with(span);
        for (TraceSpan child : recorded.children()) {
            record("", child, child.isRequest() ? SpanKind.CLIENT : SpanKind.INTERNAL, inside, offset);
        }
        if (recorded.failed()) {
            span.setStatus(StatusCode.ERROR);
        }
        span.end(recorded.interval().ended() + offset, TimeUnit.NANOSECONDS);
    }

    @Override
    public HttpObserver observeHttp(HttpObserver counted) {
        return new HttpObserver() {
            @Override
            public RequestTrace onRequest(@Nullable String traceparent) {
                SpanContext caller = caller(traceparent);
                String traceId = caller.isValid() ? caller.getTraceId() : ids.generateTraceId();
                return new TracedRequest(
                        traceId, ids.generateSpanId(), Context.root().with(Span.wrap(caller)));
            }

            @Override
            public void onResponse(String route, String method, int status, Duration took, RequestTrace trace) {
                counted.onResponse(route, method, status, took, trace);
                if (trace instanceof TracedRequest request) {
                    Map<String, Object> attributes = Map.of(
                            "http.request.method", method, "http.route", route, "http.response.status_code", (long)
                                    status);
                    recordResponse(request, method + " " + route, status >= 500, took, attributes);
                }
            }

            @Override
            public void onLimited(LimitKind limit) {
                counted.onLimited(limit);
            }
        };
    }

    /**
     * A request with IDs that log lines may contain before sampling is decided.
     *
     * @param parent the caller's span, if it sent one
     */
    private record TracedRequest(String traceId, String spanId, Context parent) implements RequestTrace {}

    /** Invalid if the caller sent no trace or a malformed one. */
    private static SpanContext caller(@Nullable String traceparent) {
        Matcher found = TRACEPARENT.matcher(traceparent == null ? "" : traceparent);
        return found.matches()
                ? SpanContext.createFromRemoteParent(
                        found.group(1), found.group(2), TraceFlags.fromHex(found.group(3), 0), TraceState.getDefault())
                : SpanContext.getInvalid();
    }

    @Override
    public AdmissionServer.AdmissionObserver observeAdmission(AdmissionServer.AdmissionObserver counted) {
        return (webhook, allowed, took) -> {
            counted.onResponse(webhook, allowed, took);
            TracedRequest request = new TracedRequest("", "", Context.root());
            Map<String, Object> attributes = Map.of("osmhub.webhook", webhook, "osmhub.allowed", allowed);
            recordResponse(request, "admission", allowed.equals("error"), took, attributes);
        };
    }

    private void recordResponse(
            TracedRequest request, String name, boolean failed, Duration took, Map<String, Object> attributes) {
        long now = System.nanoTime();
        Interval interval = new Interval(now - took.toNanos(), now);
        TraceSpan response = new TraceSpan(request.spanId(), name, false, failed, interval, attributes, List.of());
        record(request.traceId(), response, SpanKind.SERVER, request.parent());
    }

    @Override
    public void close() {
        sdk.shutdown().join(CLOSING.toMillis(), TimeUnit.MILLISECONDS);
    }
}
