package io.osmhub.deploy.config;

import io.osmhub.core.model.IpNetwork;
import io.osmhub.core.model.LabelSelector;
import io.osmhub.core.template.Sandbox.RenderLimits;
import io.osmhub.deploy.config.HubConfiguration.InstallCrds;
import io.osmhub.deploy.config.HubConfiguration.OnSecretDeleted;
import io.osmhub.deploy.config.HubConfiguration.ReplicaMode;
import io.osmhub.deploy.log.ServiceLog;
import io.osmhub.tenancy.kubeconfig.EgressPolicy.Allowance;
import io.osmhub.tenancy.kubeconfig.KubeconfigPolicy;
import io.osmhub.tenancy.status.StatusWriter;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** All configuration keys in the order of the file. */
final class ConfigurationKeys {
    static final List<String> LEVELS = List.of("error", "warn", "info", "debug");

    static final ConfigurationKey<String> KUBECONFIG = new ConfigurationKey<>(
                    "management.kubeconfig",
                    ValueTypes.text("path of a file; empty: KUBECONFIG, then ~/.kube/config, then the pod's account"),
                    "",
                    "Kubeconfig of the management cluster.")
            .flag("--kubeconfig");
    static final ConfigurationKey<String> CONTEXT = new ConfigurationKey<>(
                    "management.context",
                    ValueTypes.text("name of a context; empty: the current one"),
                    "",
                    "Context of that kubeconfig.")
            .flag("--context");
    static final ConfigurationKey<String> NAMESPACE = new ConfigurationKey<>(
                    "management.namespace",
                    ValueTypes.namespace(),
                    "osm-hub",
                    "Namespace of the hub's own objects: Leases and certificates. By default that of its pod (POD_NAMESPACE).")
            .flag("--namespace");
    static final ConfigurationKey<Duration> REQUEST_TIMEOUT = new ConfigurationKey<>(
            "management.requestTimeout",
            ValueTypes.duration("1s", "60s"),
            Duration.ofSeconds(10),
            "Timeout of one request to the management cluster.");
    static final ConfigurationKey<Integer> STATUSES_PER_SECOND = new ConfigurationKey<>(
            "management.statusesPerSecond",
            ValueTypes.integer(1, 1000),
            StatusWriter.USUAL_RATE,
            "Maximum statuses that a replica writes per second. Objects that machines wait for are not limited.");

    static final ConfigurationKey<String> SHARED_PROFILE_NAMESPACE = new ConfigurationKey<>(
            "tenancy.sharedProfileNamespace",
            ValueTypes.namespace(),
            "osm-profiles",
            "Namespace of the profiles that all tenants may use.");
    static final ConfigurationKey<LabelSelector> NAMESPACE_SELECTOR = new ConfigurationKey<>(
            "tenancy.namespaceSelector",
            ValueTypes.selector(),
            LabelSelector.EVERYTHING,
            "Label selector of the namespaces that may contain a tenant.");
    static final ConfigurationKey<InstallCrds> INSTALL_CRDS = new ConfigurationKey<>(
            "tenancy.installCRDs",
            ValueTypes.oneOf(List.of(InstallCrds.values()), InstallCrds::configValue),
            InstallCrds.IF_ABSENT,
            "When the hub installs its CustomResourceDefinitions.");
    static final ConfigurationKey<Boolean> DISCOVER_KKP = new ConfigurationKey<>(
            "tenancy.discovery.kkp",
            ValueTypes.bool(),
            false,
            "Whether internal-admin-kubeconfig of a KKP cluster namespace registers a worker cluster.");
    static final ConfigurationKey<Boolean> DISCOVER_CLUSTER_API = new ConfigurationKey<>(
            "tenancy.discovery.clusterAPI",
            ValueTypes.bool(),
            false,
            "Whether the kubeconfig Secret of a Cluster API cluster registers a worker cluster.");
    static final ConfigurationKey<Integer> CONNECT_CONCURRENCY = new ConfigurationKey<>(
            "tenancy.connectConcurrency",
            ValueTypes.integer(1, 1024),
            64,
            "Maximum concurrent connection attempts to worker clusters.");
    static final ConfigurationKey<Integer> MAX_CONCURRENT_RECONCILES = new ConfigurationKey<>(
            "tenancy.maxConcurrentReconciles",
            ValueTypes.integer(1, 100),
            25,
            "Maximum concurrent reconciles of one tenant's MachineDeployments; caps the tenant's own setting.");
    static final ConfigurationKey<OnSecretDeleted> ON_SECRET_DELETED = new ConfigurationKey<>(
            "tenancy.removal.onSecretDeleted",
            ValueTypes.oneOf(List.of(OnSecretDeleted.values()), OnSecretDeleted::configValue),
            OnSecretDeleted.PAUSE,
            "What happens to a tenant whose kubeconfig Secret is deleted. It is always paused; Remove also removes it after removal.delay if a labelled Secret registered it.");
    static final ConfigurationKey<Duration> REMOVAL_DELAY = new ConfigurationKey<>(
            "tenancy.removal.delay",
            ValueTypes.duration("1m", "720h"),
            Duration.ofHours(24),
            "With Remove: how long the Secret must be missing before the tenant is removed.");

