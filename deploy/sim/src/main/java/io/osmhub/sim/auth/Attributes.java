package io.osmhub.sim.auth;

/** What somebody wants to do. For a resource {@code path} is empty; for another path all but {@code verb} and {@code path} are. */
public record Attributes(
        String verb, String group, String resource, String subresource, String namespace, String name, String path) {
    /** A request for a path that is no resource. */
    public static Attributes ofPath(String verb, String path) {
        return new Attributes(verb, "", "", "", "", "", path);
    }

    /** The resource with its subresource, as rules name it. */
    public String fullResource() {
        return subresource.isEmpty() ? resource : resource + "/" + subresource;
    }
}
