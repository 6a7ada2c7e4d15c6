package io.osmhub.sim.http;

import io.osmhub.sim.auth.Authenticator;
import io.osmhub.sim.auth.AuthorizationAttributes;
import io.osmhub.sim.auth.Authorizer;
import io.osmhub.sim.auth.UserIdentity;
import io.osmhub.sim.count.RequestCounters;
import io.osmhub.sim.faults.ClusterFaults;
import io.osmhub.sim.faults.FaultAction;
import io.osmhub.sim.faults.MemoryAttack;
import io.osmhub.sim.objects.ObjectOperations;
import io.osmhub.sim.resource.ResourceKey;
import io.osmhub.sim.resource.ResourceType;
import io.osmhub.sim.status.ApiError;
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

/** Every request of one cluster: faults, who asks, may they, do it, count it. Runs on the event loop of the cluster. */
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
    private final OpenApiDocuments openApi;
    private final ClusterFaults faults;
    private final RequestCounters counters;
    private final Duration bookmarkInterval;

    ApiHandler(Vertx vertx, ClusterComponents parts) {
        this.vertx = vertx;
        this.objects = parts.objects();
        this.authenticator = parts.authenticator();
        this.authorizer = parts.authorizer();
        this.verbs = new ResourceVerbs(parts.objects(), parts.reviews(), parts.tokens());
        this.discovery = new DiscoveryDocuments(parts.objects().catalog(), parts.version());
        this.openApi = new OpenApiDocuments(parts.objects().catalog());
        this.faults = parts.faults();
        this.counters = parts.counters();
        this.bookmarkInterval = parts.bookmarkInterval();
    }

    @Override
    public void handle(HttpServerRequest request) {
        request.body().onSuccess(body -> {
            boolean counts = !"true".equals(request.getParam("watch"));
            if (counts && !faults.tryAcquireSlot()) {
                request.response().putHeader("Retry-After", "1");
                send(
                        new SimulatedRequest(request, body, UserIdentity.ANONYMOUS),
                        SimulatedResponse.of(ApiError.tooManyRequests(1)));
                return;
            }
            long delay = faults.latency().toMillis();
            if (delay > 0) {
                vertx.setTimer(delay, _ -> seated(request, body, counts));
            } else {
                seated(request, body, counts);
            }
        });
    }

    private void seated(HttpServerRequest request, Buffer body, boolean counts) {
        if (counts) {
            faults.releaseSlot();
        }
        begin(request, body);
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
                case FaultAction.Fail(int code, Duration retryAfter) -> {
                    if (!retryAfter.isZero()) {
                        request.response().putHeader("Retry-After", Long.toString(retryAfter.toSeconds()));
                    }
                    send(
                            exchange,
                            SimulatedResponse.of(
                                    code == 429
                                            ? ApiError.tooManyRequests(retryAfter.toSeconds())
                                            : ApiError.injected(code)));
                }
                case FaultAction.AttackResponse(MemoryAttack by) -> {
                    counters.count(
                            exchange.verb(),
                            exchange.resource(),
                            exchange.identity().name(),
                            200);
                    MemoryAttackWriter.writeEndlessResponse(vertx, exchange, by);
                }
                case FaultAction.Hang() ->
                    counters.count(
                            exchange.verb(),
                            exchange.resource(),
                            exchange.identity().name(),
                            0);
                case FaultAction.Drop() -> drop(exchange);
                case FaultAction.DropResponse() -> {
                    allowedAnswer(exchange);
                    drop(exchange);
                }
                case FaultAction.FailResponse(int code) -> {
                    allowedAnswer(exchange);
                    send(exchange, SimulatedResponse.of(ApiError.injected(code)));
                }
            }
        } catch (ApiError refused) {
            send(exchange, SimulatedResponse.of(refused));
        } catch (RuntimeException mistake) {
            LOG.log(
                    System.Logger.Level.ERROR,
                    request.method() + " " + request.path() + " failed by a mistake of the simulator",
                    mistake);
            send(exchange, SimulatedResponse.of(ApiError.internal(String.valueOf(mistake.getMessage()))));
        }
    }

    private void drop(SimulatedRequest exchange) {
        counters.count(exchange.verb(), exchange.resource(), exchange.identity().name(), 0);
        exchange.request().connection().close();
    }

    private void proceed(SimulatedRequest exchange) {
        if (exchange.verb().equals("watch")) {
            authorize(exchange);
            watch(exchange, exchange.path().orElseThrow(ApiError::noSuchPath));
        } else {
            send(exchange, allowedAnswer(exchange));
        }
    }

    private SimulatedResponse allowedAnswer(SimulatedRequest exchange) {
        authorize(exchange);
        Optional<ApiPath> path = exchange.path();
        if (path.isPresent()) {
            return verbs.handle(exchange, path.get());
        }
        String plain = exchange.request().path();
        if (HEALTH.matcher(plain).matches()) {
            return SimulatedResponse.text("ok");
        }
        return openApi.find(plain)
                .or(() -> discovery.find(plain))
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
        if (faults.watchesAreGone()) {
            throw ApiError.expired("too old resource version: the simulator was told so");
        }
        // A real server ends watches after 30 to 60 minutes when the client names no time.
        int seconds =
                exchange.number("timeoutSeconds", ThreadLocalRandom.current().nextInt(1800, 3600));
        WatchStream.WatchParameters wish = new WatchStream.WatchParameters(
                verbs.query(exchange, path, type),
                exchange.parameter("resourceVersion"),
                exchange.flag("allowWatchBookmarks"),
                exchange.flag("sendInitialEvents"),
                Duration.ofSeconds(seconds));
        HttpServerResponse response = exchange.request().response();
        date(response);
        WatchStream stream = new WatchStream(vertx, response, objects, type, verbs.view(exchange), wish, faults);
        stream.start(bookmarkInterval);
        counters.count("watch", exchange.resource(), exchange.identity().name(), 200);
    }

    /** The caller; empty if its credential is invalid, or missing but required. */
    private Optional<UserIdentity> identify(HttpServerRequest request) {
        String header = request.getHeader("Authorization");
        boolean health =
                HEALTH.matcher(request.path()).matches() || request.path().equals("/version");
        if (faults.credentialsExpired() && !health) {
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
        counters.count(exchange.verb(), exchange.resource(), exchange.identity().name(), answer.code());
        HttpServerResponse response = exchange.request().response();
        if (response.ended() || response.closed()) {
            return;
        }
        date(response);
        response.setStatusCode(answer.code())
                .putHeader("Content-Type", answer.contentType())
                .putHeader("Content-Length", Integer.toString(answer.body().length))
                .putHeader("Cache-Control", "no-cache, private")
                .end(Buffer.buffer(answer.body()));
    }

    private void date(HttpServerResponse response) {
        response.putHeader("Date", HTTP_DATE.format(objects.clock().instant()));
    }
}
