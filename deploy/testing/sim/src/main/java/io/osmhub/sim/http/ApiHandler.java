package io.osmhub.sim.http;

import io.osmhub.sim.auth.Authenticator;
import io.osmhub.sim.auth.Authorizer;
import io.osmhub.sim.auth.Authorizer.AuthorizationAttributes;
import io.osmhub.sim.auth.ReviewHandler;
import io.osmhub.sim.auth.ServiceAccountTokens;
import io.osmhub.sim.auth.UserIdentity;
import io.osmhub.sim.http.SimulatedRequest.ApiPath;
import io.osmhub.sim.objects.ApiError;
import io.osmhub.sim.objects.ObjectOperations;
import io.osmhub.sim.objects.ResourceKey;
import io.osmhub.sim.objects.ResourceType;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;

/** Handles every request of one cluster: authentication, authorization, the verb, counting. Thread-safe. */
public final class ApiHandler {
    private static final System.Logger LOG = System.getLogger(ApiHandler.class.getName());
    private static final Pattern HEALTH = Pattern.compile("/(healthz|readyz|livez)(/.*)?");

    private final ObjectOperations objects;
    private final Authenticator authenticator;
    private final Authorizer authorizer;
    private final ResourceVerbs verbs;
    private final DiscoveryDocuments discovery;
    private final RequestCounters counters;

    public ApiHandler(
            ObjectOperations objects,
            Authenticator authenticator,
            Authorizer authorizer,
            ServiceAccountTokens tokens,
            RequestCounters counters) {
        this.objects = objects;
        this.authenticator = authenticator;
        this.authorizer = authorizer;
        this.verbs = new ResourceVerbs(objects, new ReviewHandler(authenticator, authorizer), tokens);
        this.discovery = new DiscoveryDocuments(objects.catalog());
        this.counters = counters;
    }

    public SimulatedResponse handle(SimulatedRequest request) {
        Optional<UserIdentity> known = identify(request);
        UserIdentity user = known.orElse(UserIdentity.ANONYMOUS);
        SimulatedResponse response;
        try {
            if (known.isEmpty()) {
                throw ApiError.unauthorized();
            }
            authorize(request, user);
            response = respond(request, user);
        } catch (ApiError refused) {
            response = SimulatedResponse.of(refused);
        } catch (RuntimeException bug) {
            LOG.log(
                    System.Logger.Level.ERROR,
                    request.http().method() + " " + request.plainPath() + " failed because of a bug in the simulator",
                    bug);
            response = SimulatedResponse.of(ApiError.internal(String.valueOf(bug.getMessage())));
        }
        counters.count(request.verb(), request.resource(), user.name(), response.code());
        return response;
    }

    private SimulatedResponse respond(SimulatedRequest request, UserIdentity user) {
        Optional<ApiPath> path = request.path();
        if (path.isPresent()) {
            return request.verb().equals("watch")
                    ? watch(request, path.get())
                    : verbs.handle(request, path.get(), user);
        }
        if (HEALTH.matcher(request.plainPath()).matches()) {
            return SimulatedResponse.text("ok");
        }
        return discovery
                .find(request.plainPath())
                .map(tree -> SimulatedResponse.json(200, tree))
                .orElseThrow(ApiError::noSuchPath);
    }

    private void authorize(SimulatedRequest request, UserIdentity identity) {
        AuthorizationAttributes attributes = request.attributes();
        if (HEALTH.matcher(attributes.path()).matches() || authorizer.allows(identity, attributes)) {
            return;
        }
        String user = identity.name();
        if (!attributes.path().isEmpty()) {
            throw ApiError.forbiddenPath("forbidden: User \"%s\" cannot %s path \"%s\""
                    .formatted(user, attributes.verb(), attributes.path()));
        }
        String where = attributes.namespace().isEmpty() || attributes.resource().equals("namespaces")
                ? "at the cluster scope"
                : "in the namespace \"%s\"".formatted(attributes.namespace());
        throw ApiError.forbidden(
                new ResourceKey(attributes.group(), attributes.resource()),
                attributes.name(),
                "User \"%s\" cannot %s resource \"%s\" in API group \"%s\" %s"
                        .formatted(user, attributes.verb(), attributes.fullResource(), attributes.group(), where));
    }

    private SimulatedResponse watch(SimulatedRequest request, ApiPath path) {
        ResourceType type = verbs.type(path);
        if (request.header("Upgrade").equalsIgnoreCase("websocket")) {
            throw ApiError.noWebSockets();
        }
        // A real server ends watches after 30 to 60 minutes if the client sets no timeout.
        int seconds =
                request.number("timeoutSeconds", ThreadLocalRandom.current().nextInt(1800, 3600));
        WatchStream.WatchParameters parameters = new WatchStream.WatchParameters(
                verbs.query(request, path, type),
                WatchStream.revision(request.parameter("resourceVersion")),
                request.flag("allowWatchBookmarks"),
                request.flag("sendInitialEvents"),
                Duration.ofSeconds(seconds));
        ResponseEncoding encoding = verbs.view(request);
        return SimulatedResponse.events(
                (loop, write, end) -> new WatchStream(objects, type, encoding, parameters, loop, write, end).start());
    }

    /** Whether a path is served without a credential. */
    public static boolean isPublic(SimulatedRequest request) {
        return HEALTH.matcher(request.plainPath()).matches()
                || request.plainPath().equals("/version");
    }

    /** The caller; empty if its credential is invalid, or missing but required. */
    private Optional<UserIdentity> identify(SimulatedRequest request) {
        X509Certificate certificate = request.http().certificate();
        Optional<UserIdentity> byCertificate =
                Optional.ofNullable(certificate).flatMap(authenticator::authenticateCertificate);
        if (byCertificate.isPresent()) {
            return byCertificate;
        }
        String header = request.header("Authorization");
        if (header.regionMatches(true, 0, "Bearer ", 0, 7)) {
            return authenticator.authenticateToken(header.substring(7).strip());
        }
        boolean anonymous = isPublic(request) || authorizer.mode() == Authorizer.Mode.RBAC;
        return anonymous && header.isEmpty() ? Optional.of(UserIdentity.ANONYMOUS) : Optional.empty();
    }
}
