package io.osmhub.deploy.log;

import java.text.MessageFormat;
import java.util.Arrays;
import java.util.ResourceBundle;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Sends the JDK's own warnings and errors to the hub's log. Without it, Java prints them unformatted to standard error, and a command
 * opens every library on the class path to search for a logger when it first sets a security property.
 */
public final class PlatformLoggerFinder extends System.LoggerFinder {
    @Override
    public System.Logger getLogger(String name, Module module) {
        return new PlatformLogger(name);
    }

    /** Starts the logging library with the first line, because most commands log none. */
    private record PlatformLogger(String name) implements System.Logger {
        @Override
        public String getName() {
            return name;
        }

        @Override
        public boolean isLoggable(Level level) {
            return level == Level.WARNING || level == Level.ERROR;
        }

        @Override
        public void log(
                Level level, @Nullable ResourceBundle bundle, @Nullable String message, @Nullable Throwable thrown) {
            if (level == Level.ERROR) {
                LoggerFactory.getLogger(name).error(message, thrown);
            } else if (level == Level.WARNING) {
                LoggerFactory.getLogger(name).warn(message, thrown);
            }
        }

        @Override
        public void log(Level level, @Nullable ResourceBundle bundle, @Nullable String format, Object... values) {
            String message = format == null || values == null || values.length == 0 ? format : fill(format, values);
            log(level, bundle, message, (Throwable) null);
        }

        private static String fill(String format, Object... values) {
            try {
                return MessageFormat.format(format, values);
            } catch (IllegalArgumentException notAPattern) {
                return format + " " + Arrays.toString(values);
            }
        }
    }
}
