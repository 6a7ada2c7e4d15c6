package io.osmhub.deploy.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.StackTraceElementProxy;
import ch.qos.logback.core.LayoutBase;
import io.osmhub.core.emit.json.JsonWriter;
import io.osmhub.core.problem.MessageFormatter;
import io.osmhub.deploy.log.ServiceLog.Format;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.slf4j.event.KeyValuePair;

/** Formats an event as one line. */
final class LogLayout extends LayoutBase<ILoggingEvent> {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSX", Locale.ROOT)
            .withZone(ZoneOffset.UTC);
    private static final int MOST_FRAMES = 40;

    private final Format format;

    LogLayout(Format format) {
        this.format = format;
    }

    @Override
    public String doLayout(ILoggingEvent event) {
        Map<String, Object> values = new LinkedHashMap<>(event.getMDCPropertyMap());
        List<KeyValuePair> pairs = event.getKeyValuePairs();
        if (pairs != null) {
            pairs.forEach(pair -> values.put(pair.key, Objects.requireNonNullElse(pair.value, "")));
        }
        if (event.getThrowableProxy() != null) {
            values.put("stack", stack(event.getThrowableProxy()));
        }
        String time = time(event);
        String logger = logger(event);
        String line =
                switch (format) {
                    case JSON -> json(time, logger, event, values);
                    case CONSOLE -> text(time, logger, event, values);
                };
        // Escapes what quoting leaves as it is.
        return MessageFormatter.visible(line) + "\n";
    }

    static String time(ILoggingEvent event) {
        return TIME.format(Instant.ofEpochMilli(event.getTimeStamp()));
    }

    /** The class without its package. */
    static String logger(ILoggingEvent event) {
        return event.getLoggerName().substring(event.getLoggerName().lastIndexOf('.') + 1);
    }

    /** {@code {"ts":...,"level":...,"logger":...,"msg":...}} followed by the event's keys. */
    private static String json(String time, String logger, ILoggingEvent event, Map<String, Object> values) {
        JsonWriter json = new JsonWriter();
        json.beginObject()
                .field("ts", time)
                .field("level", event.getLevel().toString().toLowerCase(Locale.ROOT))
                .field("logger", logger)
                .field("msg", event.getFormattedMessage());
        values.forEach((key, value) -> {
            switch (value) {
                case Integer number -> json.key(key).value(number.longValue());
                case Long number -> json.key(key).value(number.longValue());
                case Boolean flag -> json.key(key).value(flag.booleanValue());
                default -> json.field(key, value.toString());
            }
        });
        return json.endObject().toString();
    }

    /** Time, level, message and then the same keys as {@code key=value}, quoted if they contain a blank. */
    private static String text(String time, String logger, ILoggingEvent event, Map<String, Object> values) {
        StringBuilder line =
                new StringBuilder(String.format("%s %-5s %s", time, event.getLevel(), event.getFormattedMessage()));
        values.forEach((key, value) -> line.append(' ').append(key).append('=').append(quoted(value.toString())));
        return line.append("  (").append(logger).append(')').toString();
    }

    private static String quoted(String value) {
        boolean plain = !value.isEmpty() && value.chars().noneMatch(c -> c <= ' ' || c == '"' || c == '=');
        return plain ? value : JsonWriter.quote(value);
    }

    /** Types and locations only: the message of an unexpected exception may contain a credential. */
    private static String stack(IThrowableProxy fault) {
        StringBuilder text = new StringBuilder();
        for (IThrowableProxy cause = fault; cause != null; cause = cause.getCause()) {
            text.append(text.isEmpty() ? "" : " caused by ").append(cause.getClassName());
            StackTraceElementProxy[] frames = cause.getStackTraceElementProxyArray();
            for (int i = 0; i < Math.min(frames.length, MOST_FRAMES); i++) {
                text.append(" at ").append(frames[i].getStackTraceElement());
            }
        }
        return text.toString();
    }
}
