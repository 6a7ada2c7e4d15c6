package io.osmhub.api.http;

import io.osmhub.api.problem.ApiProblem;

/**
 * A page outside the contract. Path parameters are {@code {named}}. Its {@link Reply} has {@link Reply.ReplyContent} as body;
 * {@link ProblemPageRenderer} renders problems. Forms are accepted only from the same origin.
 *
 * @param method GET or POST; GET also serves HEAD
 * @param path for example {@code /clusters/{namespace}/{name}}
 * @param signedIn whether it requires sign-in; others are redirected to {@code /signin?back=}
 * @param action name in audit lines, for example {@code worker-cluster.create}; empty for reads
 */
public record WebPage(String method, String path, boolean signedIn, String action, PageHandler answer) {
    /** A page that requires sign-in. */
    public static WebPage get(String path, PageHandler answer) {
        return new WebPage("GET", path, true, "", answer);
    }

    /** A form that requires sign-in. */
    public static WebPage post(String path, String action, PageHandler answer) {
        return new WebPage("POST", path, true, action, answer);
    }

    /** The same without sign-in. */
    public WebPage withoutSignIn() {
        return new WebPage(method, path, false, action, answer);
    }

    /** Serves a page, on a virtual thread. */
    public interface PageHandler {
        Reply handle(PageCall call) throws ApiProblem;
    }
}
