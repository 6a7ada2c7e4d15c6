package io.osmhub.deploy.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import io.osmhub.core.emit.json.JsonWriter;
import java.util.Locale;
import java.util.Map;

/** {@code {"ts":...,"level":...,"logger":...,"msg":...}} followed by the event's keys. */
final class JsonLogEncoder extends LogLineEncoder {
    @Override
    String formatLine(String time, ILoggingEvent event, Map<String, Object> values) {
        JsonWriter json = new JsonWriter();
        json.beginObject()
                .field("ts", time)
                .field("level", event.getLevel().toString().toLowerCase(Locale.ROOT))
                .field("logger", shortLogger(event.getLoggerName()))
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
}
