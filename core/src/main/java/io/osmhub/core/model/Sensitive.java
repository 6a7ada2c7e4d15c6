package io.osmhub.core.model;

/** A credential. Its {@code toString} hides the content. */
public record Sensitive(String reveal) {
    @Override
    public String toString() {
        return "<redacted>";
    }
}
