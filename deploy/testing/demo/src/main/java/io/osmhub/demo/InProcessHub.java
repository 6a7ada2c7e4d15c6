package io.osmhub.demo;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.FileAppender;
import io.osmhub.core.model.Sensitive;
import io.osmhub.demo.DemoRun.HubStarter;
import io.osmhub.deploy.config.ConfigurationLoader;
import io.osmhub.deploy.config.ConfigurationSources;
import io.osmhub.deploy.config.HubConfiguration;
import io.osmhub.deploy.config.ListenAddress;
import io.osmhub.deploy.run.HubService;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The real hub in the demo's process. Logs to a file, because the demo uses the terminal. */
final class InProcessHub implements HubStarter {
    private static final Duration LONGEST_START = Duration.ofSeconds(30);
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(20);

    @Override
    public RunningHub start(Path configuration, Path log) throws IOException, InterruptedException {
        logTo(log);
        HubConfiguration read = read(configuration);
        HubService service = HubService.run(read, false, "osm-hub-demo");
        long limit = System.nanoTime() + LONGEST_START.toNanos();
        while (!service.isReady()) {
            if (System.nanoTime() - limit > 0) {
                service.close();
                throw new IOException("the hub could not read the management cluster within "
                        + LONGEST_START.toSeconds() + " s; its log was " + log);
            }
            Thread.sleep(BETWEEN_LOOKS);
        }
        return new RunningInProcessHub(service, read.api().address());
    }

    /** Starts listening when its address is requested: a demo without console needs none. */
    private record RunningInProcessHub(HubService service, Optional<ListenAddress> address) implements RunningHub {
        @Override
        public void stop() {
            service.close();
        }

        @Override
        public String console(Sensitive token) {
            if (address.isEmpty()) {
                return "";
            }
            try {
                int port = service.listenForCallers(address.get());
                return "https://127.0.0.1:" + port + service.signInLink(token);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private static HubConfiguration read(Path file) {
        ConfigurationSources sources =
                new ConfigurationSources(file.toString(), ConfigurationSources.USUAL_FILE, Map.of(), List.of());
        return switch (ConfigurationLoader.load(sources)) {
            case ConfigurationLoader.Result.Loaded loaded -> loaded.effective().configuration();
            case ConfigurationLoader.Result.Refused refused ->
                throw new IllegalStateException("the demo's configuration is invalid: " + refused.mistakes());
        };
    }

    private static void logTo(Path file) {
        LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
        context.reset();
        PatternLayoutEncoder encoder = new PatternLayoutEncoder();
        encoder.setContext(context);
        encoder.setPattern("%d{HH:mm:ss.SSS} %-5level %logger{20} %msg %kvp%n");
        encoder.start();
        FileAppender<ILoggingEvent> appender = new FileAppender<>();
        appender.setContext(context);
        appender.setFile(file.toString());
        appender.setEncoder(encoder);
        appender.start();
        context.getLogger(Logger.ROOT_LOGGER_NAME).addAppender(appender);
        context.getLogger(Logger.ROOT_LOGGER_NAME).setLevel(Level.WARN);
        context.getLogger("io.osmhub").setLevel(Level.INFO);
    }
}
