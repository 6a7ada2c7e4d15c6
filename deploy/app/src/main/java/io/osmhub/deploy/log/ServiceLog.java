package io.osmhub.deploy.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.Encoder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.slf4j.LoggerFactory;

/** Replaces the command line's quiet log by the service's. Format and levels can be changed while it runs. */
public final class ServiceLog {
    private static final String OWN = "io.osmhub";
    private static final String AUDIT = "audit";

    private ServiceLog() {}

    /** One line for programs or for people. */
    public enum Format {
        JSON,
        CONSOLE
    }

    /** Sends all lines to the standard error in one format. Below WARN, libraries are heard only where {@code levels} names them. */
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
        LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
        ConsoleAppender<ILoggingEvent> appender = new ConsoleAppender<>();
        appender.setContext(context);
        appender.setName(format.name());
        appender.setTarget("System.err");
        Encoder<ILoggingEvent> encoder =
                switch (format) {
                    case JSON -> new JsonLine();
                    case CONSOLE -> new TextLine();
                };
        encoder.setContext(context);
        encoder.start();
        appender.setEncoder(encoder);
        appender.start();
        return appender;
    }

    /** Changes how lines look, and what is heard. Libraries quote what they are given, also credentials, when they are heard below WARN. */
    public static void change(Format format, String level, Map<String, String> levels) {
        if (root().getAppender(format.name()) == null) {
            List<Appender<ILoggingEvent>> before = new ArrayList<>();
            root().iteratorForAppenders().forEachRemaining(before::add);
            // The new one first, so that no line is lost; one that is written just now may stand in both formats.
            root().addAppender(appender(format));
            before.forEach(root()::detachAppender);
        }
        levels(level, levels);
    }

    private static void levels(String level, Map<String, String> levels) {
        LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
        for (Logger logger : context.getLoggerList()) {
            // The root alone has nobody to inherit a level from.
            logger.setLevel(logger.getName().equals(org.slf4j.Logger.ROOT_LOGGER_NAME) ? Level.WARN : null);
        }
        context.getLogger(OWN).setLevel(Level.toLevel(level, Level.INFO));
        // Vert.x registers its gauges again with each use, which is warned of.
        context.getLogger("io.micrometer.core.instrument.MeterRegistry").setLevel(Level.ERROR);
        // Who wrote what stands in the log whatever else is heard; audit.log ends that.
        context.getLogger(AUDIT).setLevel(Level.INFO);
        levels.forEach((name, own) -> context.getLogger(name).setLevel(Level.toLevel(own, Level.INFO)));
    }
}
