package io.osmhub.deploy.dropin;

import io.osmhub.core.settings.SettingsLayer;
import io.osmhub.deploy.config.HubConfiguration;
import io.osmhub.deploy.config.HubConfiguration.InstallCrds;
import io.osmhub.deploy.config.HubConfiguration.Log;
import io.osmhub.deploy.config.HubConfiguration.Management;
import io.osmhub.deploy.config.HubConfiguration.Metrics;
import io.osmhub.deploy.config.HubConfiguration.ReplicaMode;
import io.osmhub.deploy.config.HubConfiguration.Replicas;
import io.osmhub.deploy.config.HubConfiguration.Tenancy;
import io.osmhub.deploy.config.ListenAddress;
import io.osmhub.deploy.log.ServiceLog;
import java.util.Map;
import java.util.Optional;

/** The built-in configuration with OSM's flags applied. No API, no webhooks, no installation of definitions. */
final class DropInConfiguration {
    /** No other tenants to leave capacity for: the maximum of -worker-count. */
    private static final int ONE_TENANT_RECONCILES = 100;

    private DropInConfiguration() {}

    static HubConfiguration of(
            String kubeconfig,
            String namespace,
            SettingsLayer settings,
            Optional<ListenAddress> health,
            Optional<ListenAddress> metrics,
            boolean leaderElect,
            boolean debug,
            ServiceLog.Format logFormat) {
        HubConfiguration builtIn = HubConfiguration.builtInDefaults();
        Management management = builtIn.management();
        Tenancy tenancy = builtIn.tenancy();
        Replicas replicas = builtIn.replicas();
        return new HubConfiguration(
                new Management(
                        kubeconfig,
                        management.context(),
                        namespace,
                        management.requestTimeout(),
                        management.statusesPerSecond()),
                new Tenancy(
                        namespace,
                        tenancy.namespaceSelector(),
                        InstallCrds.NEVER,
                        tenancy.discovery(),
                        tenancy.connectConcurrency(),
                        ONE_TENANT_RECONCILES,
                        tenancy.onSecretDeleted(),
                        tenancy.removalDelay()),
                settings,
                builtIn.kubeconfigPolicy(),
                new Replicas(
                        leaderElect ? ReplicaMode.SHARDED : ReplicaMode.SINGLE,
                        replicas.leaseDuration(),
                        replicas.renewInterval()),
                builtIn.render(),
                builtIn.api().withoutAddress(),
                builtIn.webhooks().withoutAddress(),
                health.orElse(builtIn.health()),
                new Metrics(
                        metrics.orElse(builtIn.metrics().address()),
                        false,
                        builtIn.metrics().maxTenantSeries()),
                new Log(logFormat, debug ? "debug" : "info", Map.of()),
                builtIn.tracing(),
                builtIn.auditLog());
    }
}
