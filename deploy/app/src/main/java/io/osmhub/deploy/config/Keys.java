package io.osmhub.deploy.config;

import io.osmhub.core.model.IpNetwork;
import io.osmhub.core.model.LabelSelector;
import io.osmhub.core.template.Limits;
import io.osmhub.deploy.config.HubConfiguration.InstallCrds;
import io.osmhub.deploy.config.HubConfiguration.OnSecretDeleted;
import io.osmhub.deploy.config.HubConfiguration.ReplicaMode;
import io.osmhub.deploy.log.ServiceLog;
import io.osmhub.tenancy.kubeconfig.Allowance;
import io.osmhub.tenancy.kubeconfig.KubeconfigPolicy;
import io.osmhub.tenancy.status.StatusLane;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Every key of the configuration, in the order of the file. */
final class Keys {
    static final List<String> LEVELS = List.of("error", "warn", "info", "debug");

    static final Key<String> KUBECONFIG = new Key<>(
                    "management.kubeconfig",
                    Forms.text("path of a file; empty: KUBECONFIG, then ~/.kube/config, then the pod's account"),
                    "",
                    "Kubeconfig of the management cluster.")
            .flag("--kubeconfig");
    static final Key<String> CONTEXT = new Key<>(
                    "management.context",
                    Forms.text("name of a context; empty: the current one"),
                    "",
                    "Context of that kubeconfig.")
            .flag("--context");
    static final Key<String> NAMESPACE = new Key<>(
                    "management.namespace",
                    Forms.namespace(),
                    "osm-hub",
                    "Namespace of the hub's own objects: Leases and certificates. By default that of its pod (POD_NAMESPACE).")
            .flag("--namespace");
    static final Key<Duration> REQUEST_TIMEOUT = new Key<>(
            "management.requestTimeout",
            Forms.duration("1s", "60s"),
            Duration.ofSeconds(10),
            "Time that the management cluster has for one answer.");
    static final Key<Integer> STATUSES_PER_SECOND = new Key<>(
            "management.statusesPerSecond",
            Forms.integer(1, 1000),
            StatusLane.USUAL_RATE,
            "Most statuses that a replica writes in one second. What machines wait for is not counted.");

    static final Key<String> SHARED_PROFILE_NAMESPACE = new Key<>(
            "tenancy.sharedProfileNamespace",
            Forms.namespace(),
            "osm-profiles",
            "Namespace of the profiles that all tenants may use.");
    static final Key<LabelSelector> NAMESPACE_SELECTOR = new Key<>(
            "tenancy.namespaceSelector",
            Forms.selector(),
            LabelSelector.EVERYTHING,
            "Namespaces that may hold a tenant, by their labels.");
    static final Key<InstallCrds> INSTALL_CRDS = new Key<>(
            "tenancy.installCRDs",
            Forms.oneOf(List.of(InstallCrds.values()), InstallCrds::word),
            InstallCrds.IF_ABSENT,
            "When the hub installs its CustomResourceDefinitions.");
    static final Key<Boolean> DISCOVER_KKP = new Key<>(
            "tenancy.discovery.kkp",
            Forms.bool(),
            false,
            "Whether internal-admin-kubeconfig of a KKP cluster namespace registers a worker cluster.");
    static final Key<Boolean> DISCOVER_CLUSTER_API = new Key<>(
            "tenancy.discovery.clusterAPI",
            Forms.bool(),
            false,
            "Whether the kubeconfig Secret of a Cluster API cluster registers a worker cluster.");
    static final Key<Integer> CONNECT_CONCURRENCY = new Key<>(
            "tenancy.connectConcurrency",
            Forms.integer(1, 1024),
            64,
            "How many connections to worker clusters are made at the same time.");
    static final Key<Integer> MAX_CONCURRENT_RECONCILES = new Key<>(
            "tenancy.maxConcurrentReconciles",
            Forms.integer(1, 100),
            25,
            "Most MachineDeployments of one tenant that are worked on at the same time; an upper limit for its settings.");
    static final Key<OnSecretDeleted> ON_SECRET_DELETED = new Key<>(
            "tenancy.removal.onSecretDeleted",
            Forms.oneOf(List.of(OnSecretDeleted.values()), OnSecretDeleted::word),
            OnSecretDeleted.PAUSE,
            "What happens to a tenant whose kubeconfig Secret is deleted. It is always paused; Remove also removes it after removal.delay if a labelled Secret registered it.");
    static final Key<Duration> REMOVAL_DELAY = new Key<>(
            "tenancy.removal.delay",
            Forms.duration("1m", "720h"),
            Duration.ofHours(24),
            "With Remove: how long the Secret is missing before the tenant is removed; nothing is removed when it returns before.");

    static final Key<Defaults> DEFAULTS = new Key<>(
                    "defaults",
                    new DefaultsForm(),
                    Defaults.NONE,
                    "Settings of all tenants that do not say otherwise; the fields are those of WorkerCluster.spec.")
            .changedInPlace();

