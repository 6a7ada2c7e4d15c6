package io.osmhub.sim.http;

import io.osmhub.sim.auth.Authenticator;
import io.osmhub.sim.auth.Authorizer;
import io.osmhub.sim.auth.Authorizer.AuthorizationAttributes;
import io.osmhub.sim.auth.UserIdentity;
import io.osmhub.sim.faults.ClusterFaults;
import io.osmhub.sim.faults.ClusterFaults.FaultAction;
import io.osmhub.sim.faults.ClusterFaults.MemoryAttack;
import io.osmhub.sim.faults.ClusterFaults.Switch;
import io.osmhub.sim.http.ClusterServer.ClusterComponents;
import io.osmhub.sim.http.SimulatedRequest.ApiPath;
import io.osmhub.sim.objects.ApiError;
import io.osmhub.sim.objects.ObjectOperations;
import io.osmhub.sim.objects.ResourceKey;
import io.osmhub.sim.objects.ResourceType;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;
import javax.net.ssl.SSLPeerUnverifiedException;

/** Handles every request of one cluster: faults, authentication, authorization, the verb, counting. Runs on the cluster's event loop. */
final class ApiHandler implements Handler<HttpServerRequest> {
    private static final System.Logger LOG = System.getLogger(ApiHandler.class.getName());
    private static final Pattern HEALTH = Pattern.compile("/(healthz|readyz|livez)(/.*)?");
    private static final DateTimeFormatter HTTP_DATE = DateTimeFormatter.ofPattern(
                    "EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private final Vertx vertx;
    private final ObjectOperations objects;
    private final Authenticator authenticator;
    private final Authorizer authorizer;
    private final ResourceVerbs verbs;
    private final DiscoveryDocuments discovery;
    private final ClusterFaults faults;
    private final RequestCounters counters;

    ApiHandler(Vertx vertx, ClusterComponents parts) {
        this.vertx = vertx;
        this.objects = parts.objects();
        this.authenticator = parts.authenticator();
        this.authorizer = parts.authorizer();
        this.verbs = new ResourceVerbs(parts.objects(), parts.reviews(), parts.tokens());
        this.discovery = new DiscoveryDocuments(parts.objects().catalog());
        this.faults = parts.faults();
        this.counters = parts.counters();
    }

    @Override
    public void handle(HttpServerRequest request) {
        request.body().onSuccess(body -> {
            boolean needsSeat = !"true".equals(request.getParam("watch"));
            if (needsSeat && !faults.tryAcquireSlot()) {
                reject(new SimulatedRequest(request, body, UserIdentity.ANONYMOUS), 429, Duration.ofSeconds(1));
                return;
            }
            Runnable task = () -> {
                if (needsSeat) {
                    faults.releaseSlot();
                }
                begin(request, body);
            };
            long delay = faults.latency().toMillis();
            if (delay > 0) {
                vertx.setTimer(delay, _ -> task.run());
            } else {
                task.run();
            }
        });
    }

    private void begin(HttpServerRequest request, Buffer body) {
        Optional<UserIdentity> known = identify(request);
        SimulatedRequest exchange = new SimulatedRequest(request, body, known.orElse(UserIdentity.ANONYMOUS));
        try {
            switch (faults.decide(exchange.requestInfo())) {
                case FaultAction.Pass() -> {
                    if (known.isEmpty()) {
                        throw ApiError.unauthorized();
                    }
                    proceed(exchange);
                }
                case FaultAction.Fail(int code, Duration retryAfter) -> reject(exchange, code, retryAfter);
                case FaultAction.AttackResponse(MemoryAttack by) -> {
                    count(exchange, 200);
                    MemoryAttackWriter.writeEndlessResponse(vertx, exchange, by);
                }
                case FaultAction.Drop() -> drop(exchange);
                case FaultAction.DropResponse() -> {
                    respond(exchange);
                    drop(exchange);
                }
                case FaultAction.FailResponse(int code) -> {
                    respond(exchange);
                    send(exchange, SimulatedResponse.of(ApiError.injected(code)));
                }
            }
        } catch (ApiError refused) {
            send(exchange, SimulatedResponse.of(refused));
        } catch (RuntimeException bug) {
            LOG.log(
                    System.Logger.Level.ERROR,
                    request.method() + " " + request.path() + " failed because of a bug in the simulator",
                    bug);
            send(exchange, SimulatedResponse.of(ApiError.internal(String.valueOf(bug.getMessage()))));
        }
    }

    private void reject(SimulatedRequest exchange, int code, Duration retryAfter) {
        if (!retryAfter.isZero()) {
            exchange.request().response().putHeader("Retry-After", Long.toString(retryAfter.toSeconds()));
        }
        ApiError error = code == 429 ? ApiError.tooManyRequests(retryAfter.toSeconds()) : ApiError.injected(code);
        send(exchange, SimulatedResponse.of(error));
    }

    private void drop(SimulatedRequest exchange) {
        count(exchange, 0);
        exchange.request().connection().close();
    }

    private void proceed(SimulatedRequest exchange) {
        if (exchange.verb().equals("watch")) {
            authorize(exchange);
            watch(exchange, exchange.path().orElseThrow(ApiError::noSuchPath));
        } else {
            send(exchange, respond(exchange));
        }
    }

    private SimulatedResponse respond(SimulatedRequest exchange) {
        authorize(exchange);
        Optional<ApiPath> path = exchange.path();
        if (path.isPresent()) {
            return verbs.handle(exchange, path.get());
        }
        String plain = exchange.request().path();
        if (HEALTH.matcher(plain).matches()) {
            return SimulatedResponse.text("ok");
        }
        return discovery
                .find(plain)
                .map(tree -> SimulatedResponse.json(200, tree))
                .orElseThrow(ApiError::noSuchPath);
    }

    private void authorize(SimulatedRequest exchange) {
        AuthorizationAttributes attributes = exchange.attributes();
        if (HEALTH.matcher(attributes.path()).matches() || authorizer.allows(exchange.identity(), attributes)) {
            return;
        }
        String user = exchange.identity().name();
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

    private void watch(SimulatedRequest exchange, ApiPath path) {
        ResourceType type = verbs.type(path);
        if (exchange.header("Upgrade").equalsIgnoreCase("websocket")) {
            throw ApiError.noWebSockets();
        }
        if (faults.isOn(Switch.WATCHES_ARE_GONE)) {
            throw ApiError.expired("too old resource version: injected fault");
        }
        // A real server ends watches after 30 to 60 minutes if the client sets no timeout.
        int seconds =
                exchange.number("timeoutSeconds", ThreadLocalRandom.current().nextInt(1800, 3600));
        WatchStream.WatchParameters parameters = new WatchStream.WatchParameters(
                verbs.query(exchange, path, type),
                exchange.parameter("resourceVersion"),
                exchange.flag("allowWatchBookmarks"),
                exchange.flag("sendInitialEvents"),
                Duration.ofSeconds(seconds));
        HttpServerResponse response = exchange.request().response();
        addDate(response);
        new WatchStream(vertx, response, objects, type, verbs.view(exchange), parameters, faults).start();
        count(exchange, 200);
    }

    /** The caller; empty if its credential is invalid, or missing but required. */
    private Optional<UserIdentity> identify(HttpServerRequest request) {
        String header = request.getHeader("Authorization");
        boolean health =
                HEALTH.matcher(request.path()).matches() || request.path().equals("/version");
        if (faults.isOn(Switch.CREDENTIALS_EXPIRED) && !health) {
            return Optional.empty();
        }
        Optional<UserIdentity> byCertificate = certificate(request).flatMap(authenticator::authenticateCertificate);
        if (byCertificate.isPresent()) {
            return byCertificate;
        }
        if (header != null && header.regionMatches(true, 0, "Bearer ", 0, 7)) {
            return authenticator.authenticateToken(header.substring(7).strip());
        }
        boolean anonymous = health || authorizer.mode() == Authorizer.Mode.RBAC;
        return anonymous && header == null ? Optional.of(UserIdentity.ANONYMOUS) : Optional.empty();
    }

    private static Optional<X509Certificate> certificate(HttpServerRequest request) {
        try {
            List<Certificate> chain = request.connection().peerCertificates();
            return chain.isEmpty() ? Optional.empty() : Optional.of((X509Certificate) chain.getFirst());
        } catch (SSLPeerUnverifiedException none) {
            return Optional.empty();
        }
    }

    private void send(SimulatedRequest exchange, SimulatedResponse answer) {
        count(exchange, answer.code());
        HttpServerResponse response = exchange.request().response();
        if (response.ended() || response.closed()) {
            return;
        }
        addDate(response);
        response.setStatusCode(answer.code())
                .putHeader("Content-Type", answer.contentType())
                .putHeader("Content-Length", Integer.toString(answer.body().length))
                .putHeader("Cache-Control", "no-cache, private")
                .end(Buffer.buffer(answer.body()));
    }

    /** Code 0 means no response. */
    private void count(SimulatedRequest exchange, int code) {
        counters.count(exchange.verb(), exchange.resource(), exchange.identity().name(), code);
    }

    private void addDate(HttpServerResponse response) {
        response.putHeader("Date", HTTP_DATE.format(objects.clock().instant()));
    }
}
