package io.osmhub.sim;

import io.netty.handler.ssl.SslContext;
import io.osmhub.sim.auth.Authenticator;
import io.osmhub.sim.auth.Authorizer;
import io.osmhub.sim.auth.ReviewHandler;
import io.osmhub.sim.auth.ServiceAccountTokens;
import io.osmhub.sim.auth.UserIdentity;
import io.osmhub.sim.certificate.ServingTlsContext;
import io.osmhub.sim.certificate.SimulatedAuthority;
import io.osmhub.sim.controllers.SimulatedControllers;
import io.osmhub.sim.count.RequestCounters;
import io.osmhub.sim.faults.ClusterFaults;
import io.osmhub.sim.http.ClusterComponents;
import io.osmhub.sim.http.ClusterServer;
import io.osmhub.sim.machines.MachineController;
import io.osmhub.sim.machines.PublishTimes;
import io.osmhub.sim.objects.ObjectOperations;
import io.osmhub.sim.resource.ResourceCatalog;
import io.osmhub.sim.store.Store;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.impl.VertxInternal;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** One simulated Kubernetes API server. Safe for use by several threads. */
public final class SimulatedCluster {
    private final String name;
    private final SimulatedAuthority authority;
    private final SslContext ownTls;
    private final ClusterFaults faults = new ClusterFaults();
    private final RequestCounters counters = new RequestCounters();
    private final ObjectOperations objects;
    private final Authenticator authenticator;
    private final Authorizer authorizer;
    private final Vertx vertx;
    private final Context context;
    private final PublishTimes publishTimes;
    private volatile @Nullable MachineController machineController;
    private final ClusterServer server;
    private final String adminToken = UUID.randomUUID().toString();

    SimulatedCluster(
            Vertx vertx,
            String name,
            int port,
            SimulatedAuthority authority,
            SslContext ownTls,
            SimulationOptions options) {
        this.name = name;
        this.authority = authority;
        this.ownTls = ownTls;
        InstantSource clock = () -> options.clock().instant().plus(faults.clockOffset());
        this.objects = new ObjectOperations(
                new Store(options.historyEvents(), options.historyBytes()), new ResourceCatalog(), clock);
        ServiceAccountTokens tokens = new ServiceAccountTokens(objects);
        this.authenticator = new Authenticator(objects, tokens);
        authenticator.accept(adminToken, UserIdentity.authenticated("kubernetes-admin", "", List.of("system:masters")));
        InitialObjects.create(objects);
        this.authorizer = new Authorizer(objects, options.authorization());
        // One context, so that its tasks run one after another.
        this.context = ((VertxInternal) vertx).createEventLoopContext();
        this.vertx = vertx;
        this.publishTimes = PublishTimes.start(objects);
        SimulatedControllers.start(objects, tokens, authority.pem(), task -> context.runOnContext(_ -> task.run()));
        ClusterComponents parts = new ClusterComponents(
                objects,
                authenticator,
                authorizer,
                new ReviewHandler(authenticator, authorizer),
                tokens,
                faults,
                counters,
                options.bookmarkInterval(),
                options.version());
        this.server = new ClusterServer(vertx, port, this::tls, parts);
    }

    ClusterServer server() {
        return server;
    }

    /** Its name among the simulated clusters. */
    public String name() {
        return name;
    }

    /** Where it listens. */
    public int port() {
        return server.port();
    }

    /** Its address: {@code https://127.0.0.1:port}. */
    public String url() {
        return "https://127.0.0.1:" + port();
    }

    /** The certificate of the authority that vouches for it, as PEM. */
    public String caPem() {
        return authority.pem();
    }

    /** A token with all rights. */
    public String adminToken() {
        return adminToken;
    }

    /** Accepts a new token for a user in some groups, and returns it. */
    public String tokenFor(String user, String... groups) {
        String token = UUID.randomUUID().toString();
        authenticator.accept(token, UserIdentity.authenticated(user, "", List.of(groups)));
        return token;
    }

    /** Accepts a new token that is for a program beside the API server, and returns it. */
    public String tokenForAudience(String audience, String user, String... groups) {
        String token = UUID.randomUUID().toString();
        authenticator.accept(token, UserIdentity.authenticated(user, "", List.of(groups)), audience);
        return token;
    }

    /** Refuses a token from now on. */
    public void revoke(String token) {
        authenticator.revoke(token);
    }

    /** A kubeconfig with all rights. */
    public String kubeconfig() {
        return kubeconfigWithToken(adminToken);
    }

    /** A kubeconfig with a new token for a user in some groups. */
    public String kubeconfig(String user, String... groups) {
        return kubeconfigWithToken(tokenFor(user, groups));
    }

    /** A kubeconfig with this token, valid or not. */
    public String kubeconfigWithToken(String token) {
        return Kubeconfig.withToken(name, url(), caPem(), token);
    }

    /** A kubeconfig with a new client certificate for a user in some groups. */
    public String kubeconfigWithCertificate(Duration life, String user, String... groups) {
        return Kubeconfig.withCertificate(name, url(), caPem(), authority.client(user, List.of(groups), life));
    }

    /** Its objects, past HTTP. */
    public SimulatedObjects objects() {
        return new SimulatedObjects(objects);
    }

    /** What can go wrong. */
    public ClusterFaults faults() {
        return faults;
    }

    /** What was asked so far. */
    public RequestCounters counters() {
        return counters;
    }

    /** How many connections are open now. */
    public int connections() {
        return server.connections();
    }

    /** Makes it a worker cluster: the machine kinds, {@code cloud-init-settings} with its reader, {@code cluster-info}. What exists stays. */
    public void installWorkerPrerequisites() {
        WorkerPrerequisites.install(this);
    }

    /** Starts the pretend machine-controller, whose machines take so long from their secrets to Running. Call it once. */
    public void startMachineController(Duration bootTime) {
        MachineController.Runner runner = new MachineController.Runner() {
            @Override
            public void soon(Runnable task) {
                context.runOnContext(_ -> task.run());
            }

            @Override
            public void after(Duration delay, Runnable task) {
                context.runOnContext(_ -> vertx.setTimer(Math.max(1, delay.toMillis()), _ -> task.run()));
            }
        };
        machineController = MachineController.start(objects, authenticator, authorizer, caPem(), runner, bootTime);
    }

    /** The machines as the pretend machine-controller sees them; none before it was started. */
    public List<MachineController.MachineState> machines() {
        MachineController started = machineController;
        return started == null ? List.of() : started.machines();
    }

    /** How long MachineDeployments had to wait for their secrets. */
    public PublishTimes publishTimes() {
        return publishTimes;
    }

    private SslContext tls() {
        return switch (faults.certificate()) {
            case OWN -> ownTls;
            case RENEWED -> ServingTlsContext.of(authority);
            case FOREIGN ->
                ServingTlsContext.of(SimulatedAuthority.create("foreign").serving(), authority);
        };
    }
}
