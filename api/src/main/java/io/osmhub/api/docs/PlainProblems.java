package io.osmhub.api.docs;

import io.osmhub.api.http.PageProblems;
import io.osmhub.api.http.Reply;
import io.osmhub.api.problem.ApiProblem;
import java.nio.charset.StandardCharsets;

/** Problems as pages where there is no console. */
public final class PlainProblems implements PageProblems {
    @Override
    public Reply.Content show(ApiProblem problem, String requestId) {
        String html = Frame.html(
                problem.type().title(),
                new Html()
                        .element("h1", problem.type().title())
                        .element("p", problem.detail())
                        .element("p", "Request " + requestId));
        return new Reply.Content(Frame.MEDIA_TYPE, html.getBytes(StandardCharsets.UTF_8));
    }
}