    static final ConfigurationKey<TenantDefaults> DEFAULTS = new ConfigurationKey<>(
                    "defaults",
                    new TenantDefaultsType(),
                    TenantDefaults.NONE,
                    "Default settings of all tenants, with the fields of WorkerCluster.spec.")
            .changedInPlace();

    static final ConfigurationKey<List<Allowance>> ALLOW = new ConfigurationKey<List<Allowance>>(
                    "kubeconfigPolicy.allow",
                    new ValueType.ListValue<>(allowance()),
                    List.of(),
                    "Features allowed in registered kubeconfigs although they weaken the connection or its checks.")
            .changedInPlace();
    static final ConfigurationKey<List<IpNetwork>> DENY_CIDRS = new ConfigurationKey<List<IpNetwork>>(
                    "kubeconfigPolicy.denyCIDRs",
                    new ValueType.ListValue<>(ValueTypes.network()),
                    KubeconfigPolicy.DEFAULT.denyCidrs(),
                    "Networks that worker clusters must not be in.")
            .changedInPlace();
    static final ConfigurationKey<List<IpNetwork>> ALLOW_CIDRS = new ConfigurationKey<List<IpNetwork>>(
                    "kubeconfigPolicy.allowCIDRs",
                    new ValueType.ListValue<>(ValueTypes.network()),
                    List.of(),
                    "If not empty, the only networks that worker clusters may be in.")
            .changedInPlace();
    static final ConfigurationKey<List<KubeconfigPolicy.Exemption>> EXCEPTIONS = new ConfigurationKey<
                    List<KubeconfigPolicy.Exemption>>(
                    "kubeconfigPolicy.exceptions",
                    new PolicyExceptionsType(allowance()),
                    List.of(),
                    "Additional features allowed in kubeconfigs of namespaces with certain labels.")
            .changedInPlace();

    static final ConfigurationKey<ReplicaMode> REPLICA_MODE = new ConfigurationKey<>(
            "replicas.mode",
            ValueTypes.oneOf(List.of(ReplicaMode.values()), ReplicaMode::configValue),
            ReplicaMode.SHARDED,
            "Sharded: each replica holds a Lease and serves some of the tenants. Single: one process, no Lease.");
    static final ConfigurationKey<Duration> LEASE_DURATION = new ConfigurationKey<>(
            "replicas.leaseDuration",
            ValueTypes.duration("5s", "60s"),
            Duration.ofSeconds(15),
            "Time after which a replica that does not renew its Lease is considered dead.");
    static final ConfigurationKey<Duration> RENEW_INTERVAL = new ConfigurationKey<>(
            "replicas.renewInterval",
            ValueTypes.duration("500ms", "30s"),
            Duration.ofSeconds(5),
            "Interval between Lease renewals; must be less than half of leaseDuration.");

