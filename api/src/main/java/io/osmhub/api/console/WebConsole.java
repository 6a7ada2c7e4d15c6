package io.osmhub.api.console;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.osmhub.api.access.OidcSignIn;
import io.osmhub.api.access.SessionCookies;
import io.osmhub.api.access.SessionCookies.NewSession;
import io.osmhub.api.http.PageCall;
import io.osmhub.api.http.ProblemPageRenderer;
import io.osmhub.api.http.Reply;
import io.osmhub.api.http.ResponseHeaders;
import io.osmhub.api.http.WebPage;
import io.osmhub.api.problem.ApiProblem;
import io.osmhub.core.lint.MatrixFilter.KubernetesVersions;
import io.osmhub.core.model.Sensitive;
import java.net.URLEncoder;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The web console: one static page for all addresses, whose script reads the API; and the sign-in, which no script sees. */
public final class WebConsole implements ProblemPageRenderer {
    private static final int SEE_OTHER = 303;

    /** What a page may load and do: its own style sheet and scripts, whose library makes elements, and nothing that a text could inject. */
    private static final Map<String, String> HEADERS = Map.of(
            "Content-Security-Policy",
            ResponseHeaders.PAGE_POLICY + "; trusted-types lit-html",
            "Cache-Control",
            "no-store");

    private static final String MACHINE_DEPLOYMENT =
            "/tenants/{namespace}/machine-deployments/{machineDeploymentNamespace}/{machineDeploymentName}";

    /** Addresses of the console's views, as in app.js. */
    static final List<String> VIEWS = List.of(
            "/",
            "/problems",
            "/problems/resolved",
            "/clusters/{namespace}/{name}",
            MACHINE_DEPLOYMENT,
            MACHINE_DEPLOYMENT + "/history",
            "/tenants/{namespace}/machines/{machineNamespace}/{machineName}",
            "/profiles",
            "/profiles/{namespace}/{name}",
            "/register",
            "/find");

    private final ConsoleAssets assets = new ConsoleAssets();
    private final DoorPages door = new DoorPages(assets.version());
    private final Reply viewReply;
    private final SessionCookies sessions;
    private final OneTimeLinks links;
    private final @Nullable OidcSignIn oidc;

    /** @param oidc null without sign-in by an OIDC provider */
    public WebConsole(SessionCookies sessions, @Nullable OidcSignIn oidc, InstantSource clock) {
        this.sessions = sessions;
        this.oidc = oidc;
        this.links = new OneTimeLinks(clock);
        String preload = assets.modules().stream()
                .map(module -> "<link rel=\"modulepreload\" href=\"" + module + "\">")
                .collect(Collectors.joining("\n  "));
        String html = ConsoleAssets.text("assets/console.html")
                .replace("@version@", assets.version())
                .replace("@preload@", preload)
                .replace("@kubernetes@", String.join(" ", KubernetesVersions.MINORS.reversed()));
        viewReply = html(200, new Reply.ReplyContent("text/html; charset=utf-8", html.getBytes(UTF_8)));
    }

    /** All pages. */
    public List<WebPage> pages() {
        List<WebPage> pages = new ArrayList<>();
        VIEWS.forEach(path -> pages.add(WebPage.get(path, call -> viewReply)));
        pages.add(WebPage.get("/signin", call -> signIn(call.query("back").orElse("/"), "", 200))
                .withoutSignIn());
        pages.add(WebPage.get("/signin/once", this::onOneTimeSignIn).withoutSignIn());
        OidcSignIn provider = oidc;
        if (provider != null) {
            pages.add(WebPage.get("/signin/oidc", call -> startOidc(provider, call))
                    .withoutSignIn());
            pages.add(new WebPage(
                    "GET", OidcSignIn.CALLBACK, false, "session.begin", call -> onOidcResponse(provider, call)));
        }
        pages.add(WebPage.post("/signin", "session.begin", this::onSignIn).withoutSignIn());
        pages.addAll(assets.pages());
        return List.copyOf(pages);
    }

    /** Path of a one-time page that signs in as the token's user within minutes; for starting a trial hub. */
    public String createSignInLink(Sensitive token) {
        return "/signin/once?code=" + links.make(token);
    }

    // --- sign-in

    private Reply signIn(String back, String refusal, int status) {
        String page = local(back);
        return html(
                status,
                door.signIn(
                        page,
                        refusal,
                        oidc == null ? null : oidc.providerName(),
                        "/signin/oidc?back=" + URLEncoder.encode(page, UTF_8)));
    }

