package io.osmhub.deploy.run;

import io.osmhub.api.ops.OpsServer.Serves;
import io.osmhub.deploy.config.ConfigurationFile;
import io.osmhub.deploy.config.ConfigurationSources;
import io.osmhub.deploy.config.EffectiveConfiguration;
import io.osmhub.deploy.config.HubConfiguration;
import io.osmhub.deploy.config.ListenAddress;
import io.osmhub.deploy.dropin.ControllerFlags;
import io.osmhub.deploy.dropin.FlagFiles;
import io.osmhub.deploy.dropin.WebhookFlags;
import io.osmhub.deploy.log.ServiceLog;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The service as a process: starts it, takes over what changes in its configuration, ends it when told to. */
public final class HubProcess {
    private static final Logger LOG = LoggerFactory.getLogger(HubProcess.class);
    private static final int STOPPED = 0;
    private static final long BETWEEN_LOOKS_MILLIS = 5_000;

    private final CountDownLatch ended = new CountDownLatch(1);

    private HubProcess() {}

    /** What {@code hub run} would start, one line for each part. */
    public static List<String> plan(HubConfiguration configuration, boolean single) {
        String kubeconfig = configuration.management().kubeconfig();
        return List.of(
                "management cluster   " + (kubeconfig.isEmpty() ? "as kubectl finds it, or of the pod" : kubeconfig),
                "namespace            " + configuration.management().namespace(),
                "tenants              "
                        + (single ? "the management cluster itself, as WorkerCluster local" : "every WorkerCluster"),
                "profiles             of each tenant, then of "
                        + configuration.tenancy().sharedProfileNamespace(),
                "api                  "
                        + configuration
                                .api()
                                .address()
                                .map(ListenAddress::toString)
                                .orElse("off"),
                "webhooks             "
                        + configuration
                                .webhooks()
                                .address()
                                .map(ListenAddress::toString)
                                .orElse("off"),
                "health               " + configuration.health(),
                "metrics              " + configuration.metrics().address());
    }

    /**
     * Runs {@code hub run} until SIGTERM or SIGINT; then the process ends by itself with 0.
     *
     * @throws IOException when something that is configured cannot be used
     */
    public static void run(EffectiveConfiguration effective, ConfigurationSources sources, boolean single)
            throws IOException {
        HubConfiguration configuration = effective.configuration();
        HubConfiguration.Log log = configuration.log();
        ServiceLog.start(log.format(), log.level(), log.levels());
        HubService service = HubService.run(configuration, single, replica());
        ListenAddress health = configuration.health();
        ListenAddress metrics = configuration.metrics().address();
        listen(service, Optional.of(health), Optional.of(metrics));
        Optional<ListenAddress> api = configuration.api().address();
        if (api.isPresent()) {
            int port = service.listenForCallers(api.get());
            LOG.atInfo().addKeyValue("port", port).log("The API is served");
        }
        Optional<ListenAddress> webhooks = configuration.webhooks().address();
        if (webhooks.isPresent()) {
            int port = service.listenForReviews(webhooks.get());
            LOG.atInfo().addKeyValue("port", port).log("Admission webhooks are served");
        }
        HubProcess process = new HubProcess();
        process.stopWhenTold(service::close);
        process.watch(service, new ConfigurationFile(sources, effective));
    }

    /**
     * Runs {@code hub controller} until SIGTERM or SIGINT; then the process ends by itself with 0.
     *
     * @param arguments the command line that the flags were read from
     * @throws IOException when something that the flags name cannot be used
     */
    public static void run(ControllerFlags flags, List<String> arguments) throws IOException {
        HubConfiguration.Log log = flags.configuration().log();
        ServiceLog.start(log.format(), log.level(), log.levels());
        flags.warnings().forEach(warning -> LOG.warn("{}", warning));
        HubService service = HubService.dropIn(flags, replica());
        listen(service, flags.health(), flags.metrics());
        listen(service, flags.workerHealth(), flags.workerMetrics());
        HubProcess process = new HubProcess();
        process.stopWhenTold(service::close);
        process.watch(service, new FlagFiles(arguments, flags));
    }

