package io.osmhub.deploy.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import io.osmhub.core.emit.json.JsonWriter;
import java.util.Map;

/** Time, level, message and then the same keys as {@code key=value}, quoted if they contain a blank. */
final class TextLogEncoder extends LogLineEncoder {
    @Override
    String formatLine(String time, ILoggingEvent event, Map<String, Object> values) {
        StringBuilder line = new StringBuilder(time)
                .append(' ')
                .append(String.format("%-5s", event.getLevel()))
                .append(' ')
                .append(event.getFormattedMessage());
        values.forEach((key, value) -> line.append(' ').append(key).append('=').append(quoted(value.toString())));
        return line.append("  (")
                .append(shortLogger(event.getLoggerName()))
                .append(")")
                .toString();
    }

    private static String quoted(String value) {
        boolean plain = !value.isEmpty() && value.chars().noneMatch(c -> c <= ' ' || c == '"' || c == '=');
        return plain ? value : JsonWriter.quote(value);
    }
}
