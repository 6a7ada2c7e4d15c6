package io.osmhub.deploy.config;

import io.osmhub.core.model.LabelSelector;
import io.osmhub.core.settings.SettingsLayer;
import io.osmhub.core.template.Sandbox.RenderLimits;
import io.osmhub.deploy.log.ServiceLog;
import io.osmhub.tenancy.kubeconfig.KubeconfigPolicy;
import io.osmhub.tenancy.registry.NamespaceRegistrations.SecretDiscovery;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The validated configuration of a hub, with defaults applied. The components are the sections of the configuration file;
 * {@code hub explain config} describes the keys.
 */
public record HubConfiguration(
        Management management,
        Tenancy tenancy,
        SettingsLayer defaults,
        KubeconfigPolicy kubeconfigPolicy,
        Replicas replicas,
        Render render,
        Api api,
        Webhooks webhooks,
        ListenAddress health,
        Metrics metrics,
        Log log,
        Tracing tracing,
        boolean auditLog) {

    /**
     * The management cluster.
     *
     * @param kubeconfig file path; empty for the default locations
     * @param context empty for the current context
     */
    public record Management(
            String kubeconfig, String context, String namespace, Duration requestTimeout, int statusesPerSecond) {}

    public enum InstallCrds {
        IF_ABSENT("IfAbsent"),
        UPGRADE("Upgrade"),
        NEVER("Never");

        private final String configValue;

        InstallCrds(String word) {
            this.configValue = word;
        }

        /** In file syntax. */
        public String configValue() {
            return configValue;
        }
    }

    /** What happens to a tenant whose kubeconfig Secret is deleted. */
    public enum OnSecretDeleted {
        REMOVE("Remove"),
        PAUSE("Pause");

        private final String configValue;

        OnSecretDeleted(String word) {
            this.configValue = word;
        }

        /** In file syntax. */
        public String configValue() {
            return configValue;
        }
    }

    /** How tenants are discovered and removed. */
    public record Tenancy(
            String sharedProfileNamespace,
            LabelSelector namespaceSelector,
            InstallCrds installCrds,
            SecretDiscovery discovery,
            int connectConcurrency,
            int maxConcurrentReconciles,
            OnSecretDeleted onSecretDeleted,
            Duration removalDelay) {}

    /** How replicas share the tenants. */
    public enum ReplicaMode {
        /** Each replica holds a member Lease and serves some tenants. */
        SHARDED("Sharded"),
        /** One process, no Lease. */
        SINGLE("Single");

        private final String configValue;

        ReplicaMode(String word) {
            this.configValue = word;
        }

        /** In file syntax. */
        public String configValue() {
            return configValue;
        }
    }

    /** How tenants are distributed, and how soon a dead replica is noticed. */
    public record Replicas(ReplicaMode mode, Duration leaseDuration, Duration renewInterval) {}

    /** @param compiledProfiles size of the cache */
    public record Render(RenderLimits limits, int compiledProfiles) {}

    /**
     * Files of a server certificate; all empty if none.
     *
     * @param caFile empty if clients already trust the authority
     */
    public record CertificateFiles(String certFile, String keyFile, String caFile) {}

    /** Limits per caller. */
    public record RateLimit(int requestsPerMinute, int burst) {}

    /**
     * The hub's own API.
     *
     * @param address empty if disabled
     * @param tlsSecretName Secret with the server certificate; empty for {@code tls}; if both are empty, the hub issues one
     */
    public record Api(
            Optional<ListenAddress> address,
            String tlsSecretName,
            CertificateFiles tls,
            List<String> audiences,
            Duration authCacheTtl,
            long maxBodyBytes,
            RateLimit rateLimit,
            boolean console,
            Duration sessionTtl) {
        public Api {
            audiences = List.copyOf(audiences);
        }

        /** A disabled copy. */
        public Api withoutAddress() {
            return new Api(
                    Optional.empty(),
                    tlsSecretName,
                    tls,
                    audiences,
                    authCacheTtl,
                    maxBodyBytes,
                    rateLimit,
                    console,
                    sessionTtl);
        }

        Api withRateLimit(RateLimit other) {
            return new Api(
                    address, tlsSecretName, tls, audiences, authCacheTtl, maxBodyBytes, other, console, sessionTtl);
        }
    }

    /**
     * Admission webhooks.
     *
     * @param address empty if disabled
     * @param workerUrl URL for worker clusters; empty if none is installed there
     * @param renewAt fraction of a certificate's validity after which it is renewed
     */
    public record Webhooks(
            Optional<ListenAddress> address,
            Optional<URI> workerUrl,
            String managementService,
            Duration validity,
            double renewAt,
            CertificateFiles provided) {
        /** A disabled copy. */
        public Webhooks withoutAddress() {
            return new Webhooks(Optional.empty(), workerUrl, managementService, validity, renewAt, provided);
        }
    }

    /** @param maxTenantSeries maximum number of per-tenant series */
    public record Metrics(ListenAddress address, boolean perTenant, int maxTenantSeries) {
        Metrics withPerTenant(boolean otherPerTenant) {
            return new Metrics(address, otherPerTenant, maxTenantSeries);
        }
    }

    /**
     * @param level {@code error}, {@code warn}, {@code info} or {@code debug}
     * @param levels of single loggers by name
     */
    public record Log(ServiceLog.Format format, String level, Map<String, String> levels) {
        public Log {
            levels = Map.copyOf(levels);
        }
    }

    /** @param endpoint empty to use the environment */
    public record Tracing(boolean enabled, String endpoint, double sampleRatio) {}

    public static HubConfiguration builtInDefaults() {
        return new EffectiveConfiguration(new ConfigurationValues(), null).configuration();
    }

    /** This configuration with the reloadable parts of another. */
    HubConfiguration withReloadable(HubConfiguration next) {
        return new HubConfiguration(
                management,
                tenancy,
                next.defaults,
                next.kubeconfigPolicy,
                replicas,
                render,
                api.withRateLimit(next.api.rateLimit),
                webhooks,
                health,
                metrics.withPerTenant(next.metrics.perTenant),
                next.log,
                tracing,
                auditLog);
    }
}
