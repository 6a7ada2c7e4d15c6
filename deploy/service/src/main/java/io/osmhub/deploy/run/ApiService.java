package io.osmhub.deploy.run;

import io.osmhub.api.HubApi;
import io.osmhub.api.access.CallerAuthorizer;
import io.osmhub.api.access.CallerRateLimiter;
import io.osmhub.api.access.OidcSignIn.OidcOptions;
import io.osmhub.api.access.ReplicaTickets;
import io.osmhub.api.contract.ApiContract;
import io.osmhub.api.diagnosis.DiagnosisOperations;
import io.osmhub.api.diagnosis.DiagnosisService;
import io.osmhub.api.diagnosis.ProfileSourceOperation;
import io.osmhub.api.http.Operation;
import io.osmhub.api.http.Reply;
import io.osmhub.api.inventory.InventoryOperations;
import io.osmhub.api.inventory.LiveValuesExchange;
import io.osmhub.api.inventory.LocalReplica;
import io.osmhub.api.inventory.StoredInventory;
import io.osmhub.api.ops.FleetStatistics;
import io.osmhub.api.peer.PeerReplicas;
import io.osmhub.api.preview.PreviewOperations;
import io.osmhub.api.registration.RegistrationOperations;
import io.osmhub.api.schema.VersionInfo;
import io.osmhub.core.model.Sensitive;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.Reason;
import io.osmhub.deploy.config.HubConfiguration;
import io.osmhub.deploy.config.ListenAddress;
import io.osmhub.tenancy.Hub;
import io.osmhub.tenancy.Hub.StoredObjectListeners;
import io.osmhub.tenancy.HubQueries;
import io.osmhub.tenancy.TenantView;
import io.osmhub.tenancy.certificate.FileCertificate;
import io.osmhub.tenancy.certificate.SecretCertificate;
import io.osmhub.tenancy.certificate.SessionKeys;
import io.osmhub.tenancy.certificate.WebhookCertificate;
import io.osmhub.tenancy.client.RequestObserver;
import io.osmhub.tenancy.concern.HubProblemMonitor;
import io.osmhub.tenancy.concern.HubProblemMonitor.HubProblem;
import io.osmhub.tenancy.concern.ManagementPermissionMonitor;
import io.osmhub.tenancy.concern.ManagementPermissionMonitor.ManagementPermissions;
import io.osmhub.tenancy.connection.DnsResolver;
import io.osmhub.tenancy.connection.Handshake;
import io.osmhub.tenancy.crds.DefinitionInstaller.InstallPolicy;
import io.osmhub.tenancy.lease.TenantSharding;
import io.osmhub.tenancy.lease.TenantSharding.MemberLease;
import io.osmhub.tenancy.lease.TenantSharding.OtherReplica;
import io.osmhub.tenancy.registration.DuplicateCheck;
import io.osmhub.tenancy.registration.Registrar;
import io.osmhub.workersync.apiserver.CurrentConnection;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.events.EventWriter;
import io.osmhub.workersync.port.EventRecorder;
import io.osmhub.workersync.watch.RuntimeContext;
import io.vertx.core.Future;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The API of {@code hub run}: the read model from the first list on, and the server once it listens. */
final class ApiService {
    private static final Logger LOG = LoggerFactory.getLogger(ApiService.class);

    /** Environment variable that the manifests set to the pod's UID. */
    private static final String POD_UID = "POD_UID";

    /** The same for the pod's address. */
    private static final String POD_IP = "POD_IP";

    private final ServiceRuntime runtime;
    private final KubeApi managementApi;
    private final HubServingCertificate certificates;
    private final AdmissionService admission;
    private final Supplier<Hub> hub;
    private final LocalReplica replica = new ThisReplica();
    private final StoredInventory inventory;
    private final StoredObjectsDispatcher stored;
    private final HubProblemMonitor problems;
    private final ManagementPermissionMonitor permissionMonitor;
    private final Leadership leadership;
    private volatile HubConfiguration configuration;
    private volatile @Nullable HubApi api;
    private volatile @Nullable WebhookCertificate servingCertificate;
    private volatile @Nullable SessionKeys sessions;

