package io.osmhub.api.problem;

import io.osmhub.core.problem.Reason;
import org.jspecify.annotations.Nullable;

/**
 * One error of a request.
 *
 * @param in part of the request; null if none
 * @param pointer JSON pointer into the body, or name of the parameter; empty for the whole part
 * @param field path inside a text such as a kubeconfig; empty if there is none
 * @param reason null without a catalogued reason
 * @param detail what is wrong; never a credential
 * @param cure how to fix it; empty if the detail states it
 */
public record RequestError(
        @Nullable RequestPart in,
        String pointer,
        String field,
        @Nullable Reason reason,
        String detail,
        String cure) {
    /** Parts of a request. */
    public enum RequestPart {
        BODY,
        QUERY,
        PATH,
        HEADER
    }

    public static RequestError body(String pointer, String detail, String cure) {
        return new RequestError(RequestPart.BODY, pointer, "", null, detail, cure);
    }

    public static RequestError query(String name, String detail, String cure) {
        return new RequestError(RequestPart.QUERY, name, "", null, detail, cure);
    }

    public static RequestError path(String name, String detail, String cure) {
        return new RequestError(RequestPart.PATH, name, "", null, detail, cure);
    }

    public static RequestError header(String name, String detail, String cure) {
        return new RequestError(RequestPart.HEADER, name, "", null, detail, cure);
    }

    /** The same, at a place inside the text at the pointer. */
    public RequestError withField(String otherField) {
        return new RequestError(in, pointer, otherField, reason, detail, cure);
    }

    /** The same, with a reason. */
    public RequestError withReason(Reason other) {
        return new RequestError(in, pointer, field, other, detail, cure);
    }
}
