package io.osmhub.sim.http;

import io.osmhub.sim.auth.Attributes;
import io.osmhub.sim.auth.Authenticator;
import io.osmhub.sim.auth.Authorizer;
import io.osmhub.sim.auth.Identity;
import io.osmhub.sim.count.RequestCounters;
import io.osmhub.sim.faults.Attack;
import io.osmhub.sim.faults.Faults;
import io.osmhub.sim.faults.Verdict;
import io.osmhub.sim.objects.Objects;
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
    private final Objects objects;
    private final Authenticator authenticator;
    private final Authorizer authorizer;
    private final ResourceVerbs verbs;
    private final Discovery discovery;
    private final OpenApi openApi;
    private final Faults faults;
    private final RequestCounters counters;
    private final Duration bookmarkInterval;

    ApiHandler(Vertx vertx, ClusterParts parts) {
        this.vertx = vertx;
        this.objects = parts.objects();
        this.authenticator = parts.authenticator();
        this.authorizer = parts.authorizer();
        this.verbs = new ResourceVerbs(parts.objects(), parts.reviews(), parts.tokens());
        this.discovery = new Discovery(parts.objects().catalog(), parts.version());
        this.openApi = new OpenApi(parts.objects().catalog());
        this.faults = parts.faults();
        this.counters = parts.counters();
        this.bookmarkInterval = parts.bookmarkInterval();
    }

    @Override
    public void handle(HttpServerRequest request) {
        request.body().onSuccess(body -> {
            boolean counts = !"true".equals(request.getParam("watch"));
            if (counts && !faults.takeSeat()) {
                request.response().putHeader("Retry-After", "1");
                send(new Exchange(request, body, Identity.ANONYMOUS), Answer.of(ApiError.tooManyRequests(1)));
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
            faults.leaveSeat();
        }
        begin(request, body);
    }

    private void begin(HttpServerRequest request, Buffer body) {
        Optional<Identity> known = identify(request);
        Exchange exchange = new Exchange(request, body, known.orElse(Identity.ANONYMOUS));
        try {
            switch (faults.judge(exchange.line())) {
                case Verdict.Pass() -> {
                    if (known.isEmpty()) {
                        throw ApiError.unauthorized();
                    }
                    proceed(exchange);
                }
                case Verdict.Fail(int code, Duration retryAfter) -> {
                    if (!retryAfter.isZero()) {
                        request.response().putHeader("Retry-After", Long.toString(retryAfter.toSeconds()));
                    }
                    send(
                            exchange,
                            Answer.of(
                                    code == 429
                                            ? ApiError.tooManyRequests(retryAfter.toSeconds())
                                            : ApiError.injected(code)));
                }
                case Verdict.Attacked(Attack by) -> {
                    counters.count(
                            exchange.verb(),
                            exchange.resource(),
                            exchange.identity().name(),
                            200);
                    Attacker.answer(vertx, exchange, by);
                }
                case Verdict.Hang() ->
                    counters.count(
                            exchange.verb(),
                            exchange.resource(),
                            exchange.identity().name(),
                            0);
                case Verdict.Drop() -> drop(exchange);
                case Verdict.DropAnswer() -> {
                    allowedAnswer(exchange);
                    drop(exchange);
                }
                case Verdict.FailAnswer(int code) -> {
                    allowedAnswer(exchange);
                    send(exchange, Answer.of(ApiError.injected(code)));
                }
            }
        } catch (ApiError refused) {
            send(exchange, Answer.of(refused));
        } catch (RuntimeException mistake) {
            LOG.log(
                    System.Logger.Level.ERROR,
                    request.method() + " " + request.path() + " failed by a mistake of the simulator",
                    mistake);
            send(exchange, Answer.of(ApiError.internal(String.valueOf(mistake.getMessage()))));
        }
    }

    private void drop(Exchange exchange) {
        counters.count(exchange.verb(), exchange.resource(), exchange.identity().name(), 0);
        exchange.request().connection().close();
    }

    private void proceed(Exchange exchange) {
        if (exchange.verb().equals("watch")) {
            authorize(exchange);
            watch(exchange, exchange.path().orElseThrow(ApiError::noSuchPath));
        } else {
            send(exchange, allowedAnswer(exchange));
        }
    }

    private Answer allowedAnswer(Exchange exchange) {
        authorize(exchange);
        Optional<ApiPath> path = exchange.path();
        if (path.isPresent()) {
            return verbs.answer(exchange, path.get());
        }
        String plain = exchange.request().path();
        if (HEALTH.matcher(plain).matches()) {
            return Answer.text("ok");
        }
        return openApi.at(plain)
                .or(() -> discovery.at(plain))
                .map(tree -> Answer.json(200, tree))
                .orElseThrow(ApiError::noSuchPath);
    }

    private void authorize(Exchange exchange) {
        Attributes attributes = exchange.attributes();
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

    private void watch(Exchange exchange, ApiPath path) {
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
        WatchStream.Wish wish = new WatchStream.Wish(
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

    /** Who asks: nobody (empty) when a credential was shown that is not valid, or none where one is needed. */
    private Optional<Identity> identify(HttpServerRequest request) {
        String header = request.getHeader("Authorization");
        boolean health =
                HEALTH.matcher(request.path()).matches() || request.path().equals("/version");
        if (faults.credentialsExpired() && !health) {
            return Optional.empty();
        }
        Optional<Identity> byCertificate = certificate(request).flatMap(authenticator::byCertificate);
        if (byCertificate.isPresent()) {
            return byCertificate;
        }
        if (header != null && header.regionMatches(true, 0, "Bearer ", 0, 7)) {
            return authenticator.byToken(header.substring(7).strip());
        }
        boolean anonymous = health || authorizer.mode() == Authorizer.Mode.RBAC;
        return anonymous && header == null ? Optional.of(Identity.ANONYMOUS) : Optional.empty();
    }

    private static Optional<X509Certificate> certificate(HttpServerRequest request) {
        try {
            List<Certificate> chain = request.connection().peerCertificates();
            return chain.isEmpty() ? Optional.empty() : Optional.of((X509Certificate) chain.getFirst());
        } catch (SSLPeerUnverifiedException none) {
            return Optional.empty();
        }
    }

    private void send(Exchange exchange, Answer answer) {
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
