package io.osmhub.api.console;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.osmhub.api.console.Desk.Question;
import io.osmhub.api.http.Operation;
import io.osmhub.api.http.Page;
import io.osmhub.api.http.PageCall;
import io.osmhub.api.http.PageProblems;
import io.osmhub.api.http.Reply;
import io.osmhub.api.ops.FleetFigures;
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

/**
 * The web console: its pages, for the server to serve. It asks the operations of the API in the name of who looks, so it shows
 * exactly what the API would answer them.
 */
public final class Console implements PageProblems {
    private static final String HTML = "text/html; charset=utf-8";

    /** What a page may load and do: its own style sheet and script, and nothing that a text could bring in. */
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
    private final Assets assets = new Assets();
    private final Desk desk;
    private final LongSupplier changes;
    private final InstantSource clock;
    private final Screens screens;
    private final TenantPage tenant = new TenantPage();
    private final ProfilePage profile = new ProfilePage();
    private final OneTimeLinks links;

    /**
     * A console over the operations of an API.
     *
     * @param figures the last hour of this replica, for charts
     * @param changes a number that is another one after anything in the inventory has changed; asked once a second by each open page
     */
    public Console(List<Operation> operations, FleetFigures figures, LongSupplier changes, InstantSource clock) {
        this.desk = new Desk(operations);
        this.changes = changes;
        this.clock = clock;
        this.links = new OneTimeLinks(clock);
        String md = "/tenants/{namespace}/machine-deployments/{machineDeploymentNamespace}/{machineDeploymentName}";
        this.screens = new Screens(List.of(
                new Screens.Route("/", new FleetPage(figures)),
                new Screens.Route("/clusters/{namespace}/{name}", tenant),
                new Screens.Route(md, new MachineDeploymentPage()),
                new Screens.Route(md + "/history", new HistoryPage()),
                new Screens.Route("/profiles", new ProfilesPage()),
                new Screens.Route("/profiles/{namespace}/{name}", profile),
                new Screens.Route("/problems", new ProblemsPage()),
                new Screens.Route("/find", new FindPage())));
    }

    /** All pages. */
    public List<Page> pages() {
        List<Page> pages = new ArrayList<>();
        for (Screens.Route route : screens.routes()) {
            pages.add(Page.get(route.path(), call -> show(call, route.screen(), Map.of())));
        }
        pages.add(Page.get("/tenants/{namespace}/machines/{machineNamespace}/{machineName}", this::machine));
        pages.add(Page.get("/find.json", this::typed));
        pages.add(Page.get("/live", this::live));
        pages.add(Page.get("/register", call -> register(call, Map.of("given", Map.of("scoped", true)))));
        pages.add(Page.post("/register", "worker-cluster.create", this::registered));
        Map<String, String> audited = Map.of(
                "test", "worker-cluster.test",
                "pause", "worker-cluster.update",
                "rotate", "worker-cluster.rotate",
                "remove", "worker-cluster.delete");
        for (String action : List.of("test", "pause", "rotate", "remove")) {
            pages.add(Page.post(
                    "/clusters/{namespace}/{name}/" + action,
                    audited.getOrDefault(action, ""),
                    call -> steered(call, action)));
            // Who loads the address of an answer again is led to the page itself.
            pages.add(Page.get(
                    "/clusters/{namespace}/{name}/" + action,
                    call -> goTo(Addresses.cluster(call.path("namespace"), call.path("name")))));
        }
        String compare = "/profiles/{namespace}/{name}/diff";
        pages.add(Page.post(compare, this::compared));
        pages.add(Page.get(compare, call -> goTo(Addresses.profile(call.path("namespace"), call.path("name")))));
        pages.add(Page.get("/signin", call -> signIn(call.query("back").orElse("/"), "", 200))
                .open());
        pages.add(Page.get("/signin/once", this::signedInOnce).open());
        pages.add(Page.post("/signin", "session.begin", this::signedIn).open());
        pages.add(Page.post("/signout", "session.end", this::signedOut));
        assets.all()
                .forEach((name, asset) -> pages.add(Page.get(
                                "/console/" + name,
                                call -> new Reply(
                                        200,
                                        new Reply.Content(asset.mediaType(), asset.bytes()),
                                        Map.of(
                                                "Cache-Control",
                                                "public, max-age=31536000, immutable",
                                                "X-Content-Type-Options",
                                                "nosniff")))
                        .open()));
        return List.copyOf(pages);
    }

