package io.osmhub.deploy.run;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.osmhub.api.ops.HealthChecks;
import io.osmhub.api.ops.OpsServer;
import io.osmhub.core.model.Sensitive;
import io.osmhub.core.problem.Problem;
import io.osmhub.deploy.config.HubConfiguration;
import io.osmhub.deploy.config.HubConfiguration.ReplicaMode;
import io.osmhub.deploy.config.ListenAddress;
import io.osmhub.deploy.dropin.ControllerFlags;
import io.osmhub.tenancy.Hub;
import io.osmhub.tenancy.Hub.HubDependencies;
import io.osmhub.tenancy.Hub.StoredObjectListeners;
import io.osmhub.tenancy.OperatorWorkerCluster;
import io.osmhub.tenancy.admission.AdmissionEndpoint;
import io.osmhub.tenancy.admission.AdmissionView;
import io.osmhub.tenancy.client.ApiClient;
import io.osmhub.tenancy.client.ManagementAccess;
import io.osmhub.tenancy.connection.ServerAccessFactory;
import io.osmhub.tenancy.connection.StaticConnection;
import io.osmhub.tenancy.kubeconfig.EgressPolicy;
import io.osmhub.tenancy.kubeconfig.KubeconfigPolicy;
import io.osmhub.tenancy.kubeconfig.KubeconfigValidator;
import io.osmhub.tenancy.kubeconfig.KubeconfigValidator.KubeconfigValidation;
import io.osmhub.tenancy.kubeconfig.ValidatedKubeconfig;
import io.osmhub.tenancy.lease.LeaseConfig;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import io.osmhub.workersync.apiserver.KubeApi;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The complete service, from sockets to tenants, as run by {@code hub run} and {@code hub controller}. A process may contain
 * several.
 */
public final class HubService implements AutoCloseable {
    private static final Duration STUCK = Duration.ofSeconds(10);
    private static final Duration STALLED = Duration.ofMinutes(5);
    /** Name of the drop-in mode's only worker cluster in messages. */
    private static final String DROP_IN = "worker";

    private final ServiceRuntime runtime;
    private final Leadership leadership;
    private final Hub hub;
    private final HubSettingsFactory applySettings;
    private final @Nullable AdmissionParts admitted;
    private final @Nullable ApiService api;
    private final OpsServer ops;
    private final boolean constantHealth;
    private volatile HubConfiguration.Metrics metrics;
    private volatile boolean answering;
    private volatile boolean stopping;

    private record Composed(
            Hub hub,
            Leadership leadership,
            @Nullable AdmissionParts admitted,
            @Nullable ApiService api) {}

    private record AdmissionParts(AdmissionService service, AdmissionView view) {}

    /** Creates the serving part on top of the runtime. */
    @FunctionalInterface
    private interface Composition {
        Composed compose(ServiceRuntime runtime, ApiClient management, HubSettingsFactory settings);
    }

    /**
     * {@code hub run}: starts to serve the tenants of a management cluster, or that cluster itself.
     *
     * @param replica name of this replica
     * @throws IOException if the configuration cannot be used; the message is for users
     */
    public static HubService run(HubConfiguration configuration, boolean single, String replica) throws IOException {
        if (configuration.api().address().isPresent()
                || configuration.webhooks().address().isPresent()) {
            ServiceRuntime.loadCryptography();
        }
        ManagementAccess access = access(configuration);
        return new HubService(configuration, access, single, false, replica, (runtime, management, settings) -> {
            String namespace = configuration.management().namespace();
            Leadership leadership = configuration.replicas().mode() == ReplicaMode.SINGLE
                    ? new Leadership.ElectedReplica(runtime.inFlightWrites())
                    : new Leadership.ShardedReplica(
                            management.api(),
                            LeaseConfig.ofMember(namespace, replica, holder(replica), ApiService.podUid())
                                    .withTimes(
                                            configuration.replicas().leaseDuration(),
                                            configuration.replicas().renewInterval()),
                            runtime.inFlightWrites(),
                            runtime.runtimeContext());
            LateReference<Hub> made = new LateReference<>();
            HubDependencies parts =
                    runtime.parts(management.api(), access.server().toString(), leadership, tenant -> made.get()
                            .egress(tenant));
            HubServingCertificate certificates =
                    new HubServingCertificate(configuration, management.api(), leadership::mayWrite, runtime);
            AdmissionService admission =
                    new AdmissionService(configuration, management.api(), leadership::mayWrite, certificates, runtime);
            ApiService api = new ApiService(
                    configuration, management.api(), certificates, admission, runtime, leadership, made::get);
            Hub hub = made.set(new Hub(
                    parts,
                    settings.of(configuration),
                    single
                            ? new OperatorWorkerCluster(
                                    new StaticConnection.StaticWorkerCluster(
                                            management.api(), access.server().toString(), "", access.authorities()),
                                    null)
                            : null,
                    configuration.api().address().isPresent() ? api.stored() : StoredObjectListeners.noop(),
                    admission.endpoint()));
            return new Composed(hub, leadership, new AdmissionParts(admission, hub.admission()), api);
        });
    }

