package io.osmhub.deploy.run;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.osmhub.api.ops.Health;
import io.osmhub.api.ops.OpsServer;
import io.osmhub.core.model.Sensitive;
import io.osmhub.core.problem.Reason;
import io.osmhub.deploy.config.HubConfiguration;
import io.osmhub.deploy.config.HubConfiguration.ReplicaMode;
import io.osmhub.deploy.config.ListenAddress;
import io.osmhub.deploy.dropin.CloudEnvironment;
import io.osmhub.deploy.dropin.ControllerFlags;
import io.osmhub.tenancy.Hub;
import io.osmhub.tenancy.HubParts;
import io.osmhub.tenancy.SoleTenant;
import io.osmhub.tenancy.StoredObjects;
import io.osmhub.tenancy.TenantDirectory;
import io.osmhub.tenancy.admission.AdmissionView;
import io.osmhub.tenancy.client.ApiClient;
import io.osmhub.tenancy.client.ManagementAccess;
import io.osmhub.tenancy.client.PeerRightsApi;
import io.osmhub.tenancy.connection.KubeconfigAccess;
import io.osmhub.tenancy.kubeconfig.EgressPolicy;
import io.osmhub.tenancy.kubeconfig.KubeconfigFirewall;
import io.osmhub.tenancy.kubeconfig.KubeconfigPolicy;
import io.osmhub.tenancy.kubeconfig.VettedKubeconfig;
import io.osmhub.tenancy.kubeconfig.Vetting;
import io.osmhub.tenancy.lease.LeaseTerms;
import io.osmhub.tenancy.link.GivenLink;
import io.osmhub.tenancy.settings.OperatorSettings;
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
 * The service with everything that it needs, from sockets to tenants: {@code hub run} and {@code hub controller} are one in a
 * process of its own. Several may live in one process.
 */
public final class HubService implements AutoCloseable {
    private static final Duration STUCK = Duration.ofSeconds(10);
    private static final Duration STALLED = Duration.ofMinutes(5);
    /** What messages call the only worker cluster of the drop-in mode. */
    private static final String DROP_IN = "worker";

    private final Foundation foundation;
    private final Leadership leadership;
    private final Served served;
    private final Settings settings;
    private final @Nullable Admitted admitted;
    private final @Nullable ApiService api;
    private final OpsServer ops;
    private final boolean constantHealth;
    private volatile HubConfiguration.Metrics metrics;
    private volatile boolean stopping;

    /** What serves and for whom. */
    private record Composed(
            Served served,
            Leadership leadership,
            @Nullable Admitted admitted,
            @Nullable ApiService api) {}

    /** The webhooks, and of whom they know. */
    private record Admitted(AdmissionService service, AdmissionView view) {}

    /** Makes what serves, of the foundation once that is there. */
    @FunctionalInterface
    private interface Composition {
        Composed compose(Foundation foundation, ApiClient management, Settings settings);
    }

    /**
     * {@code hub run}: begins to serve the tenants of a management cluster, or that cluster itself.
     *
     * @param replica name of this replica
     * @throws IOException when something that is configured cannot be used, in words for people
     */
    public static HubService run(HubConfiguration configuration, boolean single, String replica) throws IOException {
        ManagementAccess access = access(configuration);
        return new HubService(configuration, access, single, false, replica, (foundation, management, settings) -> {
            String namespace = configuration.management().namespace();
            Leadership leadership = configuration.replicas().mode() == ReplicaMode.SINGLE
                    ? new Leadership.Alone()
                    : new Leadership.Shared(
                            management.api(),
                            LeaseTerms.ofMember(namespace, replica, holder(replica), "", OwnCare.podUid())
                                    .lasting(
                                            configuration.replicas().leaseDuration(),
                                            configuration.replicas().renewInterval()),
                            foundation.around());
            Holder<Hub> made = new Holder<>();
            HubParts parts =
                    foundation.parts(management.api(), access.server().toString(), leadership, tenant -> made.get()
                            .egress(tenant));
            Certificates certificates =
                    new Certificates(configuration, management.api(), leadership::mayWrite, foundation);
            AdmissionService admission = new AdmissionService(
                    configuration, management.api(), leadership::mayWrite, certificates, foundation);
            ApiService api = new ApiService(
                    configuration, management.api(), certificates, admission, foundation, leadership, made::get);
            Hub hub = made.set(new Hub(
                    parts,
                    settings.of(configuration),
                    access.authorities(),
                    configuration.api().address().isPresent() ? api.stored() : StoredObjects.toNobody(),
                    admission.endpoint()));
            return new Composed(new Served.Tenants(hub), leadership, new Admitted(admission, hub.admission()), api);
        });
    }

