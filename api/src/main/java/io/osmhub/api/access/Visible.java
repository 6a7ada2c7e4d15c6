package io.osmhub.api.access;

/** In which tenants a caller may do one thing, as it was decided at one moment. Asks nobody. */
public interface Visible {
    /** Everywhere, also in tenants that come later. */
    boolean all();

    /** In the tenant of this namespace. */
    boolean sees(String namespace);
}
