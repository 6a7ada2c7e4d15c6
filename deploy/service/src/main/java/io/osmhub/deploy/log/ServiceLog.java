package io.osmhub.deploy.log;

import static java.nio.charset.StandardCharsets.UTF_8;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.Layout;
import ch.qos.logback.core.encoder.LayoutWrappingEncoder;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.slf4j.LoggerFactory;

/** Replaces the command line's quiet log with the service's. Format and levels can change at runtime. */
public final class ServiceLog {
    static final String OWN = "io.osmhub";
    private static final String AUDIT = "audit";

    private ServiceLog() {}

    /** Line format for programs or terminals. */
    public enum Format {
        @JsonProperty("json")
        JSON,
        @JsonProperty("console")
        CONSOLE
    }

    /** Logs to standard error in one format. Below WARN, libraries log only if {@code levels} names them. */
    public static void start(Format format, String level, Map<String, String> levels) {
        LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
        context.reset();
        root().addAppender(appender(format));
        levels(level, levels);
    }

    private static Logger root() {
        return ((LoggerContext) LoggerFactory.getILoggerFactory()).getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    }

    private static Appender<ILoggingEvent> appender(Format format) {
        return appender((LoggerContext) LoggerFactory.getILoggerFactory(), format.name(), new LogLayout(format));
    }

    /** Writes to standard error. */
    static Appender<ILoggingEvent> appender(LoggerContext context, String name, Layout<ILoggingEvent> layout) {
        ConsoleAppender<ILoggingEvent> appender = new ConsoleAppender<>();
        appender.setContext(context);
        appender.setName(name);
        appender.setTarget("System.err");
        LayoutWrappingEncoder<ILoggingEvent> encoder = new LayoutWrappingEncoder<>();
        encoder.setLayout(layout);
        encoder.setCharset(UTF_8);
        encoder.setContext(context);
        encoder.start();
        appender.setEncoder(encoder);
        appender.start();
        return appender;
    }

    /** Changes format and levels. Below WARN, libraries may quote their input, including credentials. */
    public static void reconfigure(Format format, String level, Map<String, String> levels) {
        if (root().getAppender(format.name()) == null) {
            List<Appender<ILoggingEvent>> before = new ArrayList<>();
            root().iteratorForAppenders().forEachRemaining(before::add);
            // Add the new one first so that no line is lost; a concurrent line may appear in both formats.
            root().addAppender(appender(format));
            before.forEach(root()::detachAppender);
        }
        levels(level, levels);
    }

    private static void levels(String level, Map<String, String> levels) {
        LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
        for (Logger logger : context.getLoggerList()) {
            // Only the root has no parent to inherit a level from.
            logger.setLevel(logger.getName().equals(org.slf4j.Logger.ROOT_LOGGER_NAME) ? Level.WARN : null);
        }
        context.getLogger(OWN).setLevel(Level.toLevel(level, Level.INFO));
        // Vert.x re-registers its gauges on each use, which causes warnings.
        context.getLogger("io.micrometer.core.instrument.MeterRegistry").setLevel(Level.ERROR);
        // The audit log is independent of other levels; only audit.log disables it.
        context.getLogger(AUDIT).setLevel(Level.INFO);
        levels.forEach((name, own) -> context.getLogger(name).setLevel(Level.toLevel(own, Level.INFO)));
    }
}
