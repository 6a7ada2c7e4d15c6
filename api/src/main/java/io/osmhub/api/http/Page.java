package io.osmhub.api.http;

import io.osmhub.api.problem.ApiProblem;

/**
 * A page outside the contract, for people. Path parts are {@code {named}}. Its {@link Reply} has {@link Reply.Content} as body; a
 * problem is shown by {@link PageProblems}. A form is only taken from a page of the same origin.
 *
 * @param method GET or POST; GET answers HEAD too
 * @param path for example {@code /clusters/{namespace}/{name}}
 * @param signedIn whether only a signed-in caller sees it; others are sent to {@code /signin?back=}
 * @param action what audit lines call it, for example {@code worker-cluster.create}; empty when it changes nothing
 */
public record Page(String method, String path, boolean signedIn, String action, Answer answer) {
    /** A page that is read by who is signed in. */
    public static Page get(String path, Answer answer) {
        return new Page("GET", path, true, "", answer);
    }

    /** A form that is sent by who is signed in; its writes are told where they are done. */
    public static Page post(String path, Answer answer) {
        return post(path, "", answer);
    }

    /** A form that is sent by who is signed in. */
    public static Page post(String path, String action, Answer answer) {
        return new Page("POST", path, true, action, answer);
    }

    /** The same for everybody. */
    public Page open() {
        return new Page(method, path, false, action, answer);
    }

    /** What a page does; on a virtual thread. */
    public interface Answer {
        Reply to(PageCall call) throws ApiProblem;
    }
}
