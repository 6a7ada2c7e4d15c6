package io.osmhub.api;

import io.osmhub.api.access.CallerAuthorizer;
import io.osmhub.api.access.CallerRateLimiter;
import io.osmhub.api.access.OidcSignIn;
import io.osmhub.api.access.OidcSignIn.OidcOptions;
import io.osmhub.api.access.ReviewMetrics;
import io.osmhub.api.access.SessionCookies;
import io.osmhub.api.access.SubjectAccessReviewAuthorizer;
import io.osmhub.api.access.TokenReviewAuthenticator;
import io.osmhub.api.access.TokenReviewThrottle;
import io.osmhub.api.console.WebConsole;
import io.osmhub.api.contract.ApiContract;
import io.osmhub.api.docs.DocumentationPages;
import io.osmhub.api.http.CallerOperations;
import io.osmhub.api.http.HttpLimits;
import io.osmhub.api.http.HttpObserver;
import io.osmhub.api.http.HubHttpServer;
import io.osmhub.api.http.Operation;
import io.osmhub.api.http.ProblemPageRenderer;
import io.osmhub.api.http.WebPage;
import io.osmhub.api.peer.PeerReplicas;
import io.osmhub.core.model.Sensitive;
import io.osmhub.tenancy.certificate.ServingCertificate;
import io.osmhub.tenancy.certificate.SessionKeys;
import io.osmhub.workersync.apiserver.KubeApi;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Assembles API, console and documents: the management cluster authenticates callers, operations respond. */
public final class HubApi {
    /** Minimum duration of a rejected sign-in. */
    private static final Duration REFUSAL = Duration.ofSeconds(1);

    private final @Nullable WebConsole console;
    private final CallerRateLimiter rates;
    private final HubHttpServer server;

    /**
     * Configuration by the operator.
     *
     * @param audiences accepted audiences of tokens
     * @param reviewLife cache lifetime of a token review
     * @param sessionLife of a console session
     * @param console whether to serve the console
     * @param audits whether to log writes as audit lines
     * @param sharedProfiles namespace of the profiles that all tenants may use
     * @param oidc null without sign-in by an OIDC provider
     */
    public record ApiOptions(
            List<String> audiences,
            Duration reviewLife,
            Duration sessionLife,
            CallerRateLimiter.CallerRateLimit rate,
            long bodyBytes,
            boolean console,
            boolean audits,
            String sharedProfiles,
            @Nullable OidcOptions oidc) {
        public ApiOptions {
            audiences = List.copyOf(audiences);
        }
    }

    /**
     * Dependencies of the API.
     *
     * @param tenants current namespaces of all tenants, whichever replica serves them
     * @param namespaces current namespaces of all tenants and of those with only profiles; the same object until one is added or
     *     removed
     * @param operations all of the contract except those about callers
     * @param sessions keys that seal console sessions
     * @param replicaPages pages for the other replicas
     * @param threads one virtual thread per task
     */
    public record ApiDependencies(
            Vertx vertx,
            KubeApi management,
            Supplier<? extends Collection<String>> tenants,
            Supplier<Set<String>> namespaces,
            Function<CallerAuthorizer, List<Operation>> operations,
            ServingCertificate certificate,
            HttpObserver observer,
            ReviewMetrics reviews,
            SessionKeys sessions,
            PeerReplicas peers,
            List<WebPage> replicaPages,
            ExecutorService threads) {}

    /** Creates an API that does not listen yet. */
    public HubApi(ApiDependencies parts, ApiOptions options) {
        OidcOptions oidc = options.oidc();
        Predicate<String> isIdToken = oidc == null ? token -> false : oidc::isIdToken;
        TokenReviewAuthenticator tokens = new TokenReviewAuthenticator(
                parts.management(),
                options.audiences(),
                isIdToken,
                options.reviewLife(),
                System::nanoTime,
                parts.reviews());
        CallerAuthorizer access = new SubjectAccessReviewAuthorizer(
                parts.management(),
                parts.namespaces(),
                parts.threads(),
                options.reviewLife(),
                System::nanoTime,
                parts.reviews());
        TokenReviewThrottle strangers = new TokenReviewThrottle(tokens, System::nanoTime);
        SessionCookies sessions =
                new SessionCookies(strangers, parts.sessions(), options.sessionLife(), REFUSAL, InstantSource.system());
        List<Operation> operations = new ArrayList<>(parts.operations().apply(access));
        operations.addAll(
                new CallerOperations(access, sessions, parts.tenants(), options.sharedProfiles()).operations());
        ApiContract contract = parts.peers().contract();
        List<WebPage> pages = new ArrayList<>(new DocumentationPages(contract).pages());
        pages.addAll(parts.replicaPages());
        ProblemPageRenderer problems = DocumentationPages::renderProblem;
        if (options.console()) {
            WebConsole made = new WebConsole(
                    sessions,
                    oidc == null ? null : new OidcSignIn(oidc, parts.sessions(), InstantSource.system()),
                    InstantSource.system());
            pages.addAll(made.pages());
            problems = made;
            console = made;
        } else {
            console = null;
        }
        rates = new CallerRateLimiter(options.rate(), System::nanoTime);
        server = new HubHttpServer(
                parts.vertx(),
                new HubHttpServer.HttpServerDependencies(
                        new HubHttpServer.ServerContent(contract, operations, pages, problems, false),
                        new HubHttpServer.CallerControl(
                                strangers, sessions, parts.peers().tickets(), rates),
                        parts.certificate(),
                        HttpLimits.usual(options.bodyBytes()),
                        parts.observer(),
                        parts.threads(),
                        options.audits()));
    }

    /** See {@link HubHttpServer#listen}. */
    public Future<Integer> listen(String host, int port) {
        return server.listen(host, port);
    }

    /** Path of a one-time console page that signs in as the token's user. */
    public String createSignInLink(Sensitive token) {
        if (console == null) {
            throw new IllegalStateException("the console is switched off");
        }
        return console.createSignInLink(token);
    }

    /** Takes effect immediately. */
    public void setRateLimit(CallerRateLimiter.CallerRateLimit limit) {
        rates.limit(limit);
    }

    /** Stops listening and closes all connections. */
    public Future<Void> close() {
        return server.close();
    }
}
