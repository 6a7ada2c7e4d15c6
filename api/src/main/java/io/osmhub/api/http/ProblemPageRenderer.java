package io.osmhub.api.http;

import io.osmhub.api.problem.ApiProblem;

/** Renders a problem as a page. */
public interface ProblemPageRenderer {
    /** The page; its status is the problem's. */
    Reply.ReplyContent renderProblem(ApiProblem problem, String requestId);
}
