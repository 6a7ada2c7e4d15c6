package io.osmhub.deploy.run;

import io.osmhub.api.ops.OpsServer.ServedPaths;
import io.osmhub.deploy.config.ConfigurationReloader;
import io.osmhub.deploy.config.ConfigurationSources;
import io.osmhub.deploy.config.EffectiveConfiguration;
import io.osmhub.deploy.config.HubConfiguration;
import io.osmhub.deploy.config.ListenAddress;
import io.osmhub.deploy.dropin.ControllerFlags;
import io.osmhub.deploy.dropin.FlagFileWatcher;
import io.osmhub.deploy.dropin.GoFlags;
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

/** The service process: starts it, reloads its configuration, stops it on a signal. */
public final class HubProcess {
    private static final Logger LOG = LoggerFactory.getLogger(HubProcess.class);
    private static final int STOPPED = 0;
    private static final long BETWEEN_LOOKS_MILLIS = 5_000;

    private final CountDownLatch ended = new CountDownLatch(1);

    private HubProcess() {}

    /** What {@code hub run} would start, one line per part. */
    public static List<String> describePlan(HubConfiguration configuration, boolean single) {
        String kubeconfig = configuration.management().kubeconfig();
        return List.of(
                "management cluster   "
                        + (kubeconfig.isEmpty() ? "default kubeconfig, or the pod's ServiceAccount" : kubeconfig),
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
                "health               " + configuration.health().address(),
                "metrics              " + configuration.metrics().address());
    }

    /**
     * Runs {@code hub run} until SIGTERM or SIGINT; the process then exits with 0.
     *
     * @throws IOException if the configuration cannot be used
     */
    public static void run(EffectiveConfiguration effective, ConfigurationSources sources, boolean single)
            throws IOException {
        HubConfiguration configuration = effective.configuration();
        HubConfiguration.Log log = configuration.log();
        ServiceLog.start(log.format(), log.level(), log.levels());
        HubService service = HubService.run(configuration, single, replica());
        ListenAddress health = configuration.health().address();
        ListenAddress metrics = configuration.metrics().address();
        listen(service, Optional.of(health), Optional.of(metrics));
        Optional<ListenAddress> api = configuration.api().address();
        if (api.isPresent()) {
            int port = service.listenForCallers(api.get());
            LOG.atInfo().addKeyValue("port", port).log("Serving the API");
        }
        Optional<ListenAddress> webhooks = configuration.webhooks().address();
        if (webhooks.isPresent()) {
            int port = service.listenForReviews(webhooks.get());
            LOG.atInfo().addKeyValue("port", port).log("Serving admission webhooks");
        }
        HubProcess process = new HubProcess();
        process.stopWhenTold(service::close);
        ConfigurationReloader reloader = new ConfigurationReloader(sources, effective);
        process.repeat(() -> poll(service, reloader));
    }

    /**
     * Runs {@code hub controller} until SIGTERM or SIGINT; the process then exits with 0.
     *
     * @param arguments the command line of the flags
     * @throws IOException if the flags cannot be used
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
        FlagFileWatcher files = new FlagFileWatcher(arguments, flags);
        process.repeat(() -> poll(service, files));
    }

    /**
     * Runs {@code hub webhook} until SIGTERM or SIGINT; the process then exits with 0.
     *
     * @throws IOException if the flags cannot be used
     */
    public static void run(WebhookFlags flags) throws IOException {
        ServiceLog.start(flags.logFormat(), flags.debug() ? "debug" : "info", Map.of());
        WebhookService service = new WebhookService(flags, replica());
        service.listen(new ListenAddress("", WebhookService.PORT));
        boolean shared = flags.health().isPresent() && flags.health().equals(flags.metrics());
        if (flags.health().isPresent()) {
            service.listen(flags.health().get(), new ServedPaths(true, shared));
        }
        if (flags.metrics().isPresent() && !shared) {
            service.listen(flags.metrics().get(), new ServedPaths(false, true));
        }
        HubProcess process = new HubProcess();
        process.stopWhenTold(service::close);
        process.repeat(() -> {});
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
            int port = service.listen(health.get(), new ServedPaths(true, shared));
            LOG.atInfo().addKeyValue("port", port).log("Serving health");
        }
        if (metrics.isPresent() && !shared) {
            int port = service.listen(metrics.get(), new ServedPaths(false, true));
            LOG.atInfo().addKeyValue("port", port).log("Serving metrics");
        }
    }

    /** Stopping on a signal is not a failure: exits with 0. */
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

    /** Calls a task every few seconds until the process stops. */
    private void repeat(Runnable task) {
        try {
            while (!ended.await(BETWEEN_LOOKS_MILLIS, TimeUnit.MILLISECONDS)) {
                task.run();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void poll(HubService service, ConfigurationReloader file) {
        switch (file.poll()) {
            case ConfigurationReloader.ReloadResult.Unchanged() -> {}
            case ConfigurationReloader.ReloadResult.AppliedReload taken -> applyReload(service, taken);
            case ConfigurationReloader.ReloadResult.RejectedReload(var mistakes) ->
                LOG.atError()
                        .addKeyValue("mistakes", mistakes.size())
                        .addKeyValue("first", mistakes.getFirst().what())
                        .log("Configuration reload failed, keeping the old configuration;"
                                + " list the errors with hub config check");
        }
    }

    private static void poll(HubService service, FlagFileWatcher files) {
        switch (files.poll()) {
            case GoFlags.Result.Read<ControllerFlags>(ControllerFlags flags) -> {
                service.applySettings(flags.configuration());
                LOG.info("CA bundle reloaded");
            }
            case GoFlags.Result.Refused<ControllerFlags>(var mistakes) ->
                LOG.error(
                        "CA bundle reload failed, keeping the old one: {}",
                        mistakes.getFirst().what());
            case GoFlags.Result.Help<ControllerFlags>() -> {}
            case null -> {}
        }
    }

    private static void applyReload(HubService service, ConfigurationReloader.ReloadResult.AppliedReload taken) {
        HubConfiguration now = taken.configuration();
        ServiceLog.reconfigure(now.log().format(), now.log().level(), now.log().levels());
        service.applySettings(now);
        LOG.atInfo()
                .addKeyValue("keys", String.join(" ", taken.reloadedKeys()))
                .addKeyValue("afterRestart", String.join(" ", taken.restartKeys()))
                .log("Configuration reloaded");
    }
}
