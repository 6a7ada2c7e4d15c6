package io.osmhub.api.problem;

import io.osmhub.core.problem.Reason;
import org.jspecify.annotations.Nullable;

/**
 * One mistake of a request.
 *
 * @param in part of the request; null when it is about none
 * @param pointer JSON pointer into the body, or name of the parameter; empty for the whole part
 * @param field path inside a text such as a kubeconfig; empty when there is none
 * @param reason null when there is no reason of ours for it
 * @param detail what is wrong; without any credential
 * @param cure how to mend it; empty when the detail says it
 */
public record Mistake(
        @Nullable In in,
        String pointer,
        String field,
        @Nullable Reason reason,
        String detail,
        String cure) {
    /** Parts of a request. */
    public enum In {
        BODY,
        QUERY,
        PATH,
        HEADER
    }

    public static Mistake body(String pointer, String detail, String cure) {
        return new Mistake(In.BODY, pointer, "", null, detail, cure);
    }

    public static Mistake query(String name, String detail, String cure) {
        return new Mistake(In.QUERY, name, "", null, detail, cure);
    }

    public static Mistake path(String name, String detail, String cure) {
        return new Mistake(In.PATH, name, "", null, detail, cure);
    }

    public static Mistake header(String name, String detail, String cure) {
        return new Mistake(In.HEADER, name, "", null, detail, cure);
    }

    /** The same, about a place inside the text at the pointer. */
    public Mistake at(String otherField) {
        return new Mistake(in, pointer, otherField, reason, detail, cure);
    }

    /** The same, with a reason. */
    public Mistake because(Reason other) {
        return new Mistake(in, pointer, field, other, detail, cure);
    }
}
