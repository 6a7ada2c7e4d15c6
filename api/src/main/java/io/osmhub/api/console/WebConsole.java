package io.osmhub.api.console;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.osmhub.api.access.OidcSignIn;
import io.osmhub.api.console.ConsolePage.PageView;
import io.osmhub.api.console.InProcessApi.OperationRequest;
import io.osmhub.api.http.Operation;
import io.osmhub.api.http.PageCall;
import io.osmhub.api.http.ProblemPageRenderer;
import io.osmhub.api.http.Reply;
import io.osmhub.api.http.WebPage;
import io.osmhub.api.inventory.ProblemEntries;
import io.osmhub.api.ops.FleetStatistics;
import io.osmhub.api.problem.ApiProblem;
import io.osmhub.api.problem.ProblemType;
import io.osmhub.api.schema.ApiJson;
import io.osmhub.core.model.Sensitive;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The web console's pages. Executes API operations on behalf of the user, so pages show exactly what the API returns. */
public final class WebConsole implements ProblemPageRenderer {
    private static final int SEE_OTHER = 303;
    private static final String HTML = "text/html; charset=utf-8";

    /** What a page may load and do: its own style sheet and script, nothing that a text could inject. */
    static final Map<String, String> HEADERS = Map.of(
            "Content-Security-Policy",
            "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; "
                    + "base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
            "X-Content-Type-Options",
            "nosniff",
            "Referrer-Policy",
            "no-referrer",
            "Cache-Control",
            "no-store",
            "Cross-Origin-Opener-Policy",
            "same-origin");

    private final Templates templates = new Templates();
    private final StaticAssets assets = new StaticAssets();
    private final InProcessApi desk;
    private final LongSupplier changes;
    private final InstantSource clock;
    private final PageRouter screens;
    private final TenantPage tenant = new TenantPage();
    private final ProfilePage profile = new ProfilePage();
    private final OneTimeLinks links;
    private final @Nullable OidcSignIn oidc;

    /**
     * A console over the operations of an API.
     *
     * @param figures the last hour of this replica, for charts
     * @param oidc null without sign-in by an OIDC provider
     * @param changes a counter that differs after any inventory change; polled once a second by each open page
     */
    public WebConsole(
            List<Operation> operations,
            FleetStatistics figures,
            LongSupplier changes,
            @Nullable OidcSignIn oidc,
            InstantSource clock) {
        this.oidc = oidc;
        this.desk = new InProcessApi(operations);
        this.changes = changes;
        this.clock = clock;
        this.links = new OneTimeLinks(clock);
        String md = "/tenants/{namespace}/machine-deployments/{machineDeploymentNamespace}/{machineDeploymentName}";
        this.screens = new PageRouter(List.of(
                new PageRouter.ConsoleRoute("/", new FleetPage(figures)),
                new PageRouter.ConsoleRoute("/clusters/{namespace}/{name}", tenant),
                new PageRouter.ConsoleRoute(md, new MachineDeploymentPage()),
                new PageRouter.ConsoleRoute(md + "/history", new HistoryPage()),
                new PageRouter.ConsoleRoute("/profiles", new ProfilesPage()),
                new PageRouter.ConsoleRoute("/profiles/{namespace}/{name}", profile),
                new PageRouter.ConsoleRoute("/problems", new ProblemsPage()),
                new PageRouter.ConsoleRoute("/problems/resolved", new ResolvedPage()),
                new PageRouter.ConsoleRoute("/find", new FindPage())));
    }

