package io.osmhub.deploy.config;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.osmhub.core.model.IpNetwork;
import io.osmhub.core.model.LabelSelector;
import io.osmhub.core.resource.NameRules.NamespaceName;
import io.osmhub.core.resource.NameRules.ObjectName;
import io.osmhub.core.resource.NameRules.ObjectNameOrEmpty;
import io.osmhub.core.schema.FieldAnnotations.AllowedValues;
import io.osmhub.core.schema.FieldAnnotations.DecimalLimits;
import io.osmhub.core.schema.FieldAnnotations.DefaultValue;
import io.osmhub.core.schema.FieldAnnotations.DurationLimits;
import io.osmhub.core.schema.FieldAnnotations.FieldDescription;
import io.osmhub.core.schema.FieldAnnotations.NumberLimits;
import io.osmhub.core.schema.FieldAnnotations.TextLimits;
import io.osmhub.core.settings.SettingsLayer;
import io.osmhub.deploy.config.ConfigurationKey.CommandLineOption;
import io.osmhub.deploy.config.ConfigurationKey.Reloadable;
import io.osmhub.deploy.config.ConfigurationSchema.ByteSize;
import io.osmhub.deploy.log.ServiceLog.Format;
import io.osmhub.tenancy.crds.DefinitionInstaller.InstallPolicy;
import io.osmhub.tenancy.kubeconfig.EgressPolicy.Allowance;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
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
        @DefaultValue("{}") Management management,
        @DefaultValue("{}") Tenancy tenancy,
        @DefaultValue("{}") Kkp kkp,

        @Reloadable
        @FieldDescription("Default settings of all tenants, with the fields of WorkerCluster.spec.")
        @DefaultValue("{}")
        SettingsLayer defaults,

        @DefaultValue("{}") Policy kubeconfigPolicy,
        @DefaultValue("{}") Replicas replicas,
        @DefaultValue("{}") Render render,
        @DefaultValue("{}") Api api,
        @DefaultValue("{}") Webhooks webhooks,
        @DefaultValue("{}") Health health,
        @DefaultValue("{}") Metrics metrics,
        @DefaultValue("{}") Log log,
        @DefaultValue("{}") Tracing tracing,
        @DefaultValue("{}") Audit audit) {

    /** A text in one line. */
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.TYPE_USE)
    @TextLimits(pattern = "^[^\\x00-\\x1f\\x7f]*$", form = "one line")
    @interface OneLine {}

    /** The management cluster. */
    public record Management(
            @CommandLineOption("--kubeconfig")
            @FieldDescription(
                    "Kubeconfig of the management cluster: path of a file. If empty, KUBECONFIG, then ~/.kube/config, then the account of the pod.")
            @DefaultValue("")
            @OneLine
            String kubeconfig,

            @CommandLineOption("--context")
            @FieldDescription("Context of that kubeconfig; if empty, the current one.")
            @DefaultValue("")
            @OneLine
            String context,

            @CommandLineOption("--namespace")
            @FieldDescription(
                    "Namespace of the hub's own objects: Leases and certificates. By default that of its pod (POD_NAMESPACE).")
            @DefaultValue("osm-hub")
            @NamespaceName
            String namespace,

            @FieldDescription("Timeout of one request to the management cluster.")
            @DefaultValue("10s")
            @DurationLimits(shortest = "1s", longest = "60s")
            Duration requestTimeout,

            @FieldDescription(
                    "Maximum statuses that a replica writes per second. Objects that machines wait for are not limited.")
            @DefaultValue("80")
            @NumberLimits(min = 1, max = 1000)
            int statusesPerSecond) {}

    /** What happens to a tenant whose kubeconfig Secret is deleted. */
    public enum OnSecretDeleted {
        @JsonProperty("Remove")
        REMOVE,
        @JsonProperty("Pause")
        PAUSE
    }

    /** How tenants are discovered and removed. */
    public record Tenancy(
            @FieldDescription("Namespace of the profiles that all tenants may use.")
            @DefaultValue("osm-profiles")
            @NamespaceName
            String sharedProfileNamespace,

            @FieldDescription("Label selector of the namespaces that may contain a tenant; if empty, all.")
            @DefaultValue("")
            LabelSelector namespaceSelector,

            @FieldDescription("When the hub installs its CustomResourceDefinitions.") @DefaultValue("IfAbsent")
            InstallPolicy installCRDs,

            @DefaultValue("{}") Discovery discovery,

            @FieldDescription("Maximum concurrent connection attempts to worker clusters.")
            @DefaultValue("64")
            @NumberLimits(min = 1, max = 1024)
            int connectConcurrency,

            @FieldDescription(
                    "Maximum concurrent reconciles of one tenant's MachineDeployments; caps the tenant's own setting.")
            @DefaultValue("25")
            @NumberLimits(min = 1, max = 100)
            int maxConcurrentReconciles,

            @DefaultValue("{}") Removal removal) {}

    /** Well-known Secrets that register a worker cluster without a label. */
    public record Discovery(
            @FieldDescription("Whether the kubeconfig Secret of a Cluster API cluster registers a worker cluster.")
            @DefaultValue("false")
            boolean clusterAPI) {}

    /** KKP mode: the management cluster is a seed of Kubermatic Kubernetes Platform. */
    public record Kkp(
            @FieldDescription(
                    "Namespace of KKP's Seed and KubermaticConfiguration, usually kubermatic. If set, every Cluster of KKP is a tenant and gets its settings from KKP's objects.")
            @DefaultValue("")
            @ObjectNameOrEmpty
            String namespace,

            @FieldDescription(
                    "Secret of each Cluster's namespace with the kubeconfig. internal-admin-kubeconfig is in system:masters; use it only if the other's permissions do not suffice.")
            @DefaultValue("operatingsystemmanager-kubeconfig")
            KkpKubeconfig kubeconfig) {}

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
    public record Removal(
            @FieldDescription(
                    "What happens to a tenant whose kubeconfig Secret is deleted. It is always paused; Remove also removes it after removal.delay if a labelled Secret registered it.")
            @DefaultValue("Pause")
            OnSecretDeleted onSecretDeleted,

            @FieldDescription("With Remove: how long the Secret must be missing before the tenant is removed.")
            @DefaultValue("24h")
            @DurationLimits(shortest = "1m", longest = "720h")
            Duration delay) {}

    /** Which kubeconfigs may be registered. */
    public record Policy(
            @Reloadable
            @FieldDescription(
                    "Features allowed in registered kubeconfigs although they weaken the connection or its checks.")
            @DefaultValue("[]")
            List<Allowance> allow,

            @Reloadable
            @FieldDescription("Networks that worker clusters must not be in.")
            @DefaultValue(
                    "[\"169.254.0.0/16\", \"fe80::/10\", \"127.0.0.0/8\", \"::1/128\", \"100.100.100.200/32\", \"fd00:ec2::254/128\"]")
            List<IpNetwork> denyCIDRs,

            @Reloadable
            @FieldDescription("If not empty, the only networks that worker clusters may be in.")
            @DefaultValue("[]")
            List<IpNetwork> allowCIDRs,

            @Reloadable
            @FieldDescription("Additional features allowed in kubeconfigs of namespaces with certain labels.")
            @DefaultValue("[]")
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
    public record Replicas(
            @FieldDescription(
                    "Sharded: each replica holds a Lease and serves some of the tenants. Single: one process, no Lease.")
            @DefaultValue("Sharded")
            ReplicaMode mode,

            @FieldDescription("Time after which a replica that does not renew its Lease is considered dead.")
            @DefaultValue("15s")
            @DurationLimits(shortest = "5s", longest = "60s")
            Duration leaseDuration,

            @FieldDescription("Interval between Lease renewals; must be less than half of leaseDuration.")
            @DefaultValue("5s")
            @DurationLimits(shortest = "500ms", longest = "30s")
            Duration renewInterval) {}

    /** Limits of rendering. */
    public record Render(
            @FieldDescription("Maximum size of one rendering, all files of a profile together.") @DefaultValue("4Mi")
            ByteSize outputLimit,

            @FieldDescription("Maximum steps of one rendering.")
            @DefaultValue("5000000")
            @NumberLimits(min = 1000, max = 1_000_000_000)
            int stepLimit,

            @FieldDescription("Maximum nesting of template calls.")
            @DefaultValue("200")
            @NumberLimits(min = 10, max = 1000)
            int depthLimit,

            @FieldDescription("Maximum duration of rendering one profile for one machine.")
            @DefaultValue("2s")
            @DurationLimits(shortest = "10ms", longest = "60s")
            Duration timeLimit,

            @FieldDescription("Size of the cache of compiled profiles.")
            @DefaultValue("2048")
            @NumberLimits(min = 1, max = 100_000)
            int compiledProfiles) {}

    /** The hub's own API; disabled without an address. */
    public record Api(
            @CommandLineOption("--api-address")
            @FieldDescription("Address of the hub's API and console; if empty, they are disabled.")
            @DefaultValue(":8443")
            Optional<ListenAddress> address,

            @DefaultValue("{}") ApiCertificate tls,

            @FieldDescription("Accepted audiences of bearer tokens.") @DefaultValue("[\"osm-hub\"]")
            List<@OneLine String> audiences,

            @FieldDescription("How long a caller's identity and permissions are cached.")
            @DefaultValue("10s")
            @DurationLimits(shortest = "0s", longest = "60s")
            Duration authCacheTTL,

            @FieldDescription("Maximum size of a request.") @DefaultValue("2Mi")
            ByteSize maxBodySize,

            @DefaultValue("{}") RateLimit rateLimit,

            @FieldDescription("Whether the API also serves the console.") @DefaultValue("true")
            boolean console,

            @FieldDescription("Lifetime of a console session.")
            @DefaultValue("8h")
            @DurationLimits(shortest = "5m", longest = "168h")
            Duration sessionTTL,

            @DefaultValue("{}") Oidc oidc) {}

    /** Sign-in to the console with an OpenID Connect provider; disabled without an issuer. */
    public record Oidc(
            @FieldDescription(
                    "URL of the OpenID Connect issuer, exactly as the management API server trusts it. If empty, users sign in with tokens only.")
            @DefaultValue("")
            Optional<URI> issuer,

            @FieldDescription(
                    "Client of the hub at the issuer; an audience that the management API server accepts for this issuer.")
            @DefaultValue("")
            @OneLine
            String clientId,

            @FieldDescription("File with the client's secret. If empty, the client is public.")
            @DefaultValue("")
            @OneLine
            String clientSecretFile,

            @FieldDescription(
                    "Redirect URL of the client, https://HUB/signin/oidc/callback with the host and port that browsers use. Users sign in with the issuer at this host only.")
            @DefaultValue("")
            Optional<URI> redirectURL,

            @FieldDescription("Requested scopes.") @DefaultValue("[\"openid\",\"email\"]")
            List<@OneLine String> scopes,

            @FieldDescription("File with the CA certificates of the issuer in PEM. If empty, the system's are trusted.")
            @DefaultValue("")
            @OneLine
            String caFile) {}

    /** The certificate of the API: a Secret, or files, or issued by the hub if all are empty. */
    public record ApiCertificate(
            @FieldDescription(
                    "Secret in the hub's namespace with the API's certificate; permit the hub's account to list and watch it. If all of tls is empty, the hub issues one.")
            @DefaultValue("")
            @ObjectNameOrEmpty
            String secretName,

            @FieldDescription("Certificate of the API in PEM: path of a file.") @DefaultValue("") @OneLine
            String certFile,

            @FieldDescription("Its private key in PEM: path of a file.") @DefaultValue("") @OneLine
            String keyFile) {}

    /** Limits per caller. */
    public record RateLimit(
            @Reloadable
            @FieldDescription("Maximum requests of one caller per minute.")
            @DefaultValue("600")
            @NumberLimits(min = 1, max = 1_000_000)
            int requestsPerMinute,

            @Reloadable
            @FieldDescription("Maximum burst of requests of one caller.")
            @DefaultValue("100")
            @NumberLimits(min = 1, max = 1_000_000)
            int burst) {}

    /** Admission webhooks; disabled without an address. */
    public record Webhooks(
            @CommandLineOption("--webhook-address")
            @FieldDescription("Address of the admission webhooks; if empty, they are disabled.")
            @DefaultValue(":9443")
            Optional<ListenAddress> address,

            @FieldDescription(
                    "URL at which worker clusters reach the webhooks. If empty, no webhook is installed there.")
            @DefaultValue("")
            Optional<URI> workerURL,

            @FieldDescription("Service by which the management cluster reaches the webhooks.")
            @DefaultValue("osm-hub-webhook")
            @ObjectName
            String managementService,

            @DefaultValue("{}") WebhookCertificate certificate) {}

    /** The certificate of the webhooks. */
    public record WebhookCertificate(
            @FieldDescription("Validity of a webhook certificate.")
            @DefaultValue("90d")
            @DurationLimits(shortest = "1d", longest = "825d")
            Duration validity,

            @FieldDescription("Fraction of its validity after which a webhook certificate is renewed.")
            @DefaultValue("0.7")
            @DecimalLimits(min = 0.1, max = 0.95)
            double renewAt,

            @DefaultValue("{}") ProvidedCertificate provided) {}

    /** Files of a certificate of the operator; all empty if the hub issues one. */
    public record ProvidedCertificate(
            @FieldDescription("Certificate of the webhooks in PEM: path of a file. If empty, the hub issues one.")
            @DefaultValue("")
            @OneLine
            String certFile,

            @FieldDescription("Its private key in PEM: path of a file.") @DefaultValue("") @OneLine
            String keyFile,

            @FieldDescription("Its certificate authority in PEM: path of a file.") @DefaultValue("") @OneLine
            String caFile) {}

    /** Health endpoints. */
    public record Health(
            @CommandLineOption("--health-address")
            @FieldDescription("Address of /livez, /readyz and /healthz.")
            @DefaultValue(":8081")
            ListenAddress address) {}

    /** Metrics. */
    public record Metrics(
            @CommandLineOption("--metrics-address") @FieldDescription("Address of /metrics.") @DefaultValue(":8080")
            ListenAddress address,

            @Reloadable @FieldDescription("Whether some metrics have a series per tenant.") @DefaultValue("false")
            boolean perTenant,

            @FieldDescription("Maximum number of per-tenant series.")
            @DefaultValue("2000")
            @NumberLimits(min = 1, max = 1_000_000)
            int maxTenantSeries) {}

    /** The log of the service. */
    public record Log(
            @Reloadable
            @CommandLineOption("--log-format")
            @FieldDescription("Log format: json for programs, console for terminals.")
            @DefaultValue("json")
            Format format,

            @Reloadable
            @CommandLineOption("--log-level")
            @FieldDescription("Minimum level of the hub's own log lines.")
            @DefaultValue("info")
            @AllowedValues({"error", "warn", "info", "debug"})
            String level,

            @Reloadable @FieldDescription("Minimum level of single loggers, by name.") @DefaultValue("{}")
            Map<String, @AllowedValues({"error", "warn", "info", "debug"}) String> levels) {}

    /** Traces. */
    public record Tracing(
            @FieldDescription("Whether traces are sent.") @DefaultValue("false")
            boolean enabled,

            @FieldDescription("Endpoint of the trace collector; if empty, OTEL_EXPORTER_OTLP_ENDPOINT.")
            @DefaultValue("")
            @TextLimits(
                    pattern = "^(https?://[^@\\s/]+(/[^@\\s]*)?)?$",
                    form = "an http or https URL without a user, such as http://localhost:4317")
            String endpoint,

            @FieldDescription("Fraction of runs that is traced.") @DefaultValue("0.01") @DecimalLimits(min = 0, max = 1)
            double sampleRatio) {}

    /** The audit log. */
    public record Audit(
            @FieldDescription("Whether writes through API, command line and console are logged.") @DefaultValue("true")
            boolean log) {}

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