    /** @param hub created later, because it reports stored objects to this */
    ApiService(
            HubConfiguration configuration,
            KubeApi managementApi,
            HubServingCertificate certificates,
            AdmissionService admission,
            ServiceRuntime runtime,
            Leadership leadership,
            Supplier<Hub> hub) {
        this.configuration = configuration;
        this.managementApi = managementApi;
        this.certificates = certificates;
        this.admission = admission;
        this.runtime = runtime;
        this.leadership = leadership;
        this.hub = hub;
        this.inventory = new StoredInventory(replica);
        this.stored = new StoredObjectsDispatcher(inventory);
        this.permissionMonitor = createPermissionMonitor();
        this.problems = createProblemMonitor();
    }

    /** UID of this process's pod; empty outside pods. */
    static String podUid() {
        return Objects.requireNonNullElse(System.getenv(POD_UID), "");
    }

    private ManagementPermissionMonitor createPermissionMonitor() {
        boolean answers = configuration.api().address().isPresent();
        boolean reviews = configuration.webhooks().address().isPresent();
        ManagementPermissions permissions = new ManagementPermissions(
                configuration.replicas().mode() == HubConfiguration.ReplicaMode.SHARDED,
                configuration.tenancy().installCRDs() != InstallPolicy.NEVER,
                answers,
                (answers || reviews)
                        && configuration
                                .webhooks()
                                .certificate()
                                .provided()
                                .certFile()
                                .isEmpty(),
                reviews);
        return new ManagementPermissionMonitor(
                managementApi, permissions.list(configuration.management().namespace()), runtime.runtimeContext());
    }

    private HubProblemMonitor createProblemMonitor() {
        RuntimeContext around = runtime.runtimeContext();
        String uid = podUid();
        return new HubProblemMonitor(
                this::found,
                leadership.shares(),
                stored::tenants,
                new EventWriter(
                        new CurrentConnection(managementApi),
                        around.scheduler(),
                        around.blockingExecutor(),
                        around.random(),
                        runtime.replica()),
                new EventRecorder.Regarding(
                        "v1",
                        "Pod",
                        configuration.management().namespace(),
                        runtime.replica(),
                        uid.isEmpty() ? null : uid),
                around);
    }

    /** Problems of this replica except its Lease. */
    private List<HubProblemMonitor.DetectedProblem> found() {
        List<HubProblemMonitor.DetectedProblem> found = new ArrayList<>();
        hub.get()
                .managementProblem()
                .ifPresent(problem -> found.add(new HubProblemMonitor.DetectedProblem(runtime.replica(), problem)));
        permissionMonitor
                .problem()
                .ifPresent(problem -> found.add(new HubProblemMonitor.DetectedProblem("management", problem)));
        hub.get()
                .inaccessibleTenants()
                .forEach((namespace, problem) -> found.add(new HubProblemMonitor.DetectedProblem(namespace, problem)));
        hub.get()
                .definitionProblems()
                .forEach(problem ->
                        found.add(new HubProblemMonitor.DetectedProblem(problem.definition(), problem.problem())));
        found.addAll(admission.problems());
        WebhookCertificate certificate = servingCertificate;
        String problem =
                certificate == null || certificate == certificates.certificate() ? null : certificate.problem();
        if (problem != null) {
            found.add(new HubProblemMonitor.DetectedProblem(
                    "api.tls", Problem.ofHub(Reason.WebhookCertificateExpiring, problem)));
        }
        return found;
    }

    /** Starts checking the hub itself. */
    void startSelfChecks() {
        permissionMonitor.start();
        problems.start();
    }

    /** Open problems of this replica. */
    List<Problem> ownProblems() {
        return problems.own().stream().map(HubProblem::problem).toList();
    }