    static final Key<List<Allowance>> ALLOW = new Key<List<Allowance>>(
                    "kubeconfigPolicy.allow",
                    new Form.Items<>(allowance()),
                    List.of(),
                    "What a registered kubeconfig may do although it weakens the connection or its checks.")
            .changedInPlace();
    static final Key<List<IpNetwork>> DENY_CIDRS = new Key<List<IpNetwork>>(
                    "kubeconfigPolicy.denyCIDRs",
                    new Form.Items<>(Forms.network()),
                    KubeconfigPolicy.DEFAULT.denyCidrs(),
                    "Addresses that no worker cluster may have.")
            .changedInPlace();
    static final Key<List<IpNetwork>> ALLOW_CIDRS = new Key<List<IpNetwork>>(
                    "kubeconfigPolicy.allowCIDRs",
                    new Form.Items<>(Forms.network()),
                    List.of(),
                    "When not empty, the only addresses that a worker cluster may have.")
            .changedInPlace();
    static final Key<List<KubeconfigPolicy.Exemption>> EXCEPTIONS = new Key<List<KubeconfigPolicy.Exemption>>(
                    "kubeconfigPolicy.exceptions",
                    new ExceptionsForm(allowance()),
                    List.of(),
                    "What kubeconfigs in the namespaces with certain labels may do besides.")
            .changedInPlace();

    static final Key<ReplicaMode> REPLICA_MODE = new Key<>(
            "replicas.mode",
            Forms.oneOf(List.of(ReplicaMode.values()), ReplicaMode::word),
            ReplicaMode.SHARDED,
            "Sharded: each replica holds a Lease and serves a part of the tenants. Single: one process, no Lease.");
    static final Key<Duration> LEASE_DURATION = new Key<>(
            "replicas.leaseDuration",
            Forms.duration("5s", "60s"),
            Duration.ofSeconds(15),
            "Time after which a replica that does not renew its Lease counts as dead.");
    static final Key<Duration> RENEW_INTERVAL = new Key<>(
            "replicas.renewInterval",
            Forms.duration("500ms", "30s"),
            Duration.ofSeconds(5),
            "How often a replica renews its Lease; below half of leaseDuration.");

    static final Key<Long> OUTPUT_LIMIT = new Key<>(
            "render.outputLimit",
            Forms.size("4Ki", "64Mi"),
            Limits.DEFAULT.outputBytes(),
            "Largest rendering: all files of a profile together.");
    static final Key<Integer> STEP_LIMIT = new Key<>(
            "render.stepLimit",
            Forms.integer(1000, 1_000_000_000),
            (int) Limits.DEFAULT.steps(),
            "Most steps of one rendering.");
    static final Key<Integer> DEPTH_LIMIT = new Key<>(
            "render.depthLimit",
            Forms.integer(10, 1000),
            Limits.DEFAULT.depth(),
            "How deep templates may call each other.");
    static final Key<Duration> TIME_LIMIT = new Key<>(
            "render.timeLimit",
            Forms.duration("10ms", "60s"),
            Limits.DEFAULT.time(),
            "Longest rendering of one profile for one machine.");
    static final Key<Integer> COMPILED_PROFILES = new Key<>(
            "render.compiledProfiles",
            Forms.integer(1, 100_000),
            2048,
            "How many compiled profiles are kept, by content.");

    static final Key<Optional<ListenAddress>> API_ADDRESS = new Key<>(
                    "api.address",
                    Forms.addressOrOff(),
                    Optional.of(new ListenAddress("", 8443)),
                    "Where the hub's API and console listen.")
            .flag("--api-address");
    static final Key<String> API_TLS_SECRET = new Key<>(
            "api.tls.secretName",
            Forms.objectNameOrEmpty(),
            "",
            "Secret of the hub's namespace with the API's certificate. All of tls empty: one by the hub's own authority.");
    static final Key<String> API_CERT_FILE =
            new Key<>("api.tls.certFile", Forms.text("path of a file"), "", "Certificate of the API in PEM.");
    static final Key<String> API_KEY_FILE =
            new Key<>("api.tls.keyFile", Forms.text("path of a file"), "", "Its private key in PEM.");
    static final Key<List<String>> AUDIENCES = new Key<List<String>>(
            "api.audiences",
            new Form.Items<>(Forms.text("")),
            List.of("osm-hub"),
            "Audiences that a bearer token may be made for.");
    static final Key<Duration> AUTH_CACHE_TTL = new Key<>(
            "api.authCacheTTL",
            Forms.duration("0s", "60s"),
            Duration.ofSeconds(10),
            "How long the management cluster's answer on a caller's identity and rights is believed.");
    static final Key<Long> MAX_BODY_SIZE =
            new Key<>("api.maxBodySize", Forms.size("4Ki", "64Mi"), 2L << 20, "Largest request.");
    static final Key<Integer> REQUESTS_PER_MINUTE = new Key<>(
                    "api.rateLimit.requestsPerMinute",
                    Forms.integer(1, 1_000_000),
                    600,
                    "Most requests of one caller in a minute.")
            .changedInPlace();
    static final Key<Integer> REQUEST_BURST = new Key<>(
                    "api.rateLimit.burst", Forms.integer(1, 1_000_000), 100, "Most requests of one caller at once.")
            .changedInPlace();
    static final Key<Boolean> CONSOLE =
            new Key<>("api.console", Forms.bool(), true, "Whether the API also serves the console.");
    static final Key<Duration> SESSION_TTL = new Key<>(
            "api.sessionTTL", Forms.duration("5m", "168h"), Duration.ofHours(8), "How long one stays signed in.");

