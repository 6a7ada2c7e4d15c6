package io.osmhub.api.console;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.osmhub.api.http.PageCall;
import io.osmhub.api.problem.ApiProblem;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Forms that only a page of the console can send: each carries a text that follows from the session, which no other site knows. It
 * is checked besides the origin of the request.
 */
final class Forms {
    private static final String FIELD = "form";

    private Forms() {}

    /** The text that forms of this session carry; empty without a session. It does not lead back to the session. */
    static String token(PageCall call) {
        return call.session().map(Forms::derived).orElse("");
    }

    /** Refuses a form that does not come from a page of this session. */
    static void check(PageCall call) throws ApiProblem {
        byte[] wanted = token(call).getBytes(UTF_8);
        byte[] given = call.form(FIELD).orElse("").getBytes(UTF_8);
        if (wanted.length == 0 || !MessageDigest.isEqual(wanted, given)) {
            throw ApiProblem.forbidden(
                    "this form is not of your present session; load its page again and send it once more");
        }
    }

    private static String derived(String session) {
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-256").digest(("osmhub console form\n" + session).getBytes(UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java has SHA-256", impossible);
        }
    }
}
