package io.osmhub.deploy.run;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.metrics.MeterProvider;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import io.osmhub.api.admission.AdmissionServer;
import io.osmhub.api.http.HttpObserver;
import io.osmhub.api.http.RequestTrace;
import io.osmhub.deploy.config.HubConfiguration;
import io.osmhub.workersync.port.RunTrace;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Sends traces by OTLP over HTTP. Spans of a run are created at its end: then it is known whether it left an Error, which is always
 * sampled, and an unsampled run costs little. Only this class, {@link SpanIds} and {@link OutageLoggingSpanExporter} use the
 * tracing library.
 */
final class OtlpTracing implements HubTracing {
    private static final Duration CLOSING = Duration.ofSeconds(1);
    private static final Duration GATHERED = Duration.ofSeconds(2);
    private static final String PATH = "/v1/traces";
    /** W3C Trace Context: version, trace, span, flags. */
    private static final Pattern TRACEPARENT = Pattern.compile("00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})");

    private final SdkTracerProvider provider;
    private final Tracer tracer;
    private final SpanIds ids;
    private final double ratio;

    private OtlpTracing(SdkTracerProvider provider, SpanIds ids, double ratio) {
        this.provider = provider;
        this.tracer = provider.get("io.osmhub");
        this.ids = ids;
        this.ratio = ratio;
    }

    static OtlpTracing start(HubConfiguration.Tracing wanted, String replica, Map<String, String> environment) {
        String base = wanted.endpoint().isEmpty()
                ? environment.getOrDefault("OTEL_EXPORTER_OTLP_ENDPOINT", "")
                : wanted.endpoint();
        OutageLoggingSpanExporter exporter = new OutageLoggingSpanExporter(
                OtlpHttpSpanExporter.builder()
                        .setEndpoint(endpoint(base))
                        .setMeterProvider(MeterProvider::noop)
                        .build(),
                base);
        SpanIds ids = new SpanIds();
        SdkTracerProvider provider = SdkTracerProvider.builder()
                .setResource(resource(replica, environment))
                .setIdGenerator(ids)
                .setSampler(Sampler.alwaysOn())
                .addSpanProcessor(BatchSpanProcessor.builder(exporter)
                        .setScheduleDelay(GATHERED)
                        .setMeterProvider(MeterProvider.noop())
                        .build())
                .build();
        return new OtlpTracing(provider, ids, wanted.sampleRatio());
    }

    /** Adds the default path to a URL without one. */
    private static String endpoint(String base) {
        String path = URI.create(base).getPath();
        return path == null || path.isEmpty() || path.equals("/") ? base.replaceAll("/$", "") + PATH : base;
    }

    private static Resource resource(String replica, Map<String, String> environment) {
        AttributesBuilder attributes = io.opentelemetry.api.common.Attributes.builder();
        for (String pair :
                environment.getOrDefault("OTEL_RESOURCE_ATTRIBUTES", "").split(",", -1)) {
            int at = pair.indexOf('=');
            if (at > 0) {
                attributes.put(
                        pair.substring(0, at).trim(),
                        URLDecoder.decode(pair.substring(at + 1).trim(), StandardCharsets.UTF_8));
            }
        }
        attributes.put("service.name", environment.getOrDefault("OTEL_SERVICE_NAME", "osm-hub"));
        attributes.put("service.instance.id", replica);
        attributes.put("service.version", BuildInfo.current().version());
        return Resource.create(attributes.build());
    }

    @Override
    public boolean isEnabled() {
        return true;
    }

    // Runs

    @Override
    public void recordRun(RunTrace run) {
        if (!run.failed() && !isSampled(run.traceId())) {
            return;
        }
        Clock clock = new Clock();
        Span event =
                ids.with(run.traceId(), "", () -> span("machinedeployment.event", Context.root(), clock.at(run.asked()))
                        .setAttribute("osmhub.tenant", run.names().tenant())
                        .setAttribute("osmhub.worker_cluster", run.names().workerCluster())
                        .setAttribute("osmhub.machine_deployment", run.names().machineDeployment())
                        .setAttribute("osmhub.trigger", run.trigger())
                        .startSpan());
        Context inEvent = Context.root().with(event);
        span("queue.wait", inEvent, clock.at(run.asked()))
                .setAttribute("osmhub.queue.depth", run.queueDepth())
                .startSpan()
                .end(clock.at(run.began()), TimeUnit.NANOSECONDS);
        Span reconcile = ids.with("", run.spanId(), () -> span("reconcile", inEvent, clock.at(run.began()))
                .setAttribute("osmhub.reconcile_id", run.names().reconcileId())
                .setAttribute("osmhub.result", run.result().wireName())
                .setAttribute("osmhub.because", run.because())
                .startSpan());
        Context inReconcile = inEvent.with(reconcile);
        run.steps().forEach(step -> step(step, inReconcile, clock));
        run.requests().forEach(request -> sent(request, inReconcile, clock));
        for (Span span : new Span[] {reconcile, event}) {
            if (run.failed()) {
                span.setStatus(StatusCode.ERROR);
            }
            span.end(clock.at(run.ended()), TimeUnit.NANOSECONDS);
        }
    }

