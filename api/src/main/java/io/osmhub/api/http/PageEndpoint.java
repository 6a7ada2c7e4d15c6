package io.osmhub.api.http;

import com.fasterxml.jackson.databind.node.MissingNode;
import io.osmhub.api.access.Caller;
import io.osmhub.api.contract.QueryDecoder;
import io.osmhub.api.http.HttpRoute.HttpEndpoint;
import io.osmhub.api.http.HttpRoute.ReplyFormat;
import io.osmhub.api.problem.ApiProblem;
import io.osmhub.api.problem.RequestError;
import io.vertx.core.http.HttpServerRequest;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A page and the page of its problems. */
record PageEndpoint(WebPage page, ProblemPageRenderer problems) implements HttpEndpoint {
    private static final int SEE_OTHER = 303;
    private static final String FORM = "application/x-www-form-urlencoded";

    @Override
    public String method() {
        return page.method();
    }

    @Override
    public boolean hasBody() {
        return page.method().equals("POST");
    }

    @Override
    public String action() {
        return page.action();
    }

    @Override
    public ReplyFormat format() {
        return new ReplyFormat(null, problems);
    }

    @Override
    public Reply answer(RequestExchange exchange, Map<String, String> path) throws ApiProblem, InterruptedException {
        HttpServerRequest request = exchange.request();
        Caller caller = null;
        if (page.signedIn()) {
            caller = exchange.authenticate().orElse(null);
            if (caller == null) {
                return redirectToSignIn(request.uri());
            }
        } else if (hasBody()) {
            // Public pages are cheap.
            exchange.admitUnauthenticated();
        }
        if (hasBody() && !RequestAuthenticator.isSameOrigin(request)) {
            throw ApiProblem.forbidden("the form was sent from another site");
        }
        List<RequestError> mistakes = new ArrayList<>();
        Map<String, List<String>> query =
                QueryDecoder.parse(Optional.ofNullable(request.query()).orElse(""), mistakes);
        Map<String, List<String>> fields = Map.of();
        if (hasBody()) {
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
                .handle(new HttpCall(
                        request,
                        exchange.requestId(),
                        exchange.address(),
                        caller,
                        exchange.pathParameters(),
                        query,
                        MissingNode.getInstance(),
                        fields));
    }

    private static Reply redirectToSignIn(String back) {
        return new Reply(
                SEE_OTHER, null, Map.of("Location", "/signin?back=" + URLEncoder.encode(back, StandardCharsets.UTF_8)));
    }
}
