package io.osmhub.deploy.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.osmhub.deploy.config.HubConfiguration;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each system property stands for the environment variable of its name, which a test cannot set. */
final class OtlpTracingTest {
    private final List<String> properties = new ArrayList<>();

    @TempDir
    private Path folder;

    private void set(String property, String value) {
        System.setProperty(property, value);
        properties.add(property);
    }

    @AfterEach
    void clear() {
        properties.forEach(System::clearProperty);
    }

    private static String refusal(String endpoint) {
        Throwable refusal =
                catchThrowable(() -> OtlpTracing.start(new HubConfiguration.Tracing(true, endpoint, 1), "replica")
                        .close());
        assertThat(refusal).isInstanceOf(IOException.class);
        return String.valueOf(refusal.getMessage());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "otel.traces.sampler.arg | 2 | ratio",
                "otel.exporter.otlp.compression | zip | ompression",
                "otel.bsp.schedule.delay | -1 | delay",
            })
    void aVariableThatIsNotUsableIsRefusedWithItsReason(String property, String value, String reason) {
        set(property, value);

        assertThat(refusal("http://127.0.0.1:1"))
                .startsWith("cannot start tracing: ")
                .contains(reason)
                .endsWith("; check the OTEL_* variables");
    }

    @Test
    void theVariableThatDisablesTheLibraryTakesPrecedence() throws IOException {
        set("otel.sdk.disabled", "true");
        set("otel.traces.sampler.arg", "2");

        OtlpTracing tracing = OtlpTracing.start(new HubConfiguration.Tracing(true, "http://127.0.0.1:1", 1), "replica");

        tracing.close();
    }

    @Test
    void aCertificateThatIsNotPemIsRefusedWithItsReason() throws IOException {
        set(
                "otel.exporter.otlp.certificate",
                Files.writeString(folder.resolve("ca.pem"), "not PEM").toString());

        assertThat(refusal("https://127.0.0.1:1")).contains("PEM").endsWith("; check the OTEL_* variables");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "otel.exporter.otlp.endpoint | http://user:s3cret@collector:4318",
                "otel.exporter.otlp.traces.endpoint | http://user:s3cret@collector:4318/v1/traces",
                "otel.exporter.otlp.traces.endpoint | http://collector:4318/v1/traces?key=s3cret",
                "otel.exporter.otlp.headers | s3cret",
                "otel.exporter.otlp.traces.headers | authorization=s3cret%zz",
            })
    void aRefusalContainsNoCredentialAndTheLibraryLogsNothing(String property, String value) {
        set("otel.exporter.otlp.endpoint", "http://127.0.0.1:1");
        set(property, value);
        List<LogRecord> records = new ArrayList<>();
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord record) {
                records.add(record);
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Logger library = Logger.getLogger("io.opentelemetry");
        library.setLevel(Level.ALL);
        library.addHandler(handler);
        try {
            assertThat(refusal("")).doesNotContain("s3cret").contains("OTEL_");
        } finally {
            library.removeHandler(handler);
        }

        assertThat(records).isEmpty();
    }
}
