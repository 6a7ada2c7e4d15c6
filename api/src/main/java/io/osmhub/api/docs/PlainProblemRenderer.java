package io.osmhub.api.docs;

import io.osmhub.api.http.ProblemPageRenderer;
import io.osmhub.api.http.Reply;
import io.osmhub.api.problem.ApiProblem;
import java.nio.charset.StandardCharsets;

/** Renders problems as pages without the console. */
public final class PlainProblemRenderer implements ProblemPageRenderer {
    @Override
    public Reply.ReplyContent renderProblem(ApiProblem problem, String requestId) {
        String html = DocumentationLayout.html(
                problem.type().title(),
                new HtmlBuilder()
                        .element("h1", problem.type().title())
                        .element("p", problem.detail())
                        .element("p", "Request " + requestId));
        return new Reply.ReplyContent(DocumentationLayout.MEDIA_TYPE, html.getBytes(StandardCharsets.UTF_8));
    }
}
