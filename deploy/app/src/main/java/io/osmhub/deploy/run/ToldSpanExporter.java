package io.osmhub.deploy.run;

import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.util.Collection;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.Level;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends spans; that the receiver is away is told once, and that it is back. */
final class ToldSpanExporter implements SpanExporter {
    private static final Logger LOG = LoggerFactory.getLogger(ToldSpanExporter.class);
    /** The library tells of each failure in its own way; held, because loggers that nobody holds forget their level. */
    private static final java.util.logging.Logger LIBRARY = java.util.logging.Logger.getLogger("io.opentelemetry");

    private final SpanExporter exporter;
    private final String endpoint;
    private final AtomicBoolean away = new AtomicBoolean();

    ToldSpanExporter(SpanExporter exporter, String endpoint) {
        this.exporter = exporter;
        this.endpoint = endpoint;
        LIBRARY.setLevel(Level.OFF);
    }

    @Override
    public CompletableResultCode export(Collection<SpanData> spans) {
        CompletableResultCode sent = exporter.export(spans);
        sent.whenComplete(() -> {
            if (sent.isSuccess()) {
                if (away.compareAndSet(true, false)) {
                    LOG.atInfo().addKeyValue("endpoint", endpoint).log("Traces are received again");
                }
            } else if (away.compareAndSet(false, true)) {
                LOG.atWarn()
                        .addKeyValue("endpoint", endpoint)
                        .log("Traces are not received and are dropped until they are; nothing else depends on it");
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