    /** All pages. */
    public List<WebPage> pages() {
        List<WebPage> pages = new ArrayList<>();
        for (PageRouter.ConsoleRoute route : screens.routes()) {
            pages.add(WebPage.get(route.path(), call -> show(call, route.screen(), Map.of())));
        }
        pages.add(WebPage.get("/tenants/{namespace}/machines/{machineNamespace}/{machineName}", this::machine));
        pages.add(WebPage.get("/find.json", this::suggestMatches));
        pages.add(WebPage.get("/live", this::live));
        pages.add(WebPage.get("/register", call -> register(call, Map.of("given", Map.of("scoped", true)))));
        pages.add(WebPage.post("/register", "worker-cluster.create", this::onRegistered));
        Map<String, String> audited = Map.of(
                "test", "worker-cluster.test",
                "pause", "worker-cluster.update",
                "rotate", "worker-cluster.rotate",
                "remove", "worker-cluster.delete");
        for (String action : List.of("test", "pause", "rotate", "remove")) {
            pages.add(WebPage.post(
                    "/clusters/{namespace}/{name}/" + action,
                    audited.getOrDefault(action, ""),
                    call -> onTenantForm(call, action)));
            // Reloading a form's result address redirects to the page.
            pages.add(WebPage.get(
                    "/clusters/{namespace}/{name}/" + action,
                    call -> goTo(PageUrls.cluster(call.path("namespace"), call.path("name")))));
        }
        String compare = "/profiles/{namespace}/{name}/diff";
        pages.add(WebPage.post(compare, this::onProfileDiff));
        pages.add(WebPage.get(compare, call -> goTo(PageUrls.profile(call.path("namespace"), call.path("name")))));
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
        pages.add(WebPage.post("/signout", "session.end", this::onSignOut));
        assets.all()
                .forEach((name, asset) -> pages.add(WebPage.get(
                                "/console/" + name,
                                call -> new Reply(
                                        200,
                                        new Reply.ReplyContent(asset.mediaType(), asset.bytes()),
                                        Map.of(
                                                "Cache-Control",
                                                "public, max-age=31536000, immutable",
                                                "X-Content-Type-Options",
                                                "nosniff")))
                        .withoutSignIn()));
        return List.copyOf(pages);
    }

    /** Path of a one-time page that signs in as the token's user within minutes; for starting a trial hub. */
    public String createSignInLink(Sensitive token) {
        return "/signin/once?code=" + links.make(token);
    }

    // --- views

    private Reply show(PageCall call, ConsolePage screen, Map<String, Object> extraModel) throws ApiProblem {
        PageContext visit = visit(call);
        PageFrame frame = PageFrame.of(visit);
        if (screen instanceof FleetPage && !frame.fleetwide() && visit.query().isEmpty()) {
            List<ReplyTree> only = visit.call(new OperationRequest("listWorkerClusters").query("limit", "2"))
                    .list("items");
            if (only.size() == 1) {
                return goTo(PageUrls.cluster(
                        only.getFirst().text("metadata.namespace"),
                        only.getFirst().text("metadata.name")));
            }
        }
        return show(visit, frame, screen.view(visit, frame), extraModel);
    }

    private Reply show(PageContext visit, PageFrame frame, PageView view, Map<String, Object> extraModel) {
        Map<String, Object> model = new HashMap<>(view.model());
        frame.addTo(model);
        model.put("page", view.page());
        model.put("title", TextSanitizer.flat(view.title(), TextSanitizer.NAME));
        model.put("assets", assets.version());
        model.put("formToken", FormTokens.token(visit.call()));
        if (view.live() && extraModel.isEmpty()) {
            model.put("live", visit.address());
        }
        model.putAll(extraModel);
        return html(200, templates.render(view.template(), model, view.cells(), visit.now()));
    }

    private PageContext visit(PageCall call) {
        String uri = call.uri();
        PageRouter.PageMatch found = screens.find(uri).orElse(null);
        Map<String, String> query = new LinkedHashMap<>();
        KnownParameters.NAMES.forEach(
                name -> call.query(name).filter(value -> !value.isEmpty()).ifPresent(v -> query.put(name, v)));
        Map<String, String> path = found == null ? named(call) : found.path();
        String address =
                (uri.indexOf('?') < 0 ? uri : uri.substring(0, uri.indexOf('?'))) + PageContext.question(query);
        return new PageContext(call, desk, address, path, query, clock.instant());
    }