    static final ConfigurationKey<Long> OUTPUT_LIMIT = new ConfigurationKey<>(
            "render.outputLimit",
            ValueTypes.size("4Ki", "64Mi"),
            RenderLimits.DEFAULT.outputBytes(),
            "Maximum size of one rendering, all files of a profile together.");
    static final ConfigurationKey<Integer> STEP_LIMIT = new ConfigurationKey<>(
            "render.stepLimit",
            ValueTypes.integer(1000, 1_000_000_000),
            (int) RenderLimits.DEFAULT.steps(),
            "Maximum steps of one rendering.");
    static final ConfigurationKey<Integer> DEPTH_LIMIT = new ConfigurationKey<>(
            "render.depthLimit",
            ValueTypes.integer(10, 1000),
            RenderLimits.DEFAULT.depth(),
            "Maximum nesting of template calls.");
    static final ConfigurationKey<Duration> TIME_LIMIT = new ConfigurationKey<>(
            "render.timeLimit",
            ValueTypes.duration("10ms", "60s"),
            RenderLimits.DEFAULT.time(),
            "Maximum duration of rendering one profile for one machine.");
    static final ConfigurationKey<Integer> COMPILED_PROFILES = new ConfigurationKey<>(
            "render.compiledProfiles", ValueTypes.integer(1, 100_000), 2048, "Size of the cache of compiled profiles.");

    static final ConfigurationKey<Optional<ListenAddress>> API_ADDRESS = new ConfigurationKey<>(
                    "api.address",
                    ValueTypes.addressOrOff(),
                    Optional.of(new ListenAddress("", 8443)),
                    "Address of the hub's API and console.")
            .flag("--api-address");
    static final ConfigurationKey<String> API_TLS_SECRET = new ConfigurationKey<>(
            "api.tls.secretName",
            ValueTypes.objectNameOrEmpty(),
            "",
            "Secret in the hub's namespace with the API's certificate. If all of tls is empty, the hub issues one.");
    static final ConfigurationKey<String> API_CERT_FILE = new ConfigurationKey<>(
            "api.tls.certFile", ValueTypes.text("path of a file"), "", "Certificate of the API in PEM.");
    static final ConfigurationKey<String> API_KEY_FILE =
            new ConfigurationKey<>("api.tls.keyFile", ValueTypes.text("path of a file"), "", "Its private key in PEM.");
    static final ConfigurationKey<List<String>> AUDIENCES = new ConfigurationKey<List<String>>(
            "api.audiences",
            new ValueType.ListValue<>(ValueTypes.text("")),
            List.of("osm-hub"),
            "Accepted audiences of bearer tokens.");
    static final ConfigurationKey<Duration> AUTH_CACHE_TTL = new ConfigurationKey<>(
            "api.authCacheTTL",
            ValueTypes.duration("0s", "60s"),
            Duration.ofSeconds(10),
            "How long a caller's identity and permissions are cached.");
    static final ConfigurationKey<Long> MAX_BODY_SIZE = new ConfigurationKey<>(
            "api.maxBodySize", ValueTypes.size("4Ki", "64Mi"), 2L << 20, "Maximum size of a request.");
    static final ConfigurationKey<Integer> REQUESTS_PER_MINUTE = new ConfigurationKey<>(
                    "api.rateLimit.requestsPerMinute",
                    ValueTypes.integer(1, 1_000_000),
                    600,
                    "Maximum requests of one caller per minute.")
            .changedInPlace();
    static final ConfigurationKey<Integer> REQUEST_BURST = new ConfigurationKey<>(
                    "api.rateLimit.burst",
                    ValueTypes.integer(1, 1_000_000),
                    100,
                    "Maximum burst of requests of one caller.")
            .changedInPlace();
    static final ConfigurationKey<Boolean> CONSOLE =
            new ConfigurationKey<>("api.console", ValueTypes.bool(), true, "Whether the API also serves the console.");
    static final ConfigurationKey<Duration> SESSION_TTL = new ConfigurationKey<>(
            "api.sessionTTL", ValueTypes.duration("5m", "168h"), Duration.ofHours(8), "Lifetime of a console session.");