    /** Path of a page that signs in once, within minutes, who holds the token: for whoever starts a hub to try it. */
    public String signInLink(Sensitive token) {
        return "/signin/once?code=" + links.make(token);
    }

    // --- looking

    private Reply show(PageCall call, Screen screen, Map<String, Object> besides) throws ApiProblem {
        Visit visit = visit(call);
        Frame frame = Frame.of(visit);
        if (screen instanceof FleetPage && !frame.fleetwide() && visit.query().isEmpty()) {
            List<Answer> only = visit.ask(new Question("listWorkerClusters").query("limit", "2"))
                    .list("items");
            if (only.size() == 1) {
                return goTo(Addresses.cluster(
                        only.getFirst().text("metadata.namespace"),
                        only.getFirst().text("metadata.name")));
            }
        }
        return show(visit, frame, screen.view(visit, frame), besides);
    }

    private Reply show(Visit visit, Frame frame, View view, Map<String, Object> besides) {
        Map<String, Object> model = new HashMap<>(view.model());
        frame.addTo(model);
        model.put("page", view.page());
        model.put("title", HostileText.flat(view.title(), HostileText.NAME));
        model.put("assets", assets.version());
        model.put("formToken", Forms.token(visit.call()));
        if (view.live() && besides.isEmpty()) {
            model.put("live", visit.address());
        }
        model.putAll(besides);
        return html(200, templates.render(view.template(), model, view.cells(), visit.now()));
    }

    private Visit visit(PageCall call) {
        String uri = call.uri();
        Screens.Found found = screens.find(uri).orElse(null);
        Map<String, String> query = new LinkedHashMap<>();
        Asked.NAMES.forEach(
                name -> call.query(name).filter(value -> !value.isEmpty()).ifPresent(v -> query.put(name, v)));
        Map<String, String> path = found == null ? named(call) : found.path();
        String address = (uri.indexOf('?') < 0 ? uri : uri.substring(0, uri.indexOf('?'))) + Visit.question(query);
        return new Visit(call, desk, address, path, query, clock.instant());
    }

    /** Parts of the path of a form's address. */
    private static Map<String, String> named(PageCall call) {
        String[] parts = call.uri().split("[/?]", -1);
        return parts.length > 4 && List.of("clusters", "profiles").contains(parts[1])
                ? Map.of("namespace", call.path("namespace"), "name", call.path("name"))
                : Map.of();
    }

    /** The machine's own report leads to its MachineDeployment, where everything stands. */
    private Reply machine(PageCall call) throws ApiProblem {
        Answer why = desk.ask(
                call,
                new Question("whyMachine")
                        .path("namespace", call.path("namespace"))
                        .path("machineNamespace", call.path("machineNamespace"))
                        .path("machineName", call.path("machineName")));
        Answer owner = why.at("machineDeployment");
        if (owner.text("name").isEmpty()) {
            throw ApiProblem.notFound("MachineDeployment of machine " + call.path("machineName"));
        }
        return goTo(Addresses.machineDeployment(call.path("namespace"), owner.text("namespace"), owner.text("name")));
    }

    private Reply typed(PageCall call) throws ApiProblem {
        try {
            byte[] json = ApiJson.server().writeValueAsBytes(FindPage.typed(visit(call)));
            return new Reply(200, new Reply.Content("application/json", json), Map.of("Cache-Control", "no-store"));
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException("matches are texts", impossible);
        }
    }

    private Reply live(PageCall call) throws ApiProblem {
        String address = call.query("at").orElse("");
        Screens.Found found = screens.find(address).orElseThrow(() -> ApiProblem.notFound("page " + address));
        return Reply.stream(new Live(
                now -> {
                    Visit visit = new Visit(call, desk, address, found.path(), found.query(), now);
                    return found.screen().view(visit, Frame.of(visit));
                },
                changes));
    }

    // --- steering

    private Reply register(PageCall call, Map<String, Object> model) throws ApiProblem {
        Visit visit = visit(call);
        Frame frame = Frame.of(visit);
        Map<String, Object> all = new HashMap<>(model);
        frame.me().list("may").stream()
                .filter(right -> right.text("action").equals("Register"))
                .findFirst()
                .ifPresent(right -> all.put("namespaces", right.texts("namespaces")));
        View view = new View("register", "register", "Register", all, new Cells(), false);
        return show(visit, frame, view, Map.of());
    }

    private Reply registered(PageCall call) throws ApiProblem {
        Forms.check(call);
        Steering.Outcome outcome = Steering.register(visit(call));
        return outcome.goTo().isEmpty() ? register(call, outcome.model()) : goTo(outcome.goTo());
    }

