package io.osmhub.deploy.run;

import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.util.Collection;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends spans; logs an outage of the collector once, and its end. */
final class OutageLoggingSpanExporter implements SpanExporter {
    private static final Logger LOG = LoggerFactory.getLogger(OutageLoggingSpanExporter.class);

    private final SpanExporter exporter;
    private final String endpoint;
    private final AtomicBoolean away = new AtomicBoolean();

    OutageLoggingSpanExporter(SpanExporter exporter, String endpoint) {
        this.exporter = exporter;
        this.endpoint = endpoint;
    }

    @Override
    public CompletableResultCode export(Collection<SpanData> spans) {
        CompletableResultCode sent = exporter.export(spans);
        sent.whenComplete(() -> {
            if (sent.isSuccess()) {
                if (away.compareAndSet(true, false)) {
                    LOG.atInfo().addKeyValue("endpoint", endpoint).log("Trace export resumed");
                }
            } else if (away.compareAndSet(false, true)) {
                LOG.atWarn()
                        .addKeyValue("endpoint", endpoint)
                        .log("Trace export failed, dropping traces until the collector is reachable");
            }
        });
        return sent;
    }

    @Override
    public CompletableResultCode flush() {
        return exporter.flush();
    }

    @Override
    public CompletableResultCode shutdown() {
        return exporter.shutdown();
    }
}