    static final ConfigurationKey<Optional<ListenAddress>> WEBHOOK_ADDRESS = new ConfigurationKey<>(
                    "webhooks.address",
                    ValueTypes.addressOrOff(),
                    Optional.of(new ListenAddress("", 9443)),
                    "Address of the admission webhooks.")
            .flag("--webhook-address");
    static final ConfigurationKey<Optional<URI>> WORKER_URL = new ConfigurationKey<>(
            "webhooks.workerURL",
            ValueTypes.httpsUrlOrEmpty(),
            Optional.empty(),
            "URL at which worker clusters reach the webhooks. If empty, no webhook is installed there.");
    static final ConfigurationKey<String> MANAGEMENT_SERVICE = new ConfigurationKey<>(
            "webhooks.managementService",
            ValueTypes.objectName(),
            "osm-hub-webhook",
            "Service by which the management cluster reaches the webhooks.");
    static final ConfigurationKey<Duration> VALIDITY = new ConfigurationKey<>(
            "webhooks.certificate.validity",
            ValueTypes.days("1d", "825d"),
            Duration.ofDays(90),
            "Validity of a webhook certificate.");
    static final ConfigurationKey<Double> RENEW_AT = new ConfigurationKey<>(
            "webhooks.certificate.renewAt",
            ValueTypes.decimal("0.1", "0.95"),
            0.7,
            "Fraction of its validity after which a webhook certificate is renewed.");
    static final ConfigurationKey<String> PROVIDED_CERT_FILE = new ConfigurationKey<>(
            "webhooks.certificate.provided.certFile",
            ValueTypes.text("path of a file"),
            "",
            "Certificate of the webhooks in PEM; if empty, the hub issues one.");
    static final ConfigurationKey<String> PROVIDED_KEY_FILE = new ConfigurationKey<>(
            "webhooks.certificate.provided.keyFile", ValueTypes.text("path of a file"), "", "Its private key in PEM.");
    static final ConfigurationKey<String> PROVIDED_CA_FILE = new ConfigurationKey<>(
            "webhooks.certificate.provided.caFile",
            ValueTypes.text("path of a file"),
            "",
            "Its certificate authority in PEM.");

    static final ConfigurationKey<ListenAddress> HEALTH_ADDRESS = new ConfigurationKey<>(
                    "health.address",
                    ValueTypes.address(),
                    new ListenAddress("", 8081),
                    "Address of /livez, /readyz and /healthz.")
            .flag("--health-address");
    static final ConfigurationKey<ListenAddress> METRICS_ADDRESS = new ConfigurationKey<>(
                    "metrics.address", ValueTypes.address(), new ListenAddress("", 8080), "Address of /metrics.")
            .flag("--metrics-address");
    static final ConfigurationKey<Boolean> PER_TENANT = new ConfigurationKey<>(
                    "metrics.perTenant", ValueTypes.bool(), false, "Whether some metrics have a series per tenant.")
            .changedInPlace();
    static final ConfigurationKey<Integer> MAX_TENANT_SERIES = new ConfigurationKey<>(
            "metrics.maxTenantSeries", ValueTypes.integer(1, 1_000_000), 2000, "Maximum number of per-tenant series.");