    private final class ThisReplica implements LocalReplica {
        @Override
        public String name() {
            return runtime.replica();
        }

        @Override
        public String servedBy(String namespace) {
            return leadership.servedBy(namespace);
        }

        @Override
        public Map<String, String> others() {
            TenantSharding shares = leadership.shares();
            return shares == null
                    ? Map.of()
                    : shares.otherReplicas().stream()
                            .filter(OtherReplica::isLive)
                            .map(OtherReplica::lease)
                            .collect(Collectors.toMap(MemberLease::replica, MemberLease::url));
        }

        @Override
        public List<TenantView> tenants() {
            return hub.get().tenants();
        }

        @Override
        public Optional<TenantView> tenant(String namespace, String name) {
            return hub.get().tenant(namespace, name);
        }

        @Override
        public String sharedProfileNamespace() {
            return configuration.tenancy().sharedProfileNamespace();
        }

        @Override
        public boolean sharesProfiles(String namespace) {
            return hub.get().admission().offersProfiles(namespace);
        }

        @Override
        public boolean isReady() {
            return hub.get().isReady();
        }

        @Override
        public String version() {
            return BuildInfo.current().version();
        }

        @Override
        public FleetStatistics figures() {
            return runtime.metrics().statistics();
        }

        @Override
        public List<HubCondition> hubConditions() {
            return problems.all().stream()
                    .map(problem -> new HubCondition(problem.object(), problem.problem(), problem.since()))
                    .toList();
        }

        @Override
        public Instant now() {
            return Instant.now();
        }

        @Override
        public long nanoTime() {
            return System.nanoTime();
        }
    }

    /** Receives all stored objects. */
    StoredObjectListeners stored() {
        return stored.storedObjects();
    }

    /** Starts listening. */
    Future<Integer> listen(ListenAddress address) {
        HubConfiguration.Api wanted = configuration.api();
        OidcOptions oidc = null;
        try {
            oidc = OidcConfiguration.read(wanted.oidc());
        } catch (IOException e) {
            // Tenants are served without it.
            LOG.atError()
                    .addKeyValue("cause", e.getMessage())
                    .log("api.oidc is not usable, users sign in with tokens only; correct it and restart the hub");
        }
        WebhookCertificate certificate = certificate(wanted);
        servingCertificate = certificate;
        SessionKeys keys = new SessionKeys(
                managementApi, configuration.management().namespace(), new SecureRandom(), runtime.runtimeContext());
        keys.start();
        sessions = keys;
        PeerReplicas peers = new PeerReplicas(
                runtime.loops().vertx(),
                ApiContract.load(),
                certificate,
                new ReplicaTickets(keys, InstantSource.system()),
                replica,
                runtime.threads());
        LiveValuesExchange live = new LiveValuesExchange(inventory, peers, System::nanoTime);
        HubApi made = new HubApi(
                new HubApi.ApiDependencies(
                        runtime.loops().vertx(),
                        managementApi,
                        stored::tenants,
                        stored::namespaces,
                        access -> operations(access, peers, live),
                        certificate,
                        runtime.tracing().observeHttp(runtime.metrics().http()),
                        runtime.metrics().reviews(),
                        keys,
                        peers,
                        List.of(live.page()),
                        runtime.threads()),
                new HubApi.ApiOptions(
                        wanted.audiences(),
                        wanted.authCacheTTL(),
                        wanted.sessionTTL(),
                        rate(wanted),
                        wanted.maxBodySize().bytes(),
                        wanted.console(),
                        configuration.audit().log(),
                        configuration.tenancy().sharedProfileNamespace(),
                        oidc));
        api = made;
        runtime.metrics().gauge("osm_hub_ended_sessions", keys::endedSessions);
        return made.listen(address.host(), address.port()).onSuccess(port -> publishUrl(address, port));
    }