    private Reply steered(PageCall call, String action) throws ApiProblem {
        Forms.check(call);
        Visit visit = visit(call);
        Steering.Outcome outcome = Steering.tenant(visit, action);
        if (!outcome.goTo().isEmpty()) {
            return goTo(outcome.goTo());
        }
        String page = Addresses.cluster(visit.part("namespace"), visit.part("name"));
        Visit again = new Visit(call, desk, page, visit.path(), Map.of(), visit.now());
        Frame frame = Frame.of(again);
        return show(again, frame, tenant.view(again, frame), outcome.model());
    }

    private Reply compared(PageCall call) throws ApiProblem {
        Forms.check(call);
        Visit visit = visit(call);
        String namespace = visit.part("namespace");
        String name = visit.part("name");
        Visit again = new Visit(call, desk, Addresses.profile(namespace, name), visit.path(), Map.of(), visit.now());
        Frame frame = Frame.of(again);
        View view = profile.view(again, frame);
        return show(again, frame, view, ProfileDiff.compare(visit, namespace, name));
    }

    // --- signing in and out

    private Reply signIn(String back, String refusal, int status) {
        Map<String, Object> model = Map.of("assets", assets.version(), "back", local(back), "refusal", refusal);
        return html(status, templates.render("signin", model, new Cells(), clock.instant()));
    }

    private Reply signedIn(PageCall call) throws ApiProblem {
        String back = local(call.form("back").orElse("/"));
        String token = call.form("token").orElse("").strip();
        if (token.isEmpty()) {
            return signIn(back, "The field was empty. Paste a token.", 400);
        }
        try {
            Reply begun = desk.reply(call, new Question("signIn").body(Map.of("token", token)));
            return goTo(back).with("Set-Cookie", begun.headers().getOrDefault("Set-Cookie", ""));
        } catch (ApiProblem refused) {
            if (refused.type() == ProblemType.UNAUTHENTICATED) {
                return signIn(back, "The management cluster does not accept this token for the hub.", 401);
            }
            Duration wait = refused.retryAfter();
            Reply page = signIn(back, refused.detail(), refused.status());
            return wait == null ? page : page.with("Retry-After", String.valueOf(Math.max(1, wait.toSeconds())));
        }
    }

    private Reply signedInOnce(PageCall call) throws ApiProblem {
        Optional<Sensitive> token = links.use(call.query("code").orElse(""));
        if (token.isEmpty()) {
            return signIn("/", "This link was used already, or is too old. Sign in with a token.", 401);
        }
        Reply begun = desk.reply(
                call, new Question("signIn").body(Map.of("token", token.get().reveal())));
        return goTo("/").with("Set-Cookie", begun.headers().getOrDefault("Set-Cookie", ""));
    }

    private Reply signedOut(PageCall call) throws ApiProblem {
        Forms.check(call);
        Reply ended = desk.reply(call, new Question("signOut"));
        return goTo("/signin").with("Set-Cookie", ended.headers().getOrDefault("Set-Cookie", ""));
    }

    /** Where to go after signing in: only to a page of this console. */
    static String local(String back) {
        return back.matches("/(?![/\\\\])[^\\s\\\\]{0,2000}") || back.equals("/") ? back : "/";
    }

    // --- answers

    @Override
    public Reply.Content show(ApiProblem problem, String requestId) {
        Map<String, Object> model = new HashMap<>();
        model.put("assets", assets.version());
        model.put("problemTitle", problem.type().title());
        model.put("status", problem.status());
        model.put("requestId", requestId);
        model.put("mistakes", Steering.mistakes(problem));
        boolean notThere = problem.type() == ProblemType.NOT_FOUND;
        model.put(
                "headline",
                notThere
                        ? "This page is not there, or you may not see it"
                        : problem.type().title());
        model.put("detail", notThere ? "The words are the same for both." : Words.capital(problem.detail()));
        if (problem.retryAfter() != null) {
            model.put("again", problem.retryAfter().toSeconds());
        }
        String page = templates.render("refusal", model, new Cells(), Instant.EPOCH);
        return new Reply.Content(HTML, page.getBytes(UTF_8));
    }

    private static Reply html(int status, String page) {
        return new Reply(status, new Reply.Content(HTML, page.getBytes(UTF_8)), HEADERS);
    }

    private static Reply goTo(String address) {
        return new Reply(303, null, Map.of("Location", address, "Cache-Control", "no-store"));
    }

    /** Parameters that pages take; others are passed over. */
    private static final class Asked {
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
