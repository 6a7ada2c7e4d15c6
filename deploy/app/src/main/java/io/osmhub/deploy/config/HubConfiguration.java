package io.osmhub.deploy.config;

import io.osmhub.core.model.LabelSelector;
import io.osmhub.core.settings.SettingsLayer;
import io.osmhub.core.template.Limits;
import io.osmhub.deploy.log.ServiceLog;
import io.osmhub.tenancy.kubeconfig.KubeconfigPolicy;
import io.osmhub.tenancy.registry.Discovery;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Everything that the operator of a hub can decide, checked and with its defaults. The components are the sections of the
 * configuration file; {@code hub explain config} says what each key means.
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
     * @param kubeconfig path of a file; empty for the usual places
     * @param context empty for the current one
     */
    public record Management(
            String kubeconfig, String context, String namespace, Duration requestTimeout, int statusesPerSecond) {}

    /** When the hub installs its CustomResourceDefinitions. */
    public enum InstallCrds {
        IF_ABSENT("IfAbsent"),
        UPGRADE("Upgrade"),
        NEVER("Never");

        private final String word;

        InstallCrds(String word) {
            this.word = word;
        }

        /** As in the configuration. */
        public String word() {
            return word;
        }
    }

    /** What happens to a tenant whose kubeconfig Secret is deleted. */
    public enum OnSecretDeleted {
        REMOVE("Remove"),
        PAUSE("Pause");

        private final String word;

        OnSecretDeleted(String word) {
            this.word = word;
        }

        /** As in the configuration. */
        public String word() {
            return word;
        }
    }

    /** Which tenants there are and how they come and go. */
    public record Tenancy(
            String sharedProfileNamespace,
            LabelSelector namespaceSelector,
            InstallCrds installCrds,
            Discovery discovery,
            int connectConcurrency,
            int maxConcurrentReconciles,
            OnSecretDeleted onSecretDeleted,
            Duration removalDelay) {}

    /** How replicas share the tenants. */
    public enum ReplicaMode {
        /** Each replica holds a member Lease and serves a part. */
        SHARDED("Sharded"),
        /** One process, no Lease. */
        SINGLE("Single");

        private final String word;

        ReplicaMode(String word) {
            this.word = word;
        }

        /** As in the configuration. */
        public String word() {
            return word;
        }
    }

    /** Who serves which tenants, and how soon a replica that is gone is noticed. */
    public record Replicas(ReplicaMode mode, Duration leaseDuration, Duration renewInterval) {}

    /** @param compiledProfiles how many are kept */
    public record Render(Limits limits, int compiledProfiles) {}

    /**
     * Files of a server certificate; all empty when there are none.
     *
     * @param caFile empty when clients know the authority already
     */
    public record CertificateFiles(String certFile, String keyFile, String caFile) {}

    /** For each caller. */
    public record RateLimit(int requestsPerMinute, int burst) {}

    /**
     * The hub's own API.
     *
     * @param address empty when it is off
     * @param tlsSecretName Secret with the server certificate; empty for {@code tls}, and when that is empty too, the hub makes one
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

        /** The same, switched off. */
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

        Api with(RateLimit other) {
            return new Api(
                    address, tlsSecretName, tls, audiences, authCacheTtl, maxBodyBytes, other, console, sessionTtl);
        }
    }

    /**
     * Admission webhooks.
     *
     * @param address empty when they are off
     * @param workerUrl how worker clusters reach the hub; empty when none is installed there
     * @param renewAt part of a certificate's life after which it is renewed
     */
    public record Webhooks(
            Optional<ListenAddress> address,
            Optional<URI> workerUrl,
            String managementService,
            Duration validity,
            double renewAt,
            CertificateFiles provided) {
        /** The same, switched off. */
        public Webhooks withoutAddress() {
            return new Webhooks(Optional.empty(), workerUrl, managementService, validity, renewAt, provided);
        }
    }

    /** @param maxTenantSeries how many series with a tenant's name there may be */
    public record Metrics(ListenAddress address, boolean perTenant, int maxTenantSeries) {
        Metrics with(boolean otherPerTenant) {
            return new Metrics(address, otherPerTenant, maxTenantSeries);
        }
    }

    /**
     * The log.
     *
     * @param level {@code error}, {@code warn}, {@code info} or {@code debug}
     * @param levels of single loggers by name
     */
    public record Log(ServiceLog.Format format, String level, Map<String, String> levels) {
        public Log {
            levels = Map.copyOf(levels);
        }
    }

    /** @param endpoint empty when the environment names it */
    public record Tracing(boolean enabled, String endpoint, double sampleRatio) {}

    /** What holds when nobody says anything. */
    public static HubConfiguration builtIn() {
        return new EffectiveConfiguration(new Values(), null).configuration();
    }

    /** This configuration with the parts of another one that a running hub takes over. */
    HubConfiguration withInPlace(HubConfiguration next) {
        return new HubConfiguration(
                management,
                tenancy,
                next.defaults,
                next.kubeconfigPolicy,
                replicas,
                render,
                api.with(next.api.rateLimit),
                webhooks,
                health,
                metrics.with(next.metrics.perTenant),
                next.log,
                tracing,
                auditLog);
    }
}
