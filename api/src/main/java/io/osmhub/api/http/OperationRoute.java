package io.osmhub.api.http;

import io.osmhub.api.access.Caller;
import io.osmhub.api.contract.ApiContract;
import io.osmhub.api.contract.ContractOperation;
import io.osmhub.api.contract.ContractParameter;
import io.osmhub.api.contract.ValidatedRequest;
import io.osmhub.api.contract.ValidatedRequest.RawRequest;
import io.osmhub.api.problem.ApiProblem;
import io.osmhub.api.problem.RequestError;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A path of the contract with its operations. */
final class OperationRoute {
    private static final int NOT_ALLOWED = 405;
    private static final int NOT_ACCEPTABLE = 406;
    private static final byte[] NO_BODY = {};

    private final String template;
    private final HttpServerContext services;
    private final Map<String, BoundOperation> byMethod = new LinkedHashMap<>();

    /** An operation of the contract and its implementation. */
    record BoundOperation(ContractOperation contract, Operation operation) {}

    /** @param operations all of one path */
    OperationRoute(String path, List<BoundOperation> operations, HttpServerContext services) {
        this.template = ApiContract.BASE + path;
        this.services = services;
        operations.forEach(each -> byMethod.put(each.contract().method(), each));
    }

    /** The router's pattern. */
    String pattern() {
        return template.replaceAll("\\{([A-Za-z]+)}", ":$1");
    }

    void handle(RoutingContext routing) {
        HttpServerRequest request = routing.request();
        RequestExchange exchange = new RequestExchange(routing, services, template);
        HttpMethod method = request.method();
        BoundOperation bound = byMethod.get(method == HttpMethod.HEAD ? "GET" : method.name());
        if (bound == null) {
            exchange.run(new ContractReplyFormat(null), () -> notAllowed(method));
            return;
        }
        if (bound.contract().hasBody()) {
            request.pause();
        }
        Map<String, String> path = pathOf(routing);
        String action = AuditLog.ACTIONS.getOrDefault(bound.contract().id(), "");
        exchange.enableAudit(action, object(path));
        exchange.run(new ContractReplyFormat(bound.contract()), () -> answer(exchange, bound, path));
    }

    private Reply notAllowed(HttpMethod method) throws ApiProblem {
        String allowed = allowed();
        if (method == HttpMethod.OPTIONS) {
            return Reply.noContent().withHeader("Allow", allowed);
        }
        throw ApiProblem.badRequest("this path allows " + allowed)
                .status(NOT_ALLOWED)
                .header("Allow", allowed);
    }

    private String allowed() {
        List<String> methods = new ArrayList<>(byMethod.keySet());
        if (byMethod.containsKey("GET")) {
            methods.add("HEAD");
        }
        methods.add("OPTIONS");
        return String.join(", ", methods);
    }

    /** Raw path parameters by the contract's names. The router decodes its own, which would turn an escaped slash into a separator. */
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
        int longest = 400;
        return object.equals("/") ? "" : object.substring(0, Math.min(object.length(), longest));
    }

    private static Reply answer(RequestExchange exchange, BoundOperation bound, Map<String, String> path)
            throws ApiProblem, InterruptedException {
        HttpServerRequest request = exchange.request();
        ContractOperation contract = bound.contract();
        Caller caller = null;
        if (contract.anonymous()) {
            exchange.admitUnauthenticated();
        } else {
            caller = exchange.authenticate().orElseThrow(ApiProblem::unauthenticated);
        }
        requireAccepted(request, contract);
        byte[] body = NO_BODY;
        if (contract.hasBody()) {
            requireJson(request);
            body = exchange.body();
            if (body.length > 0 && request.getHeader("Content-Type") == null) {
                throw ApiProblem.unsupportedMediaType("the body has no Content-Type; send application/json");
            }
        }
        String query = Optional.ofNullable(request.query()).orElse("");
        ValidatedRequest checked = ValidatedRequest.validate(
                contract, new RawRequest(path, query, name -> request.headers().getAll(name), body));
        ApiCall call = new ApiCall(request, exchange.requestId(), caller, checked);
        exchange.dryRun(call.dryRun());
        return bound.operation().execute(call);
    }

    private static void requireAccepted(HttpServerRequest request, ContractOperation contract) throws ApiProblem {
        List<String> types = contract.mediaTypes();
        if (!AcceptHeader.accepts(request.headers().getAll("Accept"), types)) {
            throw ApiProblem.badRequest(RequestError.header(
                            "Accept", "the response is available as " + String.join(" or ", types), "accept that"))
                    .status(NOT_ACCEPTABLE);
        }
    }

    private static void requireJson(HttpServerRequest request) throws ApiProblem {
        List<String> types = request.headers().getAll("Content-Type");
        for (String type : types) {
            String[] parts = type.split(";", -1);
            boolean json = parts[0].strip().toLowerCase(Locale.ROOT).equals(EncodedReply.JSON);
            boolean utf8 = true;
            for (int i = 1; i < parts.length; i++) {
                String parameter = parts[i].strip().toLowerCase(Locale.ROOT).replace("\"", "");
                utf8 &= !parameter.startsWith("charset=") || parameter.equals("charset=utf-8");
            }
            if (!json || !utf8 || types.size() > 1) {
                throw ApiProblem.unsupportedMediaType("the body must be application/json in UTF-8");
            }
        }
        String coding = request.getHeader("Content-Encoding");
        if (coding != null && !coding.equalsIgnoreCase("identity")) {
            throw ApiProblem.unsupportedMediaType("the body must not have a Content-Encoding");
        }
    }

    /** Replies of the contract. {@code operation} is null for unknown methods. */
    record ContractReplyFormat(@Nullable ContractOperation operation) implements RequestExchange.ReplyFormat {
        @Override
        public EncodedReply problem(ApiProblem problem, String path, String requestId) {
            return EncodedReply.of(problem, path, requestId);
        }

        @Override
        public List<String> mistakes(EncodedReply answer) {
            try {
                return operation == null
                        ? List.of()
                        : operation.validateResponse(answer.status(), answer.mediaType(), answer.json());
            } catch (IOException e) {
                return List.of("the response is not JSON: " + e.getMessage());
            }
        }

        @Override
        public boolean isCacheable() {
            return operation != null
                    && operation.parameters().stream()
                            .map(ContractParameter::name)
                            .anyMatch(name -> name.equals("If-None-Match"));
        }
    }
}