    /** Path parameters of a form's address. */
    private static Map<String, String> named(PageCall call) {
        String[] parts = call.uri().split("[/?]", -1);
        return parts.length > 4 && List.of("clusters", "profiles").contains(parts[1])
                ? Map.of("namespace", call.path("namespace"), "name", call.path("name"))
                : Map.of();
    }

    /** A machine's report redirects to its MachineDeployment, which shows everything. */
    private Reply machine(PageCall call) throws ApiProblem {
        ReplyTree why = desk.call(
                call,
                new OperationRequest("whyMachine")
                        .path("namespace", call.path("namespace"))
                        .path("machineNamespace", call.path("machineNamespace"))
                        .path("machineName", call.path("machineName")));
        ReplyTree owner = why.at("machineDeployment");
        if (owner.text("name").isEmpty()) {
            throw ApiProblem.notFound("MachineDeployment of machine " + call.path("machineName"));
        }
        return goTo(PageUrls.machineDeployment(call.path("namespace"), owner.text("namespace"), owner.text("name")));
    }

    private Reply suggestMatches(PageCall call) throws ApiProblem {
        try {
            byte[] json = ApiJson.server().writeValueAsBytes(FindPage.suggest(visit(call)));
            return new Reply(
                    200, new Reply.ReplyContent("application/json", json), Map.of("Cache-Control", "no-store"));
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException("matches are texts", impossible);
        }
    }

    private Reply live(PageCall call) throws ApiProblem {
        String address = call.query("at").orElse("");
        PageRouter.PageMatch found = screens.find(address).orElseThrow(() -> ApiProblem.notFound("page " + address));
        return Reply.stream(new LivePageStream(
                now -> {
                    PageContext visit = new PageContext(call, desk, address, found.path(), found.query(), now);
                    return found.screen().view(visit, PageFrame.of(visit));
                },
                changes));
    }

    // --- actions

    private Reply register(PageCall call, Map<String, Object> model) throws ApiProblem {
        PageContext visit = visit(call);
        PageFrame frame = PageFrame.of(visit);
        Map<String, Object> all = new HashMap<>(model);
        frame.me().list("may").stream()
                .filter(right -> right.text("action").equals("Register"))
                .findFirst()
                .ifPresent(right -> all.put("namespaces", right.texts("namespaces")));
        PageView view = new PageView("register", "register", "Register", all, new LiveCells(), false);
        return show(visit, frame, view, Map.of());
    }

    private Reply onRegistered(PageCall call) throws ApiProblem {
        FormTokens.requireToken(call);
        FormActions.FormResult outcome = FormActions.register(visit(call));
        return outcome.goTo().isEmpty() ? register(call, outcome.model()) : goTo(outcome.goTo());
    }

    private Reply onTenantForm(PageCall call, String action) throws ApiProblem {
        FormTokens.requireToken(call);
        PageContext visit = visit(call);
        FormActions.FormResult outcome = FormActions.tenant(visit, action);
        if (!outcome.goTo().isEmpty()) {
            return goTo(outcome.goTo());
        }
        String page = PageUrls.cluster(visit.pathPart("namespace"), visit.pathPart("name"));
        PageContext again = new PageContext(call, desk, page, visit.path(), Map.of(), visit.now());
        PageFrame frame = PageFrame.of(again);
        return show(again, frame, tenant.view(again, frame), outcome.model());
    }

    private Reply onProfileDiff(PageCall call) throws ApiProblem {
        FormTokens.requireToken(call);
        PageContext visit = visit(call);
        String namespace = visit.pathPart("namespace");
        String name = visit.pathPart("name");
        PageContext again =
                new PageContext(call, desk, PageUrls.profile(namespace, name), visit.path(), Map.of(), visit.now());
        PageFrame frame = PageFrame.of(again);
        PageView view = profile.view(again, frame);
        return show(again, frame, view, ProfileDiff.compare(visit, namespace, name));
    }

    // --- sign-in and sign-out

