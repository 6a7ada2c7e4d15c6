package io.osmhub.sim;

import io.osmhub.sim.auth.Authenticator;
import io.osmhub.sim.auth.Authorizer;
import io.osmhub.sim.auth.Authorizer.AuthorizationAttributes;
import io.osmhub.sim.auth.ServiceAccountTokens;
import io.osmhub.sim.auth.UserIdentity;
import io.osmhub.sim.controllers.SimulatedControllers;
import io.osmhub.sim.http.ApiHandler;
import io.osmhub.sim.http.RequestCounters;
import io.osmhub.sim.http.SimulatedRequest;
import io.osmhub.sim.http.SimulatedResponse;
import io.osmhub.sim.objects.JsonTrees;
import io.osmhub.sim.objects.ObjectOperations;
import io.osmhub.sim.objects.ResourceCatalog;
import io.osmhub.sim.objects.Store;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.function.Predicate;

/** A simulated Kubernetes API server without a port, for requests from the same process, with any clock. Thread-safe. */
public final class SimulatedApiServer {
    private final ObjectOperations objects;
    private final Authenticator authenticator;
    private final Authorizer authorizer;
    private final RequestCounters counters = new RequestCounters();
    private final ApiHandler handler;
    private final String adminToken = UUID.randomUUID().toString();

    /**
     * @param controllers executes the work of its controllers, which must run one after another
     * @param caPem the certificate that service accounts get with their tokens
     */
    public SimulatedApiServer(InstantSource clock, Executor controllers, String caPem, SimulationOptions options) {
        this.objects = new ObjectOperations(
                new Store(options.historyEvents(), options.historyBytes()), new ResourceCatalog(), clock);
        ServiceAccountTokens tokens = new ServiceAccountTokens(objects);
        this.authenticator = new Authenticator(objects, tokens);
        authenticator.accept(adminToken, UserIdentity.authenticated("kubernetes-admin", "", List.of("system:masters")));
        objects().createIfAbsent(JsonTrees.readResource(SimulatedApiServer.class, "api-server.json"));
        this.authorizer = new Authorizer(objects, options.authorization());
        this.handler = new ApiHandler(objects, authenticator, authorizer, tokens, counters);
        SimulatedControllers.start(objects, tokens, caPem, controllers);
    }

    /** The response to a request. */
    public SimulatedResponse handle(SimulatedRequest request) {
        return handler.handle(request);
    }

    /** Direct access to its objects. */
    public SimulatedObjects objects() {
        return new SimulatedObjects(objects);
    }

    /** A token with all permissions. */
    public String adminToken() {
        return adminToken;
    }

    /** Accepts and returns a new token for a user. */
    public String tokenFor(String user, String... groups) {
        String token = UUID.randomUUID().toString();
        authenticator.accept(token, UserIdentity.authenticated(user, "", List.of(groups)));
        return token;
    }

    /** Denies these requests from now on, except with {@link #adminToken}; reviews of permissions agree. */
    public void deny(Predicate<AuthorizationAttributes> some) {
        authorizer.deny(some);
    }

    ObjectOperations operations() {
        return objects;
    }

    Authenticator authenticator() {
        return authenticator;
    }

    Authorizer authorizer() {
        return authorizer;
    }

    RequestCounters counters() {
        return counters;
    }
}
