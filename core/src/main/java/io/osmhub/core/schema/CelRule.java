package io.osmhub.core.schema;

import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;

/**
 * A rule that the API server evaluates in CEL, and the hub in Java where no API server is available. The implementing enum has both
 * next to each other, and the contract's examples are run against both.
 */
public interface CelRule {
    /** The CEL expression for the API server; empty if only the hub checks the rule. */
    String expression();

    /** The message for users when it is violated. */
    String message();

    /** Reason of the API server's response, for example {@code FieldValueRequired}; empty for its default. */
    default String reason() {
        return "";
    }

    /** Path below the object in the response, for example {@code .kubeconfigSecretRef}; empty for the object. */
    default String fieldPath() {
        return "";
    }

    /** What is wrong with a value that violates the rule, for offline checks. Never quotes what may be secret. */
    default String describe(JsonNode self) {
        return message();
    }

    /** How to fix such a value; empty if the message says it. */
    default String cure(JsonNode self) {
        return "";
    }

    /**
     * Whether {@code self} satisfies the rule. Called only with values that fit their schema, with defaults applied.
     *
     * @param oldSelf the value before an update; null if it is new. A transition rule is then satisfied
     */
    boolean holds(JsonNode self, @Nullable JsonNode oldSelf);
}
