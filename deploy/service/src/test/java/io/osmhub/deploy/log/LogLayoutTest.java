package io.osmhub.deploy.log;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxy;
import io.osmhub.deploy.log.ServiceLog.Format;
import java.io.IOException;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.slf4j.event.KeyValuePair;

final class LogLayoutTest {
    private static LoggingEvent event(String message) {
        LoggingEvent event = new LoggingEvent(
                "",
                ((LoggerContext) LoggerFactory.getILoggerFactory()).getLogger("io.osmhub.workersync.WorkerSync"),
                Level.INFO,
                message,
                null,
                null);
        event.setInstant(Instant.parse("2026-03-01T10:00:00.120Z"));
        return event;
    }

    @Test
    void isJsonWithStableKeys() {
        LoggingEvent event = event("published");
        event.addKeyValuePair(new KeyValuePair("tenant", "cluster-a"));
        event.addKeyValuePair(new KeyValuePair("durationMs", 12L));

        assertThat(new LogLayout(Format.JSON).doLayout(event))
                .isEqualTo("{\"ts\":\"2026-03-01T10:00:00.120Z\",\"level\":\"info\",\"logger\":\"WorkerSync\","
                        + "\"msg\":\"published\",\"tenant\":\"cluster-a\",\"durationMs\":12}\n");
    }

    @Test
    void keepsOneEventOnOneLineWhateverItHolds() {
        LoggingEvent event = event("a\nb");
        event.addKeyValuePair(new KeyValuePair("reason", "x\ny \"z\""));

        assertThat(new LogLayout(Format.CONSOLE).doLayout(event))
                .isEqualTo("2026-03-01T10:00:00.120Z INFO  a b reason=\"x\\ny \\\"z\\\"\"  (WorkerSync)\n");
        assertThat(new LogLayout(Format.JSON).doLayout(event).lines()).hasSize(1);
    }

    @Test
    void showsOfAFaultItsKindAndPlaceButNotItsText() {
        LoggingEvent event = event("internal error");
        event.setThrowableProxy(
                new ThrowableProxy(new IllegalStateException("token abc", new IOException("password"))));

        String line = new LogLayout(Format.JSON).doLayout(event);

        assertThat(line)
                .contains("\"stack\":\"java.lang.IllegalStateException at io.osmhub")
                .contains("caused by java.io.IOException")
                .doesNotContain("abc", "password");
    }
}
