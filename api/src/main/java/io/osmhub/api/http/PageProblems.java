package io.osmhub.api.http;

import io.osmhub.api.problem.ApiProblem;

/** Shows a problem as a page of the console. */
public interface PageProblems {
    /** The page; its status is the problem's. */
    Reply.Content show(ApiProblem problem, String requestId);
}