    /**
     * {@code hub controller}: starts to serve the worker cluster of the flags.
     *
     * @throws IOException if the flags cannot be used; the message is for users
     */
    public static HubService dropIn(ControllerFlags flags, String replica) throws IOException {
        HubConfiguration configuration = flags.configuration();
        ManagementAccess access = access(configuration);
        Optional<ValidatedKubeconfig> workerFile =
                flags.workerClusterKubeconfig().isEmpty()
                        ? Optional.empty()
                        : Optional.of(vetted(Path.of(flags.workerClusterKubeconfig())));
        return new HubService(configuration, access, true, true, replica, (runtime, management, settings) -> {
            StaticConnection.StaticWorkerCluster worker = workerFile
                    .map(file -> worker(runtime, file))
                    .orElseGet(() -> new StaticConnection.StaticWorkerCluster(
                            management.api(), access.server().toString(), "", access.authorities()));
            Leadership.ElectedReplica leadership = new Leadership.ElectedReplica(runtime.inFlightWrites());
            // Other hubs take a holder that begins with osm-hub_ for one of them, not for OSM or what runs in its
            // place.
            String holder = "controller-" + holder(replica);
            if (flags.leaderElect()) {
                leadership.addLease(
                        management.api(),
                        LeaseConfig.ofDefaults(flags.namespace(), "operating-system-manager", holder),
                        runtime.runtimeContext());
                if (workerFile.isPresent()) {
                    leadership.addLease(
                            worker.api(),
                            LeaseConfig.ofDefaults("kube-system", "operating-system-manager-worker-manager", holder),
                            runtime.runtimeContext());
                }
            }
            HubDependencies parts =
                    runtime.parts(management.api(), access.server().toString(), leadership, HubService::anyAddress);
            Hub hub = new Hub(
                    parts,
                    settings.of(configuration),
                    new OperatorWorkerCluster(worker, WorkerClusterRecord.fixed(flags.namespace(), DROP_IN)),
                    StoredObjectListeners.noop(),
                    AdmissionEndpoint.NONE);
            return new Composed(hub, leadership, null, null);
        });
    }

    private HubService(
            HubConfiguration configuration,
            ManagementAccess access,
            boolean single,
            boolean constantHealth,
            String replica,
            Composition composition)
            throws IOException {
        this.constantHealth = constantHealth;
        applySettings = new HubSettingsFactory(access.server(), System.getenv(), single);
        metrics = configuration.metrics();
        answering = configuration.api().address().isEmpty();
        runtime = new ServiceRuntime(configuration, replica);
        try {
            Composed composed = composition.compose(runtime, runtime.management(access), applySettings);
            hub = composed.hub();
            leadership = composed.leadership();
            admitted = composed.admitted();
            api = composed.api();
            new ServiceMetrics(runtime, hub, leadership, this::ownProblems, this::tenantSeries).register();
            ops = new OpsServer(runtime.loops().vertx(), health(), runtime.metrics()::scrape);
        } catch (RuntimeException e) {
            runtime.close();
            throw e;
        }
        hub.start();
        leadership.start(hub::onLeadershipChanged, hub::isReady);
        if (api != null) {
            api.startSelfChecks();
        }
    }

    private static ManagementAccess access(HubConfiguration configuration) throws IOException {
        String kubeconfig = configuration.management().kubeconfig();
        return kubeconfig.isEmpty()
                ? ManagementAccess.ofEnvironment(configuration.management().context())
                : ManagementAccess.ofKubeconfig(
                        Path.of(kubeconfig), configuration.management().context());
    }

    private static ValidatedKubeconfig vetted(Path file) throws IOException {
        Path folder = Objects.requireNonNullElse(file.toAbsolutePath().getParent(), file.toAbsolutePath());
        KubeconfigValidation vetting = KubeconfigValidator.validateOperatorFile(
                file.toString(), Files.readString(file, UTF_8), path -> Files.readString(folder.resolve(path), UTF_8));
        return switch (vetting) {
            case KubeconfigValidation.Valid(ValidatedKubeconfig kubeconfig) -> kubeconfig;
            case KubeconfigValidation.Invalid refused ->
                throw new IOException("-worker-cluster-kubeconfig: "
                        + refused.findings().stream()
                                .map(Object::toString)
                                .reduce((one, other) -> one + "\n  " + other)
                                .orElse("refused"));
        };
    }