    private void step(RunTrace.TraceStep step, Context parent, Clock clock) {
        SpanBuilder span = span(step.name(), parent, clock.at(step.began()));
        step.textAttributes().forEach(span::setAttribute);
        step.longAttributes().forEach((name, number) -> span.setAttribute(AttributeKey.longKey(name), number));
        span.startSpan().end(clock.at(step.ended()), TimeUnit.NANOSECONDS);
    }

    private void sent(RunTrace.TracedRequest request, Context parent, Clock clock) {
        SpanBuilder span = span(request.verb() + " " + request.resource(), parent, clock.at(request.began()))
                .setSpanKind(SpanKind.CLIENT)
                .setAttribute("http.request.method", request.method())
                .setAttribute("k8s.resource", request.resource());
        if (!request.namespace().isEmpty()) {
            span.setAttribute("k8s.namespace.name", request.namespace());
        }
        if (request.status() > 0) {
            span.setAttribute("http.response.status_code", request.status());
        }
        if (!request.failure().isEmpty()) {
            span.setAttribute("error.type", request.failure());
        }
        Span started = span.startSpan();
        if (!request.failure().isEmpty()) {
            started.setStatus(StatusCode.ERROR);
        }
        started.end(clock.at(request.ended()), TimeUnit.NANOSECONDS);
    }

    private SpanBuilder span(String name, Context parent, long began) {
        return tracer.spanBuilder(name).setParent(parent).setStartTimestamp(began, TimeUnit.NANOSECONDS);
    }

    /** By trace ID, so that all participants make the same choice. */
    private boolean isSampled(String traceId) {
        return (Long.parseUnsignedLong(traceId.substring(16), 16) >>> 1) < ratio * Long.MAX_VALUE;
    }

    /** Converts monotonic time to nanoseconds since 1970. */
    private static final class Clock {
        private final long wallMinusMonotonic;

        Clock() {
            Instant now = Instant.now();
            wallMinusMonotonic = TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano() - System.nanoTime();
        }

        long at(long nanoTime) {
            return nanoTime + wallMinusMonotonic;
        }
    }

    // Requests

    @Override
    public HttpObserver observeHttp(HttpObserver counted) {
        return new HttpObserver() {
            @Override
            public RequestTrace onRequest(@Nullable String traceparent) {
                return trace(traceparent);
            }

            @Override
            public void onResponse(String route, String method, int status, Duration took, RequestTrace trace) {
                counted.onResponse(route, method, status, took, trace);
                if (trace instanceof Followed followed) {
                    request(route, method, status, took, followed);
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
     * @param caller invalid if the caller sent no trace
     */
    private record Followed(String traceId, String spanId, SpanContext caller, boolean kept) implements RequestTrace {}

    private Followed trace(@Nullable String traceparent) {
        SpanContext caller = caller(traceparent);
        String traceId = caller.isValid() ? caller.getTraceId() : ids.generateTraceId();
        return new Followed(
                traceId, ids.generateSpanId(), caller, caller.isValid() ? caller.isSampled() : isSampled(traceId));
    }

    private void request(String route, String method, int status, Duration took, Followed trace) {
        boolean fault = status >= 500;
        if (!trace.kept() && !fault) {
            return;
        }
        long now = new Clock().at(System.nanoTime());
        Context parent = Context.root().with(Span.wrap(trace.caller()));
        Span span =
                ids.with(trace.traceId(), trace.spanId(), () -> span(method + " " + route, parent, now - took.toNanos())
                        .setSpanKind(SpanKind.SERVER)
                        .setAttribute("http.request.method", method)
                        .setAttribute("http.route", route)
                        .setAttribute("http.response.status_code", status)
                        .startSpan());
        if (fault) {
            span.setStatus(StatusCode.ERROR);
        }
        span.end(now, TimeUnit.NANOSECONDS);
    }

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
            boolean fault = allowed.equals("error");
            if (!fault && ThreadLocalRandom.current().nextDouble() >= ratio) {
                return;
            }
            long now = new Clock().at(System.nanoTime());
            Span span = span("admission", Context.root(), now - took.toNanos())
                    .setSpanKind(SpanKind.SERVER)
                    .setAttribute("osmhub.webhook", webhook)
                    .setAttribute("osmhub.allowed", allowed)
                    .startSpan();
            if (fault) {
                span.setStatus(StatusCode.ERROR);
            }
            span.end(now, TimeUnit.NANOSECONDS);
        };
    }

    @Override
    public void close() {
        provider.shutdown().join(CLOSING.toMillis(), TimeUnit.MILLISECONDS);
    }
}