    /**
     * {@code hub controller}: begins to serve the one worker cluster that the flags name.
     *
     * @throws IOException when something that the flags name cannot be used, in words for people
     */
    public static HubService dropIn(ControllerFlags flags, String replica) throws IOException {
        HubConfiguration configuration = flags.configuration();
        ManagementAccess access = access(configuration);
        Optional<VettedKubeconfig> workerFile = flags.workerClusterKubeconfig().isEmpty()
                ? Optional.empty()
                : Optional.of(vetted(Path.of(flags.workerClusterKubeconfig())));
        return new HubService(configuration, access, true, true, replica, (foundation, management, settings) -> {
            KubeApi restricted = new PeerRightsApi(management.api());
            GivenLink.Worker worker = workerFile
                    .map(file -> worker(foundation, file))
                    .orElseGet(() ->
                            new GivenLink.Worker(restricted, access.server().toString(), "", access.authorities()));
            Leadership.Elected leadership = new Leadership.Elected();
            if (flags.leaderElect()) {
                leadership.add(
                        management.api(),
                        LeaseTerms.usual(flags.namespace(), "operating-system-manager", holder(replica)),
                        foundation.around());
                if (workerFile.isPresent()) {
                    leadership.add(
                            worker.api(),
                            LeaseTerms.usual("kube-system", "operating-system-manager-worker-manager", holder(replica)),
                            foundation.around());
                }
            }
            HubParts parts =
                    foundation.parts(restricted, access.server().toString(), leadership, HubService::anyAddress);
            SoleTenant tenant = new SoleTenant(
                    parts,
                    settings.of(configuration),
                    new SoleTenant.Order(
                            flags.namespace(),
                            DROP_IN,
                            worker,
                            new OperatorSettings(flags.settings(), CloudEnvironment.of(System.getenv()))));
            return new Composed(new Served.Sole(tenant), leadership, null, null);
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
        settings = new Settings(access.server(), System.getenv(), single);
        metrics = configuration.metrics();
        foundation = new Foundation(configuration, replica);
        try {
            Composed composed = composition.compose(foundation, foundation.management(access), settings);
            served = composed.served();
            leadership = composed.leadership();
            admitted = composed.admitted();
            api = composed.api();
            new ServiceFigures(foundation, served, leadership, this::ownProblems, this::tenantSeries).register();
            ops = new OpsServer(foundation.loops().vertx(), health(), foundation.metrics()::text);
        } catch (RuntimeException e) {
            foundation.close();
            throw e;
        }
        served.start();
        leadership.start(served::leadershipChanged);
        if (api != null) {
            api.startLooking();
        }
    }

    private static ManagementAccess access(HubConfiguration configuration) throws IOException {
        String kubeconfig = configuration.management().kubeconfig();
        return kubeconfig.isEmpty()
                ? ManagementAccess.ofEnvironment(configuration.management().context())
                : ManagementAccess.ofKubeconfig(
                        Path.of(kubeconfig), configuration.management().context());
    }

    private static VettedKubeconfig vetted(Path file) throws IOException {
        Path folder = Objects.requireNonNullElse(file.toAbsolutePath().getParent(), file.toAbsolutePath());
        Vetting vetting = KubeconfigFirewall.vetOperatorsFile(
                file.toString(), Files.readString(file, UTF_8), path -> Files.readString(folder.resolve(path), UTF_8));
        return switch (vetting) {
            case Vetting.Vetted(VettedKubeconfig kubeconfig) -> kubeconfig;
            case Vetting.Refused refused ->
                throw new IOException("-worker-cluster-kubeconfig: "
                        + refused.findings().stream()
                                .map(Object::toString)
                                .reduce((one, other) -> one + "\n  " + other)
                                .orElse("refused"));
        };
    }

    private static GivenLink.Worker worker(Foundation foundation, VettedKubeconfig kubeconfig) {
        String authorities = kubeconfig.certificateAuthorityPem();
        KubeApi api = new PeerRightsApi(
                foundation.worker(KubeconfigAccess.ofOperatorsFile(kubeconfig)).api());
        return new GivenLink.Worker(api, kubeconfig.server().toString(), "", authorities == null ? "" : authorities);
    }

    /** The operator named the worker cluster himself. */
    private static EgressPolicy anyAddress(String namespace) {
        return new EgressPolicy(KubeconfigPolicy.DEFAULT.forNamespace(Map.of()), Set.of(), Set.of());
    }

    /** No two processes have the same, also not two of one replica after another. */
    private static String holder(String replica) {
        return replica + "_" + UUID.randomUUID();
    }

    private List<Reason> ownProblems() {
        if (api != null) {
            return api.ownProblems();
        }
        return served.managementProblem().isPresent() ? List.of(Reason.ManagementClusterUnreachable) : List.of();
    }

    private int tenantSeries() {
        return metrics.perTenant() ? metrics.maxTenantSeries() : 0;
    }

    private Map<String, Health> health() {
        Health live = new Health().with("eventloop", this::stuck).with("threads", this::stalled);
        if (constantHealth) {
            // The peer's manifests use its readiness path for liveness, and there it is always well.
            return Map.of("/livez", live, "/healthz", new Health(), "/readyz", new Health());
        }
        Health ready = new Health()
                .with("config", () -> null)
                .with("management", this::managementProblem)
                .with("lease", () -> leadership.mayWrite() ? null : "not held")
                .with("webhook", this::certificateProblem)
                .with("shutdown", () -> stopping ? "stopping" : null);
        return Map.of("/livez", live, "/healthz", live, "/readyz", ready);
    }

    /** Of the webhooks, or of the API. */
    private @Nullable String certificateProblem() {
        String problem = admitted == null ? null : admitted.service().problem();
        return problem != null || api == null ? problem : api.problem();
    }

    private @Nullable String stuck() {
        Duration stuck = foundation.loops().stuckFor();
        return stuck.compareTo(STUCK) > 0 ? "blocked for " + stuck.toSeconds() + " s" : null;
    }

    private @Nullable String stalled() {
        Duration stalled = foundation.queue().stalled();
        return stalled.compareTo(STALLED) > 0 ? "no run began or ended for " + stalled.toSeconds() + " s" : null;
    }

    private @Nullable String managementProblem() {
        Optional<String> problem = served.managementProblem();
        return problem.orElse(
                served.isReady() ? null : "first lists are not complete: " + String.join(", ", served.missingLists()));
    }

    /**
     * Listens on one more address.
     *
     * @return the port, which is another than the given one when that is 0
     */
    public int listen(ListenAddress address, OpsServer.Serves serves) throws IOException {
        return Listening.on(address, ops.listen(address.host(), address.port(), serves));
    }

    /**
     * Answers admission webhooks at an address.
     *
     * @return the port
     */
    public int listenForReviews(ListenAddress address) throws IOException {
        if (admitted == null) {
            throw new IllegalStateException("a stand-in for the peer's controller has no webhooks");
        }
        return Listening.on(address, admitted.service().listen(admitted.view(), address));
    }

    /**
     * Answers the API and the console at an address.
     *
     * @return the port
     */
    public int listenForCallers(ListenAddress address) throws IOException {
        if (api == null) {
            throw new IllegalStateException("a stand-in for the peer's controller has no API");
        }
        return Listening.on(address, api.listen(address));
    }

    /** Path of a page of the console that signs in once who holds the token. */
    public String signInLink(Sensitive token) {
        if (api == null) {
            throw new IllegalStateException("a stand-in for the peer's controller has no console");
        }
        return api.signInLink(token);
    }

    /** Takes over what of a configuration can be changed while it runs. */
    void settings(HubConfiguration now) {
        served.settings(settings.of(now));
        metrics = now.metrics();
        if (api != null) {
            api.settings(now);
        }
    }

    /** The tenants as they are at each moment. */
    public TenantDirectory tenants() {
        return served.tenants();
    }

    /** Everything of the management cluster was read once. */
    public boolean isReady() {
        return served.isReady();
    }

    /** Ends within a few seconds. What lasts is in the clusters; another process goes on from there. */
    @Override
    public void close() {
        stopping = true;
        if (api != null) {
            api.stop();
        }
        if (admitted != null) {
            admitted.service().stop();
        }
        served.stop();
        leadership.stop();
        foundation.close();
    }

    /** A value that is made after what refers to it. */
    private static final class Holder<T> {
        private volatile @Nullable T value;

        T set(T made) {
            value = made;
            return made;
        }

        T get() {
            return Objects.requireNonNull(value, "made before it is asked for");
        }
    }
}
