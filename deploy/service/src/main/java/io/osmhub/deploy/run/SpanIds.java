package io.osmhub.deploy.run;

import io.opentelemetry.sdk.trace.IdGenerator;
import java.util.function.Supplier;

/** Generates span IDs: random, or those already used in log lines. */
final class SpanIds implements IdGenerator {
    private final IdGenerator random = IdGenerator.random();
    private static final ThreadLocal<Named> NAMED = new ThreadLocal<>();

    private record Named(String traceId, String spanId) {}

    /** Starts a span with the given IDs; generates an empty one. */
    <T> T with(String traceId, String spanId, Supplier<T> begin) {
        NAMED.set(new Named(traceId, spanId));
        try {
            return begin.get();
        } finally {
            NAMED.remove();
        }
    }

    @Override
    public String generateTraceId() {
        Named now = NAMED.get();
        return now == null || now.traceId().isEmpty() ? random.generateTraceId() : now.traceId();
    }

    @Override
    public String generateSpanId() {
        Named now = NAMED.get();
        return now == null || now.spanId().isEmpty() ? random.generateSpanId() : now.spanId();
    }
}
