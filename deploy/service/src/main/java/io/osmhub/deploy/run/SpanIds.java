package io.osmhub.deploy.run;

import io.opentelemetry.sdk.trace.IdGenerator;
import java.util.function.Supplier;

/** Generates span IDs: random, or those already used in log lines. */
final class SpanIds implements IdGenerator {
    private static final ScopedValue<Named> NAMED = ScopedValue.newInstance();
    private static final Named RANDOM = new Named("", "");

    private record Named(String traceId, String spanId) {}

    /** Starts a span with the given IDs; generates an empty one. */
    <T> T with(String traceId, String spanId, Supplier<T> start) {
        return ScopedValue.where(NAMED, new Named(traceId, spanId)).call(start::get);
    }

    @Override
    public String generateTraceId() {
        String traceId = NAMED.orElse(RANDOM).traceId();
        return traceId.isEmpty() ? IdGenerator.random().generateTraceId() : traceId;
    }

    @Override
    public String generateSpanId() {
        String spanId = NAMED.orElse(RANDOM).spanId();
        return spanId.isEmpty() ? IdGenerator.random().generateSpanId() : spanId;
    }
}
