package io.osmhub.api.http;

import io.osmhub.api.contract.ApiContract;
import io.osmhub.api.problem.ApiProblem;
import io.osmhub.api.problem.ProblemType;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Requests without a matching route: a problem for programs, a page for browsers. */
final class UnmatchedRequestHandler {
    private static final Logger LOG = LoggerFactory.getLogger(UnmatchedRequestHandler.class);
    private static final String ROUTE = "other";

    private final HttpServerContext services;
    private final ProblemPageRenderer pages;

    UnmatchedRequestHandler(HttpServerContext services, ProblemPageRenderer pages) {
        this.services = services;
        this.pages = pages;
    }

    void handleNotFound(RoutingContext routing) {
        answer(
                routing,
                ApiProblem.of(ProblemType.NOT_FOUND, "unknown path; see /openapi.yaml for all operations", List.of()));
    }

    void handleMalformed(RoutingContext routing) {
        answer(routing, ApiProblem.badRequest("the path has an invalid escape"));
    }

    void handleFailure(RoutingContext routing) {
        LOG.atError().setCause(routing.failure()).log("Request failed");
        answer(routing, ApiProblem.internalError());
    }

    private void answer(RoutingContext routing, ApiProblem problem) {
        List<String> accepted = routing.request().headers().getAll("Accept");
        boolean browser = String.join(",", accepted).contains("text/html")
                && !routing.request().path().startsWith(ApiContract.BASE);
        RequestExchange.ReplyFormat form = new RequestExchange.ReplyFormat() {
            @Override
            public EncodedReply problem(ApiProblem shown, String path, String requestId) {
                EncodedReply plain = EncodedReply.of(shown, path, requestId);
                if (!browser) {
                    return plain;
                }
                Reply.ReplyContent page = pages.renderProblem(shown, requestId);
                return new EncodedReply(plain.status(), plain.headers(), page.mediaType(), page.bytes());
            }

            @Override
            public List<String> mistakes(EncodedReply answering) {
                return List.of();
            }

            @Override
            public boolean isCacheable() {
                return false;
            }
        };
        new RequestExchange(routing, services, ROUTE).run(form, () -> {
            throw problem;
        });
    }
}
