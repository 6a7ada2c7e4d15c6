package io.osmhub.e2e.cluster;

/** Where the objects of one kind are, as paths of the API. */
public record Resource(String prefix, String plural) {
    public static final Resource CONFIG_MAPS = new Resource("/api/v1", "configmaps");
    public static final Resource ENDPOINT_SLICES = new Resource("/apis/discovery.k8s.io/v1", "endpointslices");
    public static final Resource EVENTS = new Resource("/apis/events.k8s.io/v1", "events");
    public static final Resource LEASES = new Resource("/apis/coordination.k8s.io/v1", "leases");
    public static final Resource MACHINE_DEPLOYMENTS =
            new Resource("/apis/cluster.k8s.io/v1alpha1", "machinedeployments");
    public static final Resource NAMESPACES = new Resource("/api/v1", "namespaces");
    public static final Resource OSCS =
            new Resource("/apis/operatingsystemmanager.k8c.io/v1alpha1", "operatingsystemconfigs");
    public static final Resource OSPS =
            new Resource("/apis/operatingsystemmanager.k8c.io/v1alpha1", "operatingsystemprofiles");
    public static final Resource SECRETS = new Resource("/api/v1", "secrets");
    public static final Resource SERVICE_ACCOUNTS = new Resource("/api/v1", "serviceaccounts");
    public static final Resource WORKER_CLUSTERS = new Resource("/apis/osmhub.io/v1alpha1", "workerclusters");
    public static final Resource DEFINITIONS =
            new Resource("/apis/apiextensions.k8s.io/v1", "customresourcedefinitions");

    /** All of them, in all namespaces. */
    public String all() {
        return prefix + "/" + plural;
    }

    /** One that is in no namespace. */
    public String named(String name) {
        return all() + "/" + name;
    }

    /** All of one namespace. */
    public String in(String namespace) {
        return prefix + "/namespaces/" + namespace + "/" + plural;
    }

    /** One of a namespace. */
    public String in(String namespace, String name) {
        return in(namespace) + "/" + name;
    }
}