    private Reply signIn(String back, String refusal, int status) {
        Map<String, Object> model = new HashMap<>();
        model.put("assets", assets.version());
        model.put("back", local(back));
        model.put("refusal", refusal);
        if (oidc != null) {
            model.put("provider", oidc.providerName());
            model.put("providerHref", "/signin/oidc" + PageContext.question(Map.of("back", local(back))));
        }
        return html(status, templates.render("signin", model, new LiveCells(), clock.instant()));
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
            Map<String, Object> model = Map.of("assets", assets.version(), "back", back);
            return html(200, templates.render("signed-in", model, new LiveCells(), clock.instant()))
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
            Reply begun = desk.reply(call, new OperationRequest("signIn").body(Map.of("token", token)));
            return goTo(back).withCookie(begun.headers().getOrDefault("Set-Cookie", ""));
        } catch (ApiProblem refused) {
            return refused.type() == ProblemType.UNAUTHENTICATED ? signIn(back, refusal, 401) : signIn(back, refused);
        }
    }

    private Reply onOneTimeSignIn(PageCall call) throws ApiProblem {
        Optional<OneTimeLinks.OneTimeLink> link = links.use(call.query("code").orElse(""));
        if (link.isEmpty()) {
            return signIn("/", "This link was already used or has expired. Sign in with a token.", 401);
        }
        try {
            Reply begun = desk.reply(
                    call,
                    new OperationRequest("signIn")
                            .body(Map.of("token", link.get().token().reveal())));
            return goTo("/").withCookie(begun.headers().getOrDefault("Set-Cookie", ""));
        } catch (ApiProblem refused) {
            if (refused.retryAfter() != null) {
                links.restore(link.get());
            }
            throw refused;
        }
    }

    private Reply onSignOut(PageCall call) throws ApiProblem {
        FormTokens.requireToken(call);
        Reply ended = desk.reply(call, new OperationRequest("signOut"));
        return goTo("/signin").withCookie(ended.headers().getOrDefault("Set-Cookie", ""));
    }

    /** Redirect target after sign-in: only a page of this console. */
    static String local(String back) {
        return back.matches("/(?!/)[!-~&&[^\\\\]]{0,2000}") ? back : "/";
    }

    // --- replies

    @Override
    public Reply.ReplyContent renderProblem(ApiProblem problem, String requestId) {
        Map<String, Object> model = new HashMap<>();
        model.put("assets", assets.version());
        model.put("problemTitle", problem.type().title());
        model.put("status", problem.status());
        model.put("requestId", requestId);
        model.put("mistakes", FormActions.mistakes(problem));
        boolean notThere = problem.type() == ProblemType.NOT_FOUND;
        model.put(
                "headline",
                notThere
                        ? "Page not found, or you may not view it"
                        : problem.type().title());
        model.put("detail", notThere ? "Both cases show the same message." : ProblemEntries.capital(problem.detail()));
        if (problem.retryAfter() != null) {
            model.put("again", problem.retryAfter().toSeconds());
        }
        String page = templates.render("refusal", model, new LiveCells(), Instant.EPOCH);
        return new Reply.ReplyContent(HTML, page.getBytes(UTF_8));
    }

    private static Reply html(int status, String page) {
        return new Reply(status, new Reply.ReplyContent(HTML, page.getBytes(UTF_8)), HEADERS);
    }

    private static Reply goTo(String address) {
        return new Reply(SEE_OTHER, null, Map.of("Location", address, "Cache-Control", "no-store"));
    }

    /** Query parameters of pages; others are ignored. */
    private static final class KnownParameters {
        static final List<String> NAMES = List.of(
                "search",
                "state",
                "newNodes",
                "kubernetesVersion",
                "profile",
                "sort",
                "limit",
                "continue",
                "q",
                "doc",
                "severity",
                "actor",
                "reason",
                "namespace",
                "provider",
                "os",
                "kubernetes",
                "tenant",
                "preview",
                "events",
                "compare");
    }
}
