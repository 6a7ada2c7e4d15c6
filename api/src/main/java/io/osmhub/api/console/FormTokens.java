package io.osmhub.api.console;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.osmhub.api.http.PageCall;
import io.osmhub.api.problem.ApiProblem;
import io.osmhub.core.model.Sha256;
import java.security.MessageDigest;

/** CSRF tokens of forms, derived from the session, checked in addition to the request's origin. */
final class FormTokens {
    private static final String FIELD = "form";

    private FormTokens() {}

    /** Token of this session's forms; empty without a session. Does not reveal the session. */
    static String token(PageCall call) {
        return call.session().map(FormTokens::derived).orElse("");
    }

    /** Rejects a form that was not rendered for this session. */
    static void requireToken(PageCall call) throws ApiProblem {
        byte[] wanted = token(call).getBytes(UTF_8);
        byte[] given = call.form(FIELD).orElse("").getBytes(UTF_8);
        if (wanted.length == 0 || !MessageDigest.isEqual(wanted, given)) {
            throw ApiProblem.forbidden("the form belongs to another session; reload the page and submit it again");
        }
    }

    private static String derived(String session) {
        return Sha256.hex("osmhub console form\n" + session);
    }
}
