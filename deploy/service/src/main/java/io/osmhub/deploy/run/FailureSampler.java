package io.osmhub.deploy.run;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.ContextKey;
import io.opentelemetry.sdk.trace.data.LinkData;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import io.opentelemetry.sdk.trace.samplers.SamplingResult;
import java.util.List;

/** Keeps every failure, and of the others what the configured sampler keeps. */
record FailureSampler(Sampler configured) implements Sampler {
    /** Whether what the span is about has failed. */
    static final ContextKey<Boolean> FAILED = ContextKey.named("osmhub.failed");

    @Override
    public SamplingResult shouldSample(
            Context parent, String traceId, String name, SpanKind kind, Attributes attributes, List<LinkData> links) {
        return Boolean.TRUE.equals(parent.get(FAILED))
                ? SamplingResult.recordAndSample()
                : configured.shouldSample(parent, traceId, name, kind, attributes, links);
    }

    @Override
    public String getDescription() {
        return configured.getDescription() + ", and failures";
    }
}
