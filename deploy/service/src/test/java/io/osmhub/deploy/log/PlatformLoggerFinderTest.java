package io.osmhub.deploy.log;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class PlatformLoggerFinderTest {
    @Test
    void theJdksWarningsAreLinesOfTheLog() {
        String name = "jdk.of.this.test";
        Logger log = (Logger) LoggerFactory.getLogger(name);
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        log.addAppender(lines);
        log.setLevel(Level.TRACE);

        System.Logger logger = new PlatformLoggerFinder().getLogger(name, Object.class.getModule());
        logger.log(System.Logger.Level.INFO, "hidden");
        logger.log(System.Logger.Level.WARNING, "a {0}", "value");
        logger.log(System.Logger.Level.WARNING, "no pattern {", "value");
        logger.log(System.Logger.Level.ERROR, "failed", new IllegalStateException("cause"));

        assertThat(lines.list)
                .extracting(line -> line.getLevel() + " " + line.getFormattedMessage())
                .containsExactly("WARN a value", "WARN no pattern { [value]", "ERROR failed");
        assertThat(lines.list.getLast().getThrowableProxy().getMessage()).isEqualTo("cause");
    }
}
