package io.osmhub.deploy.log;

import static java.nio.charset.StandardCharsets.UTF_8;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.StackTraceElementProxy;
import ch.qos.logback.core.encoder.EncoderBase;
import io.osmhub.core.problem.MessageFormatter;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.KeyValuePair;

/** Encodes an event as one line; common to both formats. */
abstract class LogLineEncoder extends EncoderBase<ILoggingEvent> {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSX", Locale.ROOT)
            .withZone(ZoneOffset.UTC);
    private static final int MOST_FRAMES = 40;

    /** Without the line break. What quoting leaves unescaped is escaped afterwards. */
    abstract String formatLine(String time, ILoggingEvent event, Map<String, Object> values);

    @Override
    public final byte[] encode(ILoggingEvent event) {
        Map<String, Object> values = new LinkedHashMap<>(event.getMDCPropertyMap());
        List<KeyValuePair> pairs = event.getKeyValuePairs();
        if (pairs != null) {
            pairs.forEach(pair -> values.put(pair.key, Objects.requireNonNullElse(pair.value, "")));
        }
        if (event.getThrowableProxy() != null) {
            values.put("stack", stack(event.getThrowableProxy()));
        }
        String time = TIME.format(Instant.ofEpochMilli(event.getTimeStamp()));
        return (MessageFormatter.visible(formatLine(time, event, values)) + "\n").getBytes(UTF_8);
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

    static String shortLogger(String name) {
        return name.substring(name.lastIndexOf('.') + 1);
    }

    @Override
    public final byte @Nullable [] headerBytes() {
        return null;
    }

    @Override
    public final byte @Nullable [] footerBytes() {
        return null;
    }
}