    /** The operator's certificate if configured; otherwise the hub's own, which the webhooks also use. */
    private WebhookCertificate certificate(HubConfiguration.Api wanted) {
        WebhookCertificate own;
        if (!wanted.tls().secretName().isEmpty()) {
            own = new SecretCertificate(
                    managementApi,
                    configuration.management().namespace(),
                    wanted.tls().secretName(),
                    runtime.runtimeContext());
        } else if (!wanted.tls().certFile().isEmpty()) {
            own = new FileCertificate(
                    Path.of(wanted.tls().certFile()), Path.of(wanted.tls().keyFile()), null, runtime.runtimeContext());
        } else {
            certificates.start();
            return certificates.certificate();
        }
        own.start();
        return own;
    }

    /** Why callers cannot connect; null if they can or if the API is off. */
    @Nullable String problem() {
        WebhookCertificate certificate = servingCertificate;
        if (certificate == null || certificate.isLoaded()) {
            return null;
        }
        String problem = certificate.problem();
        return problem == null ? "no valid certificate is loaded" : problem;
    }

    private static CallerRateLimiter.CallerRateLimit rate(HubConfiguration.Api wanted) {
        return new CallerRateLimiter.CallerRateLimit(
                wanted.rateLimit().requestsPerMinute(), wanted.rateLimit().burst());
    }

    /** Where the other replicas reach this one: the pod's address, or the one that it listens on. */
    private void publishUrl(ListenAddress address, int port) {
        TenantSharding shares = leadership.shares();
        String pod = Objects.requireNonNullElse(System.getenv(POD_IP), "");
        String host = pod.isEmpty() ? address.host() : pod;
        if (shares != null && !host.isEmpty() && !HubServingCertificate.isWildcard(host)) {
            shares.publishUrl("https://" + (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port);
        }
    }

    private List<Operation> operations(CallerAuthorizer access, PeerReplicas peers, LiveValuesExchange live) {
        HubQueries details = hub.get().details();
        Registrar registrar = new Registrar(
                managementApi,
                new Handshake(
                        runtime.clients(),
                        DnsResolver.SYSTEM,
                        namespace -> hub.get().egress(namespace),
                        RequestObserver.NONE,
                        runtime.runtimeContext()),
                namespace -> hub.get().egress(namespace),
                namespace -> hub.get().reviewAccess(namespace),
                new DuplicateCheck(managementApi, details::workerClusters, record -> true));
        List<Operation> operations = new ArrayList<>();
        operations.addAll(new InventoryOperations(inventory, access, live).operations());
        operations.add(new ProfileSourceOperation(managementApi, access).operation());
        operations.addAll(new RegistrationOperations(
                        registrar,
                        access,
                        namespace -> hub.get().kkp().settings(namespace, false).layer(),
                        () -> configuration.defaults())
                .operations());
        operations.addAll(new DiagnosisOperations(
                        new DiagnosisService(details, peers::nameServing, InstantSource.system()),
                        details,
                        inventory,
                        access,
                        peers)
                .operations());
        operations.addAll(
                new PreviewOperations(details, access, peers, InstantSource.system(), System::nanoTime).operations());
        VersionInfo version = BuildInfo.current().versionInfo();
        operations.add(Operation.of("getVersion", call -> Reply.ok(version)));
        return operations;
    }

    /** Path of a one-time sign-in page for the token; only while listening. */
    String signInLink(Sensitive token) {
        return Objects.requireNonNull(api, "the API listens").createSignInLink(token);
    }

    /** Applies the reloadable settings. */
    void applySettings(HubConfiguration now) {
        configuration = now;
        HubApi running = api;
        if (running != null) {
            running.setRateLimit(rate(now.api()));
        }
    }

    /** Stops listening; further requests are not answered. */
    void stop() {
        problems.stop();
        permissionMonitor.stop();
        HubApi running = api;
        if (running != null) {
            running.close();
        }
        SessionKeys keys = sessions;
        if (keys != null) {
            keys.stop();
        }
        WebhookCertificate certificate = servingCertificate;
        if (certificate != null && certificate != certificates.certificate()) {
            certificate.stop();
        }
    }
}
