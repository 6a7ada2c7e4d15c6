package io.osmhub.api.http;

import io.osmhub.api.contract.Contract;
import io.osmhub.api.problem.ApiProblem;
import io.osmhub.api.problem.ProblemType;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Requests that reach no operation and no page: a problem for programs, a page for browsers. */
final class Elsewhere {
    private static final Logger LOG = LoggerFactory.getLogger(Elsewhere.class);
    private static final String ROUTE = "other";

    private final Services services;
    private final PageProblems pages;

    Elsewhere(Services services, PageProblems pages) {
        this.services = services;
        this.pages = pages;
    }

    void notThere(RoutingContext routing) {
        answer(
                routing,
                ApiProblem.of(
                        ProblemType.NOT_FOUND,
                        "nothing is served at this path; operations are listed at /openapi.yaml",
                        List.of()));
    }

    void malformed(RoutingContext routing) {
        answer(routing, ApiProblem.badRequest("the address has a part that cannot be decoded"));
    }

    void fault(RoutingContext routing) {
        LOG.atError().setCause(routing.failure()).log("A request ended in a fault");
        answer(routing, ApiProblem.internalError());
    }

    private void answer(RoutingContext routing, ApiProblem problem) {
        List<String> accepted = routing.request().headers().getAll("Accept");
        boolean browser = String.join(",", accepted).contains("text/html")
                && !routing.request().path().startsWith(Contract.BASE);
        Exchange.Form form = new Exchange.Form() {
            @Override
            public Answering problem(ApiProblem shown, String path, String requestId) {
                Answering plain = Answering.of(shown, path, requestId);
                if (!browser) {
                    return plain;
                }
                Reply.Content page = pages.show(shown, requestId);
                return new Answering(plain.status(), plain.headers(), page.mediaType(), page.bytes());
            }

            @Override
            public List<String> mistakes(Answering answering) {
                return List.of();
            }

            @Override
            public boolean mayBeKept() {
                return false;
            }
        };
        new Exchange(routing, services, ROUTE).run(form, () -> {
            throw problem;
        });
    }
}