    private Reply signIn(String back, ApiProblem refused) {
        Duration wait = refused.retryAfter();
        Reply page = signIn(back, refused.detail(), refused.status());
        return wait == null ? page : page.withHeader("Retry-After", String.valueOf(Math.max(1, wait.toSeconds())));
    }

    private Reply startOidc(OidcSignIn provider, PageCall call) {
        String back = local(call.query("back").orElse("/"));
        try {
            OidcSignIn.StartedFlow flow = provider.start(call.host(), back, call.address());
            return goTo(flow.location().toString()).withCookie(flow.cookie());
        } catch (OidcSignIn.OidcFailure failure) {
            return signIn(back, failure.message(), failure.status());
        } catch (ApiProblem refused) {
            return signIn(back, refused);
        }
    }

    private Reply onOidcResponse(OidcSignIn provider, PageCall call) {
        Map<String, String> response = new HashMap<>();
        for (String name : List.of("code", "state", "iss", "error")) {
            call.query(name).ifPresent(value -> response.put(name, value));
        }
        try {
            OidcSignIn.CompletedFlow flow = provider.complete(response, call.cookie(OidcSignIn.COOKIE), call.address());
            String back = local(flow.back());
            String refusal = "The management cluster does not accept ID tokens of " + provider.providerName()
                    + " for the hub's client. Configure the API server for this issuer and client.";
            Reply begun = beginSession(call, flow.idToken().reveal(), back, refusal);
            if (begun.status() != SEE_OTHER) {
                return begun.withCookie(OidcSignIn.endedCookie());
            }
            // A redirect would continue the navigation from the provider's site, for which browsers do not send the
            // session cookie.
            return html(200, door.signedIn(back))
                    .withCookie(begun.headers().getOrDefault("Set-Cookie", ""))
                    .withCookie(OidcSignIn.endedCookie());
        } catch (OidcSignIn.OidcFailure failure) {
            Reply page = signIn("/", failure.message(), failure.status());
            // A response that is not for the flow of this browser, or that may be repeated, does not end the flow.
            return failure.endsFlow() ? page.withCookie(OidcSignIn.endedCookie()) : page;
        } catch (ApiProblem refused) {
            return signIn("/", refused);
        }
    }

    private Reply onSignIn(PageCall call) throws ApiProblem {
        String back = local(call.form("back").orElse("/"));
        String token = call.form("token").orElse("").strip();
        if (token.isEmpty()) {
            return signIn(back, "The field is empty. Paste a token.", 400);
        }
        return beginSession(call, token, back, "The management cluster does not accept this token for the hub.");
    }

    /** Goes to {@code back} with a session, or shows why there is none; {@code refusal} if the token is not valid. */
    private Reply beginSession(PageCall call, String token, String back, String refusal) {
        try {
            Optional<NewSession> begun = sessions.startSession(new Sensitive(token), call.address());
            return begun.map(session -> goTo(back).withCookie(session.cookie()))
                    .orElseGet(() -> signIn(back, refusal, 401));
        } catch (ApiProblem refused) {
            return signIn(back, refused);
        }
    }

    private Reply onOneTimeSignIn(PageCall call) throws ApiProblem {
        Optional<OneTimeLinks.OneTimeLink> link = links.use(call.query("code").orElse(""));
        if (link.isEmpty()) {
            return signIn("/", "This link was already used or has expired. Sign in with a token.", 401);
        }
        try {
            NewSession session =
                    sessions.startSession(link.get().token(), call.address()).orElseThrow(ApiProblem::unauthenticated);
            return goTo("/").withCookie(session.cookie());
        } catch (ApiProblem refused) {
            if (refused.retryAfter() != null) {
                links.restore(link.get());
            }
            throw refused;
        }
    }

    /** Redirect target after sign-in: only a page of this console. */
    static String local(String back) {
        return back.matches("/(?!/)[!-~&&[^\\\\]]{0,2000}") ? back : "/";
    }

    // --- replies

    @Override
    public Reply.ReplyContent renderProblem(ApiProblem problem, String requestId) {
        return door.problem(problem, requestId);
    }

    private static Reply html(int status, Reply.ReplyContent page) {
        return new Reply(status, page, HEADERS);
    }

    private static Reply goTo(String address) {
        return new Reply(SEE_OTHER, null, Map.of("Location", address));
    }
}
