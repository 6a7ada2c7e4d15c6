package io.osmhub.api.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.osmhub.api.access.Caller;
import io.osmhub.api.contract.QueryDecoder;
import io.osmhub.api.problem.ApiProblem;
import io.osmhub.api.problem.RequestError;
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

/** The pages of a path. */
final class PageRoute {
    private static final int NOT_ALLOWED = 405;
    private static final int SEE_OTHER = 303;
    private static final String FORM = "application/x-www-form-urlencoded";

    private final String template;
    private final HttpServerContext services;
    private final ProblemPageRenderer problems;
    private final Map<String, WebPage> byMethod = new LinkedHashMap<>();

    PageRoute(String template, List<WebPage> pages, ProblemPageRenderer problems, HttpServerContext services) {
        this.template = template;
        this.problems = problems;
        this.services = services;
        pages.forEach(page -> byMethod.put(page.method(), page));
    }

    /** The router's pattern. */
    String pattern() {
        return template.replaceAll("\\{([A-Za-z]+)}", ":$1");
    }

    void handle(RoutingContext routing) {
        HttpServerRequest request = routing.request();
        RequestExchange exchange = new RequestExchange(routing, services, template);
        RequestExchange.ReplyFormat form = new PageReplyFormat(problems);
        WebPage page = byMethod.get(
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
        exchange.enableAudit(page.action(), object.equals("/") ? "" : object);
        exchange.run(form, () -> answer(exchange, page, path, sent));
    }

    private Reply notAllowed(HttpMethod method) throws ApiProblem {
        String allowed = String.join(", ", byMethod.keySet()) + ", HEAD, OPTIONS";
        if (method == HttpMethod.OPTIONS) {
            return Reply.noContent().withHeader("Allow", allowed);
        }
        throw ApiProblem.badRequest("this page allows " + allowed)
                .status(NOT_ALLOWED)
                .header("Allow", allowed);
    }

    private static Reply answer(RequestExchange exchange, WebPage page, Map<String, String> path, boolean sent)
            throws ApiProblem, InterruptedException {
        HttpServerRequest request = exchange.request();
        Optional<Caller> caller = Optional.empty();
        if (page.signedIn()) {
            caller = exchange.authenticate();
            if (caller.isEmpty()) {
                return sent ? redirectToSignIn("/") : redirectToSignIn(request.uri());
            }
        } else if (sent) {
            // Public pages are cheap.
            exchange.admitUnauthenticated();
        }
        if (sent && !RequestAuthenticator.isSameOrigin(request)) {
            throw ApiProblem.forbidden("the form was sent from another site");
        }
        List<RequestError> mistakes = new ArrayList<>();
        Map<String, List<String>> query =
                QueryDecoder.parse(Optional.ofNullable(request.query()).orElse(""), mistakes);
        Map<String, List<String>> fields = Map.of();
        if (sent) {
            String type = request.getHeader("Content-Type");
            if (type == null || !type.startsWith(FORM)) {
                throw ApiProblem.unsupportedMediaType("a form must be " + FORM);
            }
            fields = QueryDecoder.parse(new String(exchange.body(), StandardCharsets.ISO_8859_1), mistakes);
        }
        if (!mistakes.isEmpty()) {
            throw ApiProblem.badRequest(mistakes);
        }
        return page.answer()
                .handle(new FormPageCall(request, exchange.requestId(), caller.orElse(null), path, query, fields));
    }

    private static Reply redirectToSignIn(String back) {
        return new Reply(
                SEE_OTHER, null, Map.of("Location", "/signin?back=" + URLEncoder.encode(back, StandardCharsets.UTF_8)));
    }

    private record PageReplyFormat(ProblemPageRenderer problems) implements RequestExchange.ReplyFormat {
        @Override
        public EncodedReply problem(ApiProblem problem, String path, String requestId) {
            EncodedReply plain = EncodedReply.of(problem, path, requestId);
            Reply.ReplyContent page = problems.renderProblem(problem, requestId);
            return new EncodedReply(plain.status(), plain.headers(), page.mediaType(), page.bytes());
        }

        @Override
        public List<String> mistakes(EncodedReply answer) {
            return List.of();
        }

        @Override
        public boolean isCacheable() {
            return true;
        }
    }

    private record FormPageCall(
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
                throw new IllegalStateException("public page has no caller");
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
            return RequestAuthenticator.address(request);
        }

        @Override
        public Optional<String> session() {
            return RequestAuthenticator.session(request);
        }

        @Override
        public String host() {
            return RequestAuthenticator.host(request);
        }

        @Override
        public String toString() {
            return "a form of " + request.path();
        }
    }
}
