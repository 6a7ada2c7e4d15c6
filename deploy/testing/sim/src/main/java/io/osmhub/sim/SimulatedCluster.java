package io.osmhub.sim;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.netty.handler.ssl.SslContext;
import io.osmhub.sim.auth.SimulatedAuthority;
import io.osmhub.sim.auth.SimulatedAuthority.CertifiedKey;
import io.osmhub.sim.auth.UserIdentity;
import io.osmhub.sim.controllers.MachineController;
import io.osmhub.sim.controllers.PublishTimes;
import io.osmhub.sim.faults.ClusterFaults;
import io.osmhub.sim.faults.FaultProxy;
import io.osmhub.sim.http.RequestCounters;
import io.osmhub.sim.objects.JsonTrees;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.impl.VertxInternal;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** One simulated Kubernetes API server. Thread-safe. */
public final class SimulatedCluster {
    private final String name;
    private final SimulatedAuthority authority;
    private final SimulatedApiServer server;
    private final FaultProxy proxy;
    private final Context context;
    private final PublishTimes publishTimes;
    private volatile @Nullable MachineController machineController;

    SimulatedCluster(
            Vertx vertx,
            String name,
            int port,
            SimulatedAuthority authority,
            SslContext ownTls,
            SimulationOptions options) {
        this.name = name;
        this.authority = authority;
        // One context, so that its tasks run one after another.
        this.context = ((VertxInternal) vertx).createEventLoopContext();
        this.server = new SimulatedApiServer(
                InstantSource.system(), task -> context.runOnContext(_ -> task.run()), authority.pem(), options);
        this.publishTimes = PublishTimes.start(server.operations());
        this.proxy = new FaultProxy(
                vertx,
                port,
                authority,
                ownTls,
                server.counters(),
                request -> Future.succeededFuture(server.handle(request)));
    }

    FaultProxy proxy() {
        return proxy;
    }

    public String name() {
        return name;
    }

    public int port() {
        return proxy.port();
    }

    /** {@code https://127.0.0.1:port}. */
    public String url() {
        return proxy.url();
    }

    /** The certificate of its authority. */
    public String caPem() {
        return authority.pem();
    }

    /** A token with all permissions. */
    public String adminToken() {
        return server.adminToken();
    }

    /** Accepts and returns a new token for a user. */
    public String tokenFor(String user, String... groups) {
        return server.tokenFor(user, groups);
    }

    /** Accepts and returns a new token whose audience is another program than the API server. */
    public String tokenForAudience(String audience, String user, String... groups) {
        String token = UUID.randomUUID().toString();
        server.authenticator().accept(token, UserIdentity.authenticated(user, "", List.of(groups)), audience);
        return token;
    }

    /** Rejects a token from now on. */
    public void revoke(String token) {
        server.authenticator().revoke(token);
    }

    /** A kubeconfig with all permissions. */
    public String kubeconfig() {
        return kubeconfigWithToken(adminToken());
    }

    /** A kubeconfig with a new token for a user. */
    public String kubeconfig(String user, String... groups) {
        return kubeconfigWithToken(tokenFor(user, groups));
    }

    /** A kubeconfig with this token, valid or not. */
    public String kubeconfigWithToken(String token) {
        return kubeconfig(JsonTrees.object().put("token", token));
    }

    /** A kubeconfig with a new client certificate for a user. */
    public String kubeconfigWithCertificate(Duration life, String user, String... groups) {
        CertifiedKey client = authority.client(user, List.of(groups), life);
        return kubeconfig(JsonTrees.object()
                .put("client-certificate-data", JsonTrees.base64(client.certificatePem()))
                .put("client-key-data", JsonTrees.base64(client.keyPem())));
    }

    /** JSON, which is valid YAML. */
    private String kubeconfig(ObjectNode user) {
        return """
                {"apiVersion":"v1","kind":"Config","current-context":"%1$s",
                 "clusters":[{"name":"%1$s","cluster":{"server":"%2$s","certificate-authority-data":"%3$s"}}],
                 "users":[{"name":"user","user":%4$s}],
                 "contexts":[{"name":"%1$s","context":{"cluster":"%1$s","user":"user"}}]}
                """.formatted(name, url(), JsonTrees.base64(caPem()), user);
    }

    /** Direct access to its objects. */
    public SimulatedObjects objects() {
        return server.objects();
    }

    public ClusterFaults faults() {
        return proxy.faults();
    }

    /** The requests so far. */
    public RequestCounters counters() {
        return server.counters();
    }

    /** Number of open connections. */
    public int connections() {
        return proxy.connections();
    }

    /**
     * Creates what a worker cluster has before a hub serves it: the machine kinds, {@code cloud-init-settings} with its reader,
     * {@code cluster-info} and the API server's EndpointSlice. Existing objects stay.
     */
    public void installWorkerPrerequisites() {
        List<ObjectNode> all = JsonTrees.readResource(SimulatedCluster.class, "worker-prerequisites.json");
        for (ObjectNode object : all) {
            switch (JsonTrees.text(object, "kind")) {
                case "ConfigMap" ->
                    JsonTrees.child(object, "data").put("kubeconfig", """
                        {"apiVersion":"v1","kind":"Config","current-context":"","contexts":[],"users":[],
                         "clusters":[{"name":"","cluster":{"certificate-authority-data":"%s","server":"%s"}}]}
                        """.formatted(JsonTrees.base64(caPem()), url()));
                case "EndpointSlice" -> ((ObjectNode) object.path("ports").get(0)).put("port", port());
                default -> {}
            }
        }
        objects().createIfAbsent(all);
    }

    /** Starts the simulated machine-controller. {@code bootTime} is the time from a machine's secrets to Running. Call it once. */
    public void startMachineController(Duration bootTime) {
        machineController = MachineController.start(
                server.operations(), server.authenticator(), server.authorizer(), caPem(), context, bootTime);
    }

    /** The machines of the simulated machine-controller; empty before it is started. */
    public List<MachineController.MachineState> machines() {
        MachineController started = machineController;
        return started == null ? List.of() : started.machines();
    }

    /** Latencies from MachineDeployments to their secrets. */
    public PublishTimes publishTimes() {
        return publishTimes;
    }
}
