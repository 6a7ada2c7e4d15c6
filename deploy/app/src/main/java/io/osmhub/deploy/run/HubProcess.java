package io.osmhub.deploy.run;

import io.osmhub.deploy.config.ConfigurationFile;
import io.osmhub.deploy.config.ConfigurationSources;
import io.osmhub.deploy.config.EffectiveConfiguration;
import io.osmhub.deploy.config.HubConfiguration;
import io.osmhub.deploy.log.ServiceLog;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@code hub run} as a process: starts the service, takes over what changes in its configuration, ends when it is told to. */
public final class HubProcess {
    private static final Logger LOG = LoggerFactory.getLogger(HubProcess.class);
    private static final int OK = 0;
    private static final int UNUSABLE_INPUT = 2;
    private static final long BETWEEN_LOOKS_MILLIS = 5_000;

    private final EffectiveConfiguration effective;
    private final ConfigurationSources sources;
    private final boolean single;

    public HubProcess(EffectiveConfiguration effective, ConfigurationSources sources, boolean single) {
        this.effective = effective;
        this.sources = sources;
        this.single = single;
    }

    /** What would be started, one line for each part. */
    public List<String> plan() {
        HubConfiguration configuration = effective.configuration();
        String kubeconfig = configuration.management().kubeconfig();
        return List.of(
                "management cluster   " + (kubeconfig.isEmpty() ? "as kubectl finds it, or of the pod" : kubeconfig),
                "namespace            " + configuration.management().namespace(),
                "tenants              "
                        + (single
                                ? "the management cluster itself, as WorkerCluster local"
                                : "every WorkerCluster of " + configuration.tenancy().namespaceSelector()),
                "profiles             of each tenant, then of "
                        + configuration.tenancy().sharedProfileNamespace(),
                "health               " + configuration.health(),
                "metrics              " + configuration.metrics().address());
    }

    /** Runs until SIGTERM or SIGINT; the exit code says how it ended. */
    public int run(java.io.PrintStream err) {
        HubConfiguration configuration = effective.configuration();
        ServiceLog.start(
                configuration.log().format(),
                configuration.log().level(),
                configuration.log().levels());
        HubService service;
        try {
            service = HubService.start(configuration, single, replica());
        } catch (IOException e) {
            err.println("hub: " + e.getMessage());
            return UNUSABLE_INPUT;
        }
        CountDownLatch ended = new CountDownLatch(1);
        // Ends with 0 although a signal ends the process: being told to stop is no failure.
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> {
                            service.close();
                            LOG.info("Stopped");
                            ended.countDown();
                            Runtime.getRuntime().halt(OK);
                        },
                        "stop"));
        LOG.atInfo()
                .addKeyValue("healthPort", service.ports().health())
                .addKeyValue("metricsPort", service.ports().metrics())
                .log("Started");
        watchConfiguration(service, ended);
        return OK;
    }

    private static String replica() {
        String pod = System.getenv("POD_NAME");
        return pod == null || pod.isEmpty() ? "osm-hub" : pod;
    }

    private void watchConfiguration(HubService service, CountDownLatch ended) {
        ConfigurationFile file = new ConfigurationFile(sources, effective);
        try {
            while (!ended.await(BETWEEN_LOOKS_MILLIS, java.util.concurrent.TimeUnit.MILLISECONDS)) {
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

    private static void take(HubService service, ConfigurationFile.Change.Taken taken) {
        HubConfiguration now = taken.configuration();
        ServiceLog.levels(now.log().level(), now.log().levels());
        service.settings(now);
        LOG.atInfo()
                .addKeyValue("keys", String.join(" ", taken.takenOver()))
                .addKeyValue("afterRestart", String.join(" ", taken.needRestart()))
                .log("Configuration taken over");
    }
}
