package io.osmhub.core.schema;

import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;

/**
 * A rule that the API server evaluates in CEL and that the hub evaluates in Java where no API server is at hand. Both
 * texts stand next to each other in the enum that implements this, and the examples of the contract are run against
 * both.
 */
public interface CelRule {
    /** What the API server evaluates. */
    String expression();

    /** What a user reads when it does not hold. */
    String message();

    /** Reason of the API server's answer, for example {@code FieldValueRequired}; empty for its default. */
    default String reason() {
        return "";
    }

    /** Path below the object that the answer names, for example {@code .kubeconfigSecretRef}; empty for the object. */
    default String fieldPath() {
        return "";
    }

    /**
     * Whether {@code self} is right. Only asked about values that fit their schema, with defaults filled in.
     *
     * @param oldSelf the value before an update; null when it is new. A rule about changes holds then
     */
    boolean holds(JsonNode self, @Nullable JsonNode oldSelf);
}
