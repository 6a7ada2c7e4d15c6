package io.osmhub.e2e.cluster;

/** Objects of one kind, custom or not, as the API serves them. */
public record Resource(String group, String version, String plural) {
    public static final Resource CONFIG_MAPS = new Resource("", "v1", "configmaps");
    public static final Resource ENDPOINT_SLICES = new Resource("discovery.k8s.io", "v1", "endpointslices");
    public static final Resource EVENTS = new Resource("events.k8s.io", "v1", "events");
    public static final Resource LEASES = new Resource("coordination.k8s.io", "v1", "leases");
    public static final Resource MACHINE_DEPLOYMENTS = new Resource("cluster.k8s.io", "v1alpha1", "machinedeployments");
    public static final Resource NAMESPACES = new Resource("", "v1", "namespaces");
    public static final Resource OSCS =
            new Resource("operatingsystemmanager.k8c.io", "v1alpha1", "operatingsystemconfigs");
    public static final Resource OSPS =
            new Resource("operatingsystemmanager.k8c.io", "v1alpha1", "operatingsystemprofiles");
    public static final Resource SECRETS = new Resource("", "v1", "secrets");
    public static final Resource SERVICE_ACCOUNTS = new Resource("", "v1", "serviceaccounts");
    public static final Resource WORKER_CLUSTERS = new Resource("osmhub.io", "v1alpha1", "workerclusters");

    /**
     * One object or a list of them.
     *
     * @param namespace empty for all namespaces, or for an object that is in none
     * @param name empty for a list
     */
    public record Place(Resource resource, String namespace, String name) {}

    /** All of them, in all namespaces. */
    public Place all() {
        return in("");
    }

    /** One that is in no namespace. */
    public Place named(String name) {
        return in("", name);
    }

    /** All of one namespace. */
    public Place in(String namespace) {
        return in(namespace, "");
    }

    /** One of a namespace. */
    public Place in(String namespace, String name) {
        return new Place(this, namespace, name);
    }
}
