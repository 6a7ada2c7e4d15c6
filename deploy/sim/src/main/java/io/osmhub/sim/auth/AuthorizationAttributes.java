package io.osmhub.sim.auth;

/** A request to authorize. For resources {@code path} is empty; otherwise all but {@code verb} and {@code path} are. */
public record AuthorizationAttributes(
        String verb, String group, String resource, String subresource, String namespace, String name, String path) {
    /** A non-resource request. */
    public static AuthorizationAttributes ofPath(String verb, String path) {
        return new AuthorizationAttributes(verb, "", "", "", "", "", path);
    }

    /** The resource with its subresource, as rules name it. */
    public String fullResource() {
        return subresource.isEmpty() ? resource : resource + "/" + subresource;
    }
}