    /**
     * Runs {@code hub webhook} until SIGTERM or SIGINT; then the process ends by itself with 0.
     *
     * @throws IOException when something that the flags name cannot be used
     */
    public static void run(WebhookFlags flags) throws IOException {
        ServiceLog.start(flags.logFormat(), flags.debug() ? "debug" : "info", Map.of());
        WebhookService service = new WebhookService(flags, replica());
        service.listen(new ListenAddress("", WebhookService.PORT));
        boolean shared = flags.health().isPresent() && flags.health().equals(flags.metrics());
        if (flags.health().isPresent()) {
            service.listen(flags.health().get(), new Serves(true, shared));
        }
        if (flags.metrics().isPresent() && !shared) {
            service.listen(flags.metrics().get(), new Serves(false, true));
        }
        HubProcess process = new HubProcess();
        process.stopWhenTold(service::close);
        process.await();
    }

    private static String replica() {
        String pod = System.getenv("POD_NAME");
        return pod == null || pod.isEmpty() ? "osm-hub" : pod;
    }

    private static void listen(HubService service, Optional<ListenAddress> health, Optional<ListenAddress> metrics)
            throws IOException {
        boolean shared = health.isPresent()
                && metrics.isPresent()
                && health.get().equals(metrics.get())
                && health.get().port() != 0;
        if (health.isPresent()) {
            int port = service.listen(health.get(), new Serves(true, shared));
            LOG.atInfo().addKeyValue("port", port).log("Health is served");
        }
        if (metrics.isPresent() && !shared) {
            int port = service.listen(metrics.get(), new Serves(false, true));
            LOG.atInfo().addKeyValue("port", port).log("Metrics are served");
        }
    }

    /** Being told to stop is no failure, so the process ends with 0 although a signal ends it. */
    private void stopWhenTold(Runnable close) {
        Thread stop = new Thread(
                () -> {
                    close.run();
                    LOG.info("Stopped");
                    ended.countDown();
                    Runtime.getRuntime().halt(STOPPED);
                },
                "stop");
        Runtime.getRuntime().addShutdownHook(stop);
        LOG.info("Started");
    }

    private void await() {
        try {
            ended.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void watch(HubService service, ConfigurationFile file) {
        try {
            while (!ended.await(BETWEEN_LOOKS_MILLIS, TimeUnit.MILLISECONDS)) {
                switch (file.poll()) {
                    case ConfigurationFile.Change.None() -> {}
                    case ConfigurationFile.Change.Taken taken -> take(service, taken);
                    case ConfigurationFile.Change.Refused(var mistakes) ->
                        LOG.atError()
                                .addKeyValue("mistakes", mistakes.size())
                                .addKeyValue("first", mistakes.getFirst().what())
                                .log("The changed configuration has mistakes and is not taken over;"
                                        + " hub config check lists them");
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void watch(HubService service, FlagFiles files) {
        try {
            while (!ended.await(BETWEEN_LOOKS_MILLIS, TimeUnit.MILLISECONDS)) {
                switch (files.poll()) {
                    case ControllerFlags.Result.Read(ControllerFlags flags) -> {
                        service.settings(flags.configuration());
                        LOG.info("A changed CA bundle is taken over");
                    }
                    case ControllerFlags.Result.Refused(var mistakes) ->
                        LOG.error(
                                "A changed CA bundle is not taken over: {}",
                                mistakes.getFirst().what());
                    case ControllerFlags.Result.Help() -> {}
                    case null -> {}
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void take(HubService service, ConfigurationFile.Change.Taken taken) {
        HubConfiguration now = taken.configuration();
        ServiceLog.change(now.log().format(), now.log().level(), now.log().levels());
        service.settings(now);
        LOG.atInfo()
                .addKeyValue("keys", String.join(" ", taken.takenOver()))
                .addKeyValue("afterRestart", String.join(" ", taken.needRestart()))
                .log("Configuration taken over");
    }
}
