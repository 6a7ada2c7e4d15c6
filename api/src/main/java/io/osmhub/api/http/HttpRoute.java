package io.osmhub.api.http;

import io.osmhub.api.contract.ContractOperation;
import io.osmhub.api.contract.ContractParameter;
import io.osmhub.api.problem.ApiProblem;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One path of the server, with an endpoint for each method. */
final class HttpRoute {
    private static final int NOT_ALLOWED = 405;
    private static final int LONGEST_OBJECT = 400;

    private final String template;
    private final HttpServerContext services;
    private final Map<String, HttpEndpoint> byMethod = new LinkedHashMap<>();

    /** One method of a path. */
    interface HttpEndpoint {
        String method();

        boolean hasBody();

        /** Name in audit lines; empty for reads. */
        String action();

        ReplyFormat format();

        /**
         * Runs on a virtual thread.
         *
         * @param path raw path parameters by name
         */
        Reply answer(RequestExchange exchange, Map<String, String> path) throws ApiProblem, InterruptedException;
    }

    /**
     * How problems are encoded, and the expected form of replies.
     *
     * @param operation null if no operation answers
     * @param pages null for problems as JSON
     */
    record ReplyFormat(
            @Nullable ContractOperation operation, @Nullable ProblemPageRenderer pages) {
        EncodedReply problem(ApiProblem problem, String path, String requestId) {
            EncodedReply plain = EncodedReply.of(problem, path, requestId);
            if (pages == null) {
                return plain;
            }
            Reply.ReplyContent page = pages.renderProblem(problem, requestId);
            return new EncodedReply(plain.status(), plain.headers(), page.mediaType(), page.bytes());
        }

        /** Violations of the contract by a reply; empty if there are none. */
        List<String> mistakes(EncodedReply answer) {
            try {
                return operation == null
                        ? List.of()
                        : operation.validateResponse(answer.status(), answer.mediaType(), answer.json());
            } catch (IOException e) {
                return List.of("the response is not JSON: " + e.getMessage());
            }
        }

        /** Whether conditional requests are supported. */
        boolean isCacheable() {
            return operation == null
                    ? pages != null
                    : operation.parameters().stream()
                            .map(ContractParameter::name)
                            .anyMatch(name -> name.equals("If-None-Match"));
        }
    }

    /** @param template with parameters as {@code {name}} */
    HttpRoute(String template, List<? extends HttpEndpoint> endpoints, HttpServerContext services) {
        this.template = template;
        this.services = services;
        endpoints.forEach(each -> byMethod.put(each.method(), each));
    }

    /** The router's pattern. */
    String pattern() {
        return template.replaceAll("\\{([A-Za-z]+)}", ":$1");
    }

    void handle(RoutingContext routing) {
        HttpServerRequest request = routing.request();
        RequestExchange exchange = new RequestExchange(routing, services, template);
        HttpMethod method = request.method();
        HttpEndpoint endpoint = byMethod.get(method == HttpMethod.HEAD ? "GET" : method.name());
        if (endpoint == null) {
            HttpEndpoint any = byMethod.values().iterator().next();
            exchange.run(new ReplyFormat(null, any.format().pages()), () -> notAllowed(method));
            return;
        }
        if (endpoint.hasBody()) {
            request.pause();
        }
        Map<String, String> path = pathOf(routing);
        exchange.enableAudit(endpoint.action(), object(path));
        exchange.run(endpoint.format(), () -> endpoint.answer(exchange, path));
    }

    private Reply notAllowed(HttpMethod method) throws ApiProblem {
        List<String> methods = new ArrayList<>(byMethod.keySet());
        if (byMethod.containsKey("GET")) {
            methods.add("HEAD");
        }
        methods.add("OPTIONS");
        String allowed = String.join(", ", methods);
        if (method == HttpMethod.OPTIONS) {
            return Reply.noContent().withHeader("Allow", allowed);
        }
        throw ApiProblem.badRequest("this path allows " + allowed)
                .status(NOT_ALLOWED)
                .header("Allow", allowed);
    }

    /** Raw path parameters by name. The router decodes its own, which would turn an escaped slash into a separator. */
    private Map<String, String> pathOf(RoutingContext routing) {
        String[] names = template.split("/", -1);
        String[] parts = routing.normalizedPath().split("/", -1);
        Map<String, String> path = new HashMap<>();
        for (int i = 0; i < Math.min(names.length, parts.length); i++) {
            if (names[i].startsWith("{")) {
                path.put(names[i].substring(1, names[i].length() - 1), parts[i]);
            }
        }
        return path;
    }

    private static String object(Map<String, String> path) {
        String object = path.getOrDefault("namespace", "") + "/" + path.getOrDefault("name", "");
        return object.equals("/") ? "" : object.substring(0, Math.min(object.length(), LONGEST_OBJECT));
    }
}
