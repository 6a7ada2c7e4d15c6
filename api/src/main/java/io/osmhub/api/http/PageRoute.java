package io.osmhub.api.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.osmhub.api.access.Caller;
import io.osmhub.api.contract.QueryText;
import io.osmhub.api.problem.ApiProblem;
import io.osmhub.api.problem.Mistake;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The pages of one path. */
final class PageRoute {
    private static final int NOT_ALLOWED = 405;
    private static final int SEE_OTHER = 303;
    private static final String FORM = "application/x-www-form-urlencoded";

    private final String template;
    private final Services services;
    private final PageProblems problems;
    private final Map<String, Page> byMethod = new LinkedHashMap<>();

    PageRoute(String template, List<Page> pages, PageProblems problems, Services services) {
        this.template = template;
        this.problems = problems;
        this.services = services;
        pages.forEach(page -> byMethod.put(page.method(), page));
    }

    /** As the router wants it. */
    String pattern() {
        return template.replaceAll("\\{([A-Za-z]+)}", ":$1");
    }

    void handle(RoutingContext routing) {
        HttpServerRequest request = routing.request();
        Exchange exchange = new Exchange(routing, services, template);
        Exchange.Form form = new PageForm(problems);
        Page page = byMethod.get(
                request.method() == HttpMethod.HEAD ? "GET" : request.method().name());
        if (page == null) {
            exchange.run(form, () -> notAllowed(request.method()));
            return;
        }
        boolean sent = page.method().equals("POST");
        if (sent) {
            request.pause();
        }
        Map<String, String> path = new HashMap<>();
        routing.pathParams().forEach(path::put);
        String object = path.getOrDefault("namespace", "") + "/" + path.getOrDefault("name", "");
        exchange.audited(page.action(), object.equals("/") ? "" : object);
        exchange.run(form, () -> answer(exchange, page, path, sent));
    }

    private Reply notAllowed(HttpMethod method) throws ApiProblem {
        String allowed = String.join(", ", byMethod.keySet()) + ", HEAD, OPTIONS";
        if (method == HttpMethod.OPTIONS) {
            return Reply.noContent().with("Allow", allowed);
        }
        throw ApiProblem.badRequest("this page takes " + allowed)
                .status(NOT_ALLOWED)
                .header("Allow", allowed);
    }

    private static Reply answer(Exchange exchange, Page page, Map<String, String> path, boolean sent)
            throws ApiProblem, InterruptedException {
        HttpServerRequest request = exchange.request();
        Optional<Caller> caller = Optional.empty();
        if (page.signedIn()) {
            caller = exchange.signIn();
            if (caller.isEmpty()) {
                return sent ? signInThen("/") : signInThen(request.uri());
            }
        } else if (sent) {
            // What everybody may read costs little.
            exchange.unsigned();
        }
        if (sent && !SignIns.sameOrigin(request)) {
            throw ApiProblem.forbidden("the form was sent from another site");
        }
        List<Mistake> mistakes = new ArrayList<>();
        Map<String, List<String>> query =
                QueryText.read(Optional.ofNullable(request.query()).orElse(""), mistakes);
        Map<String, List<String>> fields = Map.of();
        if (sent) {
            String type = request.getHeader("Content-Type");
            if (type == null || !type.startsWith(FORM)) {
                throw ApiProblem.unsupportedMediaType("a form has to be " + FORM);
            }
            fields = QueryText.read(new String(exchange.body(), StandardCharsets.ISO_8859_1), mistakes);
        }
        if (!mistakes.isEmpty()) {
            throw ApiProblem.badRequest(mistakes);
        }
        return page.answer().to(new FormCall(request, exchange.requestId(), caller.orElse(null), path, query, fields));
    }

    private static Reply signInThen(String back) {
        return new Reply(
                SEE_OTHER, null, Map.of("Location", "/signin?back=" + URLEncoder.encode(back, StandardCharsets.UTF_8)));
    }

    private record PageForm(PageProblems problems) implements Exchange.Form {
        @Override
        public Answering problem(ApiProblem problem, String path, String requestId) {
            Answering plain = Answering.of(problem, path, requestId);
            Reply.Content page = problems.show(problem, requestId);
            return new Answering(plain.status(), plain.headers(), page.mediaType(), page.bytes());
        }

        @Override
        public List<String> mistakes(Answering answer) {
            return List.of();
        }

        @Override
        public boolean mayBeKept() {
            return true;
        }
    }

    private record FormCall(
            HttpServerRequest request,
            String requestId,
            @Nullable Caller signedIn,
            Map<String, String> parts,
            Map<String, List<String>> parameters,
            Map<String, List<String>> fields)
            implements PageCall {
        @Override
        public Caller caller() {
            if (signedIn == null) {
                throw new IllegalStateException("nobody is signed in on a page for everybody");
            }
            return signedIn;
        }

        @Override
        public String path(String name) {
            return parts.getOrDefault(name, "");
        }

        @Override
        public Optional<String> query(String name) {
            return parameters.getOrDefault(name, List.of()).stream().findFirst();
        }

        @Override
        public List<String> queryList(String name) {
            return parameters.getOrDefault(name, List.of());
        }

        @Override
        public Optional<String> header(String name) {
            return Optional.ofNullable(request.getHeader(name));
        }

        @Override
        public JsonNode body() {
            return MissingNode.getInstance();
        }

        @Override
        public boolean dryRun() {
            return false;
        }

        @Override
        public String uri() {
            return request.path();
        }

        @Override
        public Optional<String> form(String name) {
            return fields.getOrDefault(name, List.of()).stream().findFirst();
        }

        @Override
        public String address() {
            return SignIns.address(request);
        }

        @Override
        public Optional<String> session() {
            return SignIns.session(request);
        }

        @Override
        public String host() {
            return SignIns.host(request);
        }

        @Override
        public String toString() {
            return "a form of " + request.path();
        }
    }
}
