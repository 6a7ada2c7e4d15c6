package io.osmhub.deploy.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ConfiguratorRank;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.LayoutBase;
import ch.qos.logback.core.spi.ContextAwareBase;
import io.osmhub.core.problem.MessageFormatter;
import org.slf4j.Logger;

/**
 * The log of commands, and of services until {@link ServiceLog#start}. Commands report their errors themselves; a library's line
 * beside them confuses. Configured in code, because reading a file loads 400 classes.
 */
@ConfiguratorRank(ConfiguratorRank.CUSTOM_HIGH_PRIORITY)
public final class CommandLog extends ContextAwareBase implements Configurator {
    @Override
    public ExecutionStatus configure(LoggerContext context) {
        context.getLogger(Logger.ROOT_LOGGER_NAME)
                .addAppender(ServiceLog.appender(context, "stderr", new LineLayout()));
        context.getLogger(Logger.ROOT_LOGGER_NAME).setLevel(Level.OFF);
        context.getLogger(ServiceLog.OWN).setLevel(Level.WARN);
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }

    /** Omits stack traces. */
    private static final class LineLayout extends LayoutBase<ILoggingEvent> {
        @Override
        public String doLayout(ILoggingEvent event) {
            String line = String.format(
                    "%s %-5s %s %s",
                    LogLayout.time(event), event.getLevel(), LogLayout.logger(event), event.getFormattedMessage());
            return MessageFormatter.visible(line) + "\n";
        }
    }
}
