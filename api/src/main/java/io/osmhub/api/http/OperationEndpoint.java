package io.osmhub.api.http;

import io.osmhub.api.access.Caller;
import io.osmhub.api.contract.ContractOperation;
import io.osmhub.api.contract.ValidatedRequest;
import io.osmhub.api.contract.ValidatedRequest.RawRequest;
import io.osmhub.api.http.HttpRoute.HttpEndpoint;
import io.osmhub.api.http.HttpRoute.ReplyFormat;
import io.osmhub.api.problem.ApiProblem;
import io.osmhub.api.problem.RequestError;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** An operation of the contract and its implementation. */
record OperationEndpoint(ContractOperation contract, Operation operation) implements HttpEndpoint {
    private static final int NOT_ACCEPTABLE = 406;
    private static final byte[] NO_BODY = {};

    @Override
    public String method() {
        return contract.method();
    }

    @Override
    public boolean hasBody() {
        return contract.hasBody();
    }

    @Override
    public String action() {
        return AuditLog.ACTIONS.getOrDefault(contract.id(), "");
    }

    @Override
    public ReplyFormat format() {
        return new ReplyFormat(contract, null);
    }

    @Override
    public Reply answer(RequestExchange exchange, Map<String, String> path) throws ApiProblem, InterruptedException {
        HttpServerRequest request = exchange.request();
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
        HttpCall call = new HttpCall(
                request,
                exchange.requestId(),
                exchange.address(),
                caller,
                checked.path(),
                checked.query(),
                checked.body(),
                Map.of());
        exchange.dryRun(call.dryRun());
        return operation.execute(call);
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
}
