package io.osmhub.deploy.log;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.OutputStreamAppender;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

final class ServiceLogTest {
    private final LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();

    @AfterEach
    void quietAgain() {
        context.reset();
        new CommandLog().configure(context);
    }

    @Test
    void commandsPrintNoLinesOfLibraries() {
        quietAgain();

        assertThat(effective("io.fabric8.kubernetes.client.Config")).isEqualTo(Level.OFF);
        assertThat(effective("io.vertx.core.impl.BlockedThreadChecker")).isEqualTo(Level.OFF);
        assertThat(effective("io.osmhub.anything")).isEqualTo(Level.WARN);
    }

    @Test
    void hearsTheHubAtItsLevelAndLibrariesAboveInfoOnly() {
        ServiceLog.start(ServiceLog.Format.JSON, "debug", Map.of("io.vertx", "error"));

        assertThat(effective("io.osmhub.anything")).isEqualTo(Level.DEBUG);
        assertThat(effective("io.netty")).isEqualTo(Level.WARN);
        assertThat(effective("io.vertx")).isEqualTo(Level.ERROR);
    }

    @Test
    void forgetsTheLevelsOfAnEarlierConfiguration() {
        ServiceLog.start(ServiceLog.Format.CONSOLE, "info", Map.of("io.vertx", "debug"));

        ServiceLog.reconfigure(ServiceLog.Format.CONSOLE, "warn", Map.of());

        assertThat(effective("io.vertx")).isEqualTo(Level.WARN);
        assertThat(effective("io.osmhub")).isEqualTo(Level.WARN);
    }

    @Test
    void takesAnotherFormatOverWhileItRuns() {
        ServiceLog.start(ServiceLog.Format.JSON, "info", Map.of());

        ServiceLog.reconfigure(ServiceLog.Format.CONSOLE, "info", Map.of());
        ServiceLog.reconfigure(ServiceLog.Format.CONSOLE, "info", Map.of());

        LoggingEvent event = new LoggingEvent("", context.getLogger("a.Writer"), Level.INFO, "written", null, null);
        List<String> lines = new ArrayList<>();
        context.getLogger(Logger.ROOT_LOGGER_NAME)
                .iteratorForAppenders()
                .forEachRemaining(appender -> lines.add(new String(
                        ((OutputStreamAppender<ILoggingEvent>) appender)
                                .getEncoder()
                                .encode(event),
                        UTF_8)));
        assertThat(lines).singleElement().asString().endsWith(" INFO  written  (Writer)\n");
    }

    @Test
    void hearsWhoWroteWhatWhateverElseIsHeard() {
        ServiceLog.start(ServiceLog.Format.JSON, "error", Map.of());

        assertThat(effective("audit")).isEqualTo(Level.INFO);
    }

    private Level effective(String logger) {
        return context.getLogger(logger).getEffectiveLevel();
    }
}
