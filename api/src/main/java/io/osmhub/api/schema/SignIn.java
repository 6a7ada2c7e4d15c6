package io.osmhub.api.schema;

import io.osmhub.core.model.Sensitive;
import java.util.Objects;

/** What a person hands in to open a session of the console. */
public record SignIn(Sensitive token) {
    public SignIn {
        Objects.requireNonNull(token, "token");
    }
}
