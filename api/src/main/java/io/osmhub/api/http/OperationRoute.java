package io.osmhub.api.http;

import io.osmhub.api.access.Caller;
import io.osmhub.api.contract.CheckedRequest;
import io.osmhub.api.contract.Contract;
import io.osmhub.api.contract.ContractOperation;
import io.osmhub.api.contract.Parameter;
import io.osmhub.api.contract.RequestFacts;
import io.osmhub.api.problem.ApiProblem;
import io.osmhub.api.problem.Mistake;
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

/** One path of the contract with its operations. */
final class OperationRoute {
    private static final int NOT_ALLOWED = 405;
    private static final int NOT_ACCEPTABLE = 406;
    private static final byte[] NO_BODY = {};

    private final String template;
    private final Services services;
    private final Map<String, Bound> byMethod = new LinkedHashMap<>();

    /** An operation of the contract and what answers it. */
    record Bound(ContractOperation contract, Operation operation) {}

    /** @param operations all of one path */
    OperationRoute(String path, List<Bound> operations, Services services) {
        this.template = Contract.BASE + path;
        this.services = services;
        operations.forEach(each -> byMethod.put(each.contract().method(), each));
    }

    /** As the router wants it. */
    String pattern() {
        return template.replaceAll("\\{([A-Za-z]+)}", ":$1");
    }

    void handle(RoutingContext routing) {
        HttpServerRequest request = routing.request();
        Exchange exchange = new Exchange(routing, services, template);
        HttpMethod method = request.method();
        Bound bound = byMethod.get(method == HttpMethod.HEAD ? "GET" : method.name());
        if (bound == null) {
            exchange.run(new ContractForm(null), () -> notAllowed(method));
            return;
        }
        if (bound.contract().takesBody()) {
            request.pause();
        }
        Map<String, String> path = pathOf(routing);
        String action = AuditLog.ACTIONS.getOrDefault(bound.contract().id(), "");
        exchange.audited(action, object(path));
        exchange.run(new ContractForm(bound.contract()), () -> answer(exchange, bound, path));
    }

    private Reply notAllowed(HttpMethod method) throws ApiProblem {
        String allowed = allowed();
        if (method == HttpMethod.OPTIONS) {
            return Reply.noContent().with("Allow", allowed);
        }
        throw ApiProblem.badRequest("this path takes " + allowed)
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

    /** Parts of the path by the names of the contract, still escaped. The router's own are decoded, where a slash is a slash again. */
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

    private static Reply answer(Exchange exchange, Bound bound, Map<String, String> path)
            throws ApiProblem, InterruptedException {
        HttpServerRequest request = exchange.request();
        ContractOperation contract = bound.contract();
        Caller caller = null;
        if (contract.open()) {
            exchange.unsigned();
        } else {
            caller = exchange.signIn().orElseThrow(ApiProblem::unauthenticated);
        }
        requireAccepted(request, contract);
        byte[] body = NO_BODY;
        if (contract.takesBody()) {
            requireJson(request);
            body = exchange.body();
            if (body.length > 0 && request.getHeader("Content-Type") == null) {
                throw ApiProblem.unsupportedMediaType("the body has no Content-Type; send application/json");
            }
        }
        String query = Optional.ofNullable(request.query()).orElse("");
        CheckedRequest checked = CheckedRequest.of(
                contract,
                new RequestFacts(path, query, name -> request.headers().getAll(name), body));
        ApiCall call = new ApiCall(request, exchange.requestId(), caller, checked);
        exchange.dryRun(call.dryRun());
        return bound.operation().answer(call);
    }

    private static void requireAccepted(HttpServerRequest request, ContractOperation contract) throws ApiProblem {
        List<String> types = contract.mediaTypes();
        if (!Accept.takes(request.headers().getAll("Accept"), types)) {
            throw ApiProblem.badRequest(Mistake.header(
                            "Accept", "this is answered as " + String.join(" or ", types), "accept that"))
                    .status(NOT_ACCEPTABLE);
        }
    }

    private static void requireJson(HttpServerRequest request) throws ApiProblem {
        List<String> types = request.headers().getAll("Content-Type");
        for (String type : types) {
            String[] parts = type.split(";", -1);
            boolean json = parts[0].strip().toLowerCase(Locale.ROOT).equals(Answering.JSON);
            boolean utf8 = true;
            for (int i = 1; i < parts.length; i++) {
                String parameter = parts[i].strip().toLowerCase(Locale.ROOT).replace("\"", "");
                utf8 &= !parameter.startsWith("charset=") || parameter.equals("charset=utf-8");
            }
            if (!json || !utf8 || types.size() > 1) {
                throw ApiProblem.unsupportedMediaType("the body has to be application/json in UTF-8");
            }
        }
        String coding = request.getHeader("Content-Encoding");
        if (coding != null && !coding.equalsIgnoreCase("identity")) {
            throw ApiProblem.unsupportedMediaType("the body has to come without Content-Encoding");
        }
    }

    /** Problems and answers of the contract. {@code operation} is null where the contract has none. */
    record ContractForm(@Nullable ContractOperation operation) implements Exchange.Form {
        @Override
        public Answering problem(ApiProblem problem, String path, String requestId) {
            return Answering.of(problem, path, requestId);
        }

        @Override
        public List<String> mistakes(Answering answer) {
            try {
                return operation == null
                        ? List.of()
                        : operation.mistakesOfAnswer(answer.status(), answer.mediaType(), answer.json());
            } catch (IOException e) {
                return List.of("the response is not JSON: " + e.getMessage());
            }
        }

        @Override
        public boolean mayBeKept() {
            return operation != null
                    && operation.parameters().stream()
                            .map(Parameter::name)
                            .anyMatch(name -> name.equals("If-None-Match"));
        }
    }
}
