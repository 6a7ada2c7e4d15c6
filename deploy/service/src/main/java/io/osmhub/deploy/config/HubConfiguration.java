package io.osmhub.deploy.config;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.osmhub.core.model.IpNetwork;
import io.osmhub.core.model.LabelSelector;
import io.osmhub.core.settings.SettingsLayer;
import io.osmhub.deploy.config.ConfigurationSchema.ByteSize;
import io.osmhub.deploy.log.ServiceLog.Format;
import io.osmhub.tenancy.crds.DefinitionInstaller.InstallPolicy;
import io.osmhub.tenancy.kubeconfig.EgressPolicy.Allowance;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The validated configuration of a hub, with defaults applied. Records and components are the sections and keys of the
 * configuration file; their annotations are its schema, its reference and its defaults.
 */
public record HubConfiguration(
        Management management,
        Tenancy tenancy,
        Kkp kkp,
        SettingsLayer defaults,
        Policy kubeconfigPolicy,
        Replicas replicas,
        Render render,
        Api api,
        Webhooks webhooks,
        Health health,
        Metrics metrics,
        Log log,
        Tracing tracing,
        Audit audit) {

    /** The management cluster. */
    public record Management(
            String kubeconfig, String context, String namespace, Duration requestTimeout, int statusesPerSecond) {}

    /** What happens to a tenant whose kubeconfig Secret is deleted. */
    public enum OnSecretDeleted {
        @JsonProperty("Remove")
        REMOVE,
        @JsonProperty("Pause")
        PAUSE
    }

    /** How tenants are discovered and removed. */
    public record Tenancy(
            String sharedProfileNamespace,
            LabelSelector namespaceSelector,
            InstallPolicy installCRDs,
            Discovery discovery,
            int connectConcurrency,
            int maxConcurrentReconciles,
            Removal removal) {}

    /** Well-known Secrets that register a worker cluster without a label. */
    public record Discovery(boolean clusterAPI) {}

    /** KKP mode: the management cluster is a seed of Kubermatic Kubernetes Platform. */
    public record Kkp(String namespace, KkpKubeconfig kubeconfig) {}

    /** The kubeconfigs of a Cluster of KKP. */
    public enum KkpKubeconfig {
        @JsonProperty("operatingsystemmanager-kubeconfig")
        OPERATING_SYSTEM_MANAGER("operatingsystemmanager-kubeconfig"),
        @JsonProperty("internal-admin-kubeconfig")
        INTERNAL_ADMIN("internal-admin-kubeconfig");

        private final String secret;

        KkpKubeconfig(String secret) {
            this.secret = secret;
        }

        /** Name of the Secret. */
        public String secret() {
            return secret;
        }
    }

    /** Removal of tenants. */
    public record Removal(OnSecretDeleted onSecretDeleted, Duration delay) {}

    /** Which kubeconfigs may be registered. */
    public record Policy(
            List<Allowance> allow,
            List<IpNetwork> denyCIDRs,
            List<IpNetwork> allowCIDRs,
            List<PolicyException> exceptions) {}

    /** Additional features for some namespaces. */
    public record PolicyException(LabelSelector namespaceSelector, List<Allowance> allow) {}

    /** How replicas share the tenants. */
    public enum ReplicaMode {
        /** Each replica holds a member Lease and serves some tenants. */
        @JsonProperty("Sharded")
        SHARDED,
        /** One process, no Lease. */
        @JsonProperty("Single")
        SINGLE
    }

    /** How tenants are distributed, and how soon a dead replica is noticed. */
    public record Replicas(ReplicaMode mode, Duration leaseDuration, Duration renewInterval) {}

    /** Limits of rendering. */
    public record Render(
            ByteSize outputLimit, int stepLimit, int depthLimit, Duration timeLimit, int compiledProfiles) {}

    /** The hub's own API; disabled without an address. */
    public record Api(
            Optional<ListenAddress> address,
            ApiCertificate tls,
            List<String> audiences,
            Duration authCacheTTL,
            ByteSize maxBodySize,
            RateLimit rateLimit,
            boolean console,
            Duration sessionTTL,
            Oidc oidc) {}

    /** Sign-in to the console with an OpenID Connect provider; disabled without an issuer. */
    public record Oidc(
            Optional<URI> issuer,
            String clientId,
            String clientSecretFile,
            Optional<URI> redirectURL,
            List<String> scopes,
            String caFile) {}

    /** The certificate of the API: a Secret, or files, or issued by the hub if all are empty. */
    public record ApiCertificate(String secretName, String certFile, String keyFile) {}

    /** Limits per caller. */
    public record RateLimit(int requestsPerMinute, int burst) {}

    /** Admission webhooks; disabled without an address. */
    public record Webhooks(
            Optional<ListenAddress> address,
            Optional<URI> workerURL,
            String managementService,
            WebhookCertificate certificate) {}

    /** The certificate of the webhooks. */
    public record WebhookCertificate(Duration validity, double renewAt, ProvidedCertificate provided) {}

    /** Files of a certificate of the operator; all empty if the hub issues one. */
    public record ProvidedCertificate(String certFile, String keyFile, String caFile) {}

    /** Health endpoints. */
    public record Health(ListenAddress address) {}

    /** Metrics. */
    public record Metrics(ListenAddress address, boolean perTenant, int maxTenantSeries) {}

    /** The log of the service. */
    public record Log(Format format, String level, Map<String, String> levels) {}

    /** Traces. */
    public record Tracing(boolean enabled, String endpoint, double sampleRatio) {}

    /** The audit log. */
    public record Audit(boolean log) {}

    public static HubConfiguration builtInDefaults() {
        return ConfigurationLoader.withValues(Map.of());
    }

    /** The configuration with other default settings of tenants. */
    public HubConfiguration withDefaults(SettingsLayer settings) {
        return new HubConfiguration(
                management,
                tenancy,
                kkp,
                settings,
                kubeconfigPolicy,
                replicas,
                render,
                api,
                webhooks,
                health,
                metrics,
                log,
                tracing,
                audit);
    }
}
