package io.osmhub.core.model;

/** A credential on its way from where it is kept to where it is needed. Shows itself to nobody by accident. */
public record Sensitive(String reveal) {
    @Override
    public String toString() {
        return "<redacted>";
    }
}