    static final ConfigurationKey<ServiceLog.Format> LOG_FORMAT = new ConfigurationKey<>(
                    "log.format",
                    ValueTypes.oneOf(List.of(ServiceLog.Format.values()), format -> format.name()
                            .toLowerCase(Locale.ROOT)),
                    ServiceLog.Format.JSON,
                    "Log format: json for programs, console for terminals.")
            .flag("--log-format")
            .changedInPlace();
    static final ConfigurationKey<String> LOG_LEVEL = new ConfigurationKey<>(
                    "log.level", level(), "info", "Minimum level of the hub's own log lines.")
            .flag("--log-level")
            .changedInPlace();
    static final ConfigurationKey<Map<String, String>> LOG_LEVELS = new ConfigurationKey<Map<String, String>>(
                    "log.levels", new LogLevelsType(level()), Map.of(), "Minimum level of single loggers, by name.")
            .changedInPlace();

    static final ConfigurationKey<Boolean> TRACING =
            new ConfigurationKey<>("tracing.enabled", ValueTypes.bool(), false, "Whether traces are sent.");
    static final ConfigurationKey<String> TRACING_ENDPOINT = new ConfigurationKey<>(
            "tracing.endpoint",
            ValueTypes.collectorUrlOrEmpty(),
            "",
            "Endpoint of the trace collector; if empty, OTEL_EXPORTER_OTLP_ENDPOINT.");
    static final ConfigurationKey<Double> SAMPLE_RATIO = new ConfigurationKey<>(
            "tracing.sampleRatio", ValueTypes.decimal("0", "1"), 0.01, "Fraction of runs that is traced.");
    static final ConfigurationKey<Boolean> AUDIT_LOG = new ConfigurationKey<>(
            "audit.log", ValueTypes.bool(), true, "Whether writes through API, command line and console are logged.");

    static final List<ConfigurationKey<?>> ALL = List.of(
            KUBECONFIG,
            CONTEXT,
            NAMESPACE,
            REQUEST_TIMEOUT,
            STATUSES_PER_SECOND,
            SHARED_PROFILE_NAMESPACE,
            NAMESPACE_SELECTOR,
            INSTALL_CRDS,
            DISCOVER_KKP,
            DISCOVER_CLUSTER_API,
            CONNECT_CONCURRENCY,
            MAX_CONCURRENT_RECONCILES,
            ON_SECRET_DELETED,
            REMOVAL_DELAY,
            DEFAULTS,
            ALLOW,
            DENY_CIDRS,
            ALLOW_CIDRS,
            EXCEPTIONS,
            REPLICA_MODE,
            LEASE_DURATION,
            RENEW_INTERVAL,
            OUTPUT_LIMIT,
            STEP_LIMIT,
            DEPTH_LIMIT,
            TIME_LIMIT,
            COMPILED_PROFILES,
            API_ADDRESS,
            API_TLS_SECRET,
            API_CERT_FILE,
            API_KEY_FILE,
            AUDIENCES,
            AUTH_CACHE_TTL,
            MAX_BODY_SIZE,
            REQUESTS_PER_MINUTE,
            REQUEST_BURST,
            CONSOLE,
            SESSION_TTL,
            WEBHOOK_ADDRESS,
            WORKER_URL,
            MANAGEMENT_SERVICE,
            VALIDITY,
            RENEW_AT,
            PROVIDED_CERT_FILE,
            PROVIDED_KEY_FILE,
            PROVIDED_CA_FILE,
            HEALTH_ADDRESS,
            METRICS_ADDRESS,
            PER_TENANT,
            MAX_TENANT_SERIES,
            LOG_FORMAT,
            LOG_LEVEL,
            LOG_LEVELS,
            TRACING,
            TRACING_ENDPOINT,
            SAMPLE_RATIO,
            AUDIT_LOG);

    private ConfigurationKeys() {}

    private static ValueType.ScalarValue<Allowance> allowance() {
        return ValueTypes.oneOf(List.of(Allowance.values()), Allowance::wireName);
    }

    private static ValueType.ScalarValue<String> level() {
        return ValueTypes.oneOf(LEVELS, level -> level);
    }
}
