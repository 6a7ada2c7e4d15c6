package io.osmhub.api.http;

import io.osmhub.api.problem.ApiProblem;

/**
 * A page of the console, outside the contract. Path parts are {@code {named}}. Its {@link Reply} has {@link Reply.Content} as body; a
 * problem is shown by {@link PageProblems}. A page that changes something is only reached from the console itself (same origin).
 *
 * @param method GET or POST; GET answers HEAD too
 * @param path for example {@code /clusters/{namespace}/{name}}
 * @param signedIn whether only a signed-in caller sees it; others are sent to {@code /signin?back=}
 */
public record Page(String method, String path, boolean signedIn, Answer answer) {
    /** A page that is read by who is signed in. */
    public static Page get(String path, Answer answer) {
        return new Page("GET", path, true, answer);
    }

    /** A form that is sent by who is signed in. */
    public static Page post(String path, Answer answer) {
        return new Page("POST", path, true, answer);
    }

    /** The same for everybody. */
    public Page open() {
        return new Page(method, path, false, answer);
    }

    /** What a page does; on a virtual thread. */
    public interface Answer {
        Reply to(PageCall call) throws ApiProblem;
    }
}