    private static StaticConnection.StaticWorkerCluster worker(ServiceRuntime runtime, ValidatedKubeconfig kubeconfig) {
        String authorities = kubeconfig.certificateAuthorityPem();
        KubeApi api =
                runtime.worker(ServerAccessFactory.ofOperatorsFile(kubeconfig)).api();
        return new StaticConnection.StaticWorkerCluster(
                api, kubeconfig.server().toString(), "", authorities == null ? "" : authorities);
    }

    /** The operator, not a tenant, chose the worker cluster. */
    private static EgressPolicy anyAddress(String namespace) {
        return new EgressPolicy(KubeconfigPolicy.DEFAULT.forNamespace(Map.of()), Set.of(), Set.of());
    }

    /** Unique per process, even for successive processes of one replica. */
    private static String holder(String replica) {
        return replica + "_" + UUID.randomUUID();
    }

    private List<Problem> ownProblems() {
        if (api != null) {
            return api.ownProblems();
        }
        return hub.managementProblem().stream().toList();
    }

    private int tenantSeries() {
        return metrics.perTenant() ? metrics.maxTenantSeries() : 0;
    }

    private Map<String, HealthChecks> health() {
        HealthChecks live =
                new HealthChecks().addCheck("eventloop", this::stuck).addCheck("threads", this::stalled);
        if (constantHealth) {
            // OSM's manifests use its readiness path for liveness, and OSM always reports ready.
            return Map.of("/livez", live, "/healthz", new HealthChecks(), "/readyz", new HealthChecks());
        }
        HealthChecks ready = new HealthChecks()
                .addCheck("config", () -> null)
                .addCheck("management", this::managementProblem)
                .addCheck("lease", () -> leadership.mayWrite() ? null : "not held")
                .addCheck("webhook", this::certificateProblem)
                .addCheck("api", () -> answering ? null : "not listening")
                .addCheck("shutdown", () -> stopping ? "stopping" : null);
        return Map.of("/livez", live, "/healthz", live, "/readyz", ready);
    }

    /** Of the webhooks or the API. */
    private @Nullable String certificateProblem() {
        String problem = admitted == null ? null : admitted.service().problem();
        return problem != null || api == null ? problem : api.problem();
    }

    private @Nullable String stuck() {
        Duration stuck = runtime.loops().stuckFor();
        return stuck.compareTo(STUCK) > 0 ? "blocked for " + stuck.toSeconds() + " s" : null;
    }

    private @Nullable String stalled() {
        Duration stalled = runtime.queue().stalled();
        return stalled.compareTo(STALLED) > 0 ? "no run started or ended for " + stalled.toSeconds() + " s" : null;
    }

    private @Nullable String managementProblem() {
        Optional<String> problem = hub.managementProblem().map(Problem::message);
        return problem.orElse(
                hub.isReady() ? null : "first lists are not complete: " + String.join(", ", hub.missingLists()));
    }

    /**
     * Listens on an additional address.
     *
     * @return the port, chosen by the system if the given one is 0
     */
    public int listen(ListenAddress address, OpsServer.ServedPaths serves) throws IOException {
        return ServiceRuntime.awaitPort(address, ops.listen(address.host(), address.port(), serves));
    }

    /**
     * Serves admission webhooks.
     *
     * @return the port
     */
    public int listenForReviews(ListenAddress address) throws IOException {
        if (admitted == null) {
            throw new IllegalStateException("hub controller has no webhooks");
        }
        return ServiceRuntime.awaitPort(address, admitted.service().listen(admitted.view(), address));
    }

    /**
     * Serves the API and the console.
     *
     * @return the port
     */
    public int listenForCallers(ListenAddress address) throws IOException {
        if (api == null) {
            throw new IllegalStateException("hub controller has no API");
        }
        int port = ServiceRuntime.awaitPort(address, api.listen(address));
        answering = true;
        return port;
    }

    /** Path of a one-time sign-in page of the console for the token. */
    public String signInLink(Sensitive token) {
        if (api == null) {
            throw new IllegalStateException("hub controller has no console");
        }
        return api.signInLink(token);
    }

    /** Applies the reloadable part of a configuration. */
    void applySettings(HubConfiguration now) {
        hub.settings(applySettings.of(now));
        metrics = now.metrics();
        if (api != null) {
            api.applySettings(now);
        }
    }

    public Hub hub() {
        return hub;
    }

    /** Whether all of the management cluster has been read once. */
    public boolean isReady() {
        return hub.isReady();
    }

    /** Stops within a few seconds. All state is in the clusters, so another process can continue. */
    @Override
    public void close() {
        stopping = true;
        if (api != null) {
            api.stop();
        }
        if (admitted != null) {
            admitted.service().stop();
        }
        hub.stop();
        leadership.stop();
        runtime.close();
    }

    /** A value created after the objects that refer to it. */
    private static final class LateReference<T> {
        private volatile @Nullable T value;

        T set(T made) {
            value = made;
            return made;
        }

        T get() {
            return Objects.requireNonNull(value, "set before use");
        }
    }
}