    static final Key<Optional<ListenAddress>> WEBHOOK_ADDRESS = new Key<>(
                    "webhooks.address",
                    Forms.addressOrOff(),
                    Optional.of(new ListenAddress("", 9443)),
                    "Where the admission webhooks listen.")
            .flag("--webhook-address");
    static final Key<Optional<URI>> WORKER_URL = new Key<>(
            "webhooks.workerURL",
            Forms.httpsUrlOrEmpty(),
            Optional.empty(),
            "URL at which worker clusters reach the webhooks. Without one, none is installed there.");
    static final Key<String> MANAGEMENT_SERVICE = new Key<>(
            "webhooks.managementService",
            Forms.objectName(),
            "osm-hub-webhook",
            "Service by which the management cluster reaches the webhooks.");
    static final Key<Duration> VALIDITY = new Key<>(
            "webhooks.certificate.validity",
            Forms.days("1d", "825d"),
            Duration.ofDays(90),
            "Life of a webhook certificate.");
    static final Key<Double> RENEW_AT = new Key<>(
            "webhooks.certificate.renewAt",
            Forms.decimal("0.1", "0.95"),
            0.7,
            "Part of its life after which a webhook certificate is renewed.");
    static final Key<String> PROVIDED_CERT_FILE = new Key<>(
            "webhooks.certificate.provided.certFile",
            Forms.text("path of a file"),
            "",
            "Certificate of the webhooks in PEM, in place of one by the hub's own authority.");
    static final Key<String> PROVIDED_KEY_FILE = new Key<>(
            "webhooks.certificate.provided.keyFile", Forms.text("path of a file"), "", "Its private key in PEM.");
    static final Key<String> PROVIDED_CA_FILE = new Key<>(
            "webhooks.certificate.provided.caFile", Forms.text("path of a file"), "", "Its authority in PEM.");

    static final Key<ListenAddress> HEALTH_ADDRESS = new Key<>(
                    "health.address",
                    Forms.address(),
                    new ListenAddress("", 8081),
                    "Where /livez, /readyz and /healthz answer.")
            .flag("--health-address");
    static final Key<ListenAddress> METRICS_ADDRESS = new Key<>(
                    "metrics.address", Forms.address(), new ListenAddress("", 8080), "Where /metrics answers.")
            .flag("--metrics-address");
    static final Key<Boolean> PER_TENANT = new Key<>(
                    "metrics.perTenant", Forms.bool(), false, "Whether some metrics have a series for each tenant.")
            .changedInPlace();
    static final Key<Integer> MAX_TENANT_SERIES = new Key<>(
            "metrics.maxTenantSeries", Forms.integer(1, 1_000_000), 2000, "Most series with a tenant's name.");

    static final Key<ServiceLog.Format> LOG_FORMAT = new Key<>(
                    "log.format",
                    Forms.oneOf(List.of(ServiceLog.Format.values()), format -> format.name()
                            .toLowerCase(Locale.ROOT)),
                    ServiceLog.Format.JSON,
                    "json for programs, console for people.")
            .flag("--log-format")
            .changedInPlace();
    static final Key<String> LOG_LEVEL = new Key<>(
                    "log.level", level(), "info", "From which level on the hub's own lines are written.")
            .flag("--log-level")
            .changedInPlace();
    static final Key<Map<String, String>> LOG_LEVELS = new Key<Map<String, String>>(
                    "log.levels", new LevelsForm(level()), Map.of(), "The same for single loggers, by name.")
            .changedInPlace();

    static final Key<Boolean> TRACING = new Key<>("tracing.enabled", Forms.bool(), false, "Whether traces are sent.");
    static final Key<String> TRACING_ENDPOINT = new Key<>(
            "tracing.endpoint",
            Forms.collectorUrlOrEmpty(),
            "",
            "Where traces are sent. Empty: OTEL_EXPORTER_OTLP_ENDPOINT.");
    static final Key<Double> SAMPLE_RATIO =
            new Key<>("tracing.sampleRatio", Forms.decimal("0", "1"), 0.01, "Part of the runs that is traced.");
    static final Key<Boolean> AUDIT_LOG = new Key<>(
            "audit.log", Forms.bool(), true, "Whether each write through API, command line and console is logged.");

    static final List<Key<?>> ALL = List.of(
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

    private Keys() {}

    private static Form.Scalar<Allowance> allowance() {
        return Forms.oneOf(List.of(Allowance.values()), Allowance::word);
    }

    private static Form.Scalar<String> level() {
        return Forms.oneOf(LEVELS, level -> level);
    }
}
