package io.osmhub.e2e.cluster;

/** Objects of one kind, custom or not, as the API serves them. */
public record ApiResource(String group, String version, String plural) {
    public static final ApiResource CONFIG_MAPS = new ApiResource("", "v1", "configmaps");
    public static final ApiResource ENDPOINT_SLICES = new ApiResource("discovery.k8s.io", "v1", "endpointslices");
    public static final ApiResource EVENTS = new ApiResource("events.k8s.io", "v1", "events");
    public static final ApiResource EXTENSIONS =
            new ApiResource("osmhub.io", "v1alpha1", "operatingsystemprofileextensions");
    public static final ApiResource LEASES = new ApiResource("coordination.k8s.io", "v1", "leases");
    public static final ApiResource MACHINE_DEPLOYMENTS =
            new ApiResource("cluster.k8s.io", "v1alpha1", "machinedeployments");
    public static final ApiResource NAMESPACES = new ApiResource("", "v1", "namespaces");
    public static final ApiResource OSCS =
            new ApiResource("operatingsystemmanager.k8c.io", "v1alpha1", "operatingsystemconfigs");
    public static final ApiResource OSPS =
            new ApiResource("operatingsystemmanager.k8c.io", "v1alpha1", "operatingsystemprofiles");
    public static final ApiResource ROLE_BINDINGS = new ApiResource("rbac.authorization.k8s.io", "v1", "rolebindings");
    public static final ApiResource SECRETS = new ApiResource("", "v1", "secrets");
    public static final ApiResource SERVICE_ACCOUNTS = new ApiResource("", "v1", "serviceaccounts");
    public static final ApiResource WORKER_CLUSTERS = new ApiResource("osmhub.io", "v1alpha1", "workerclusters");

    /**
     * One object or a list of them.
     *
     * @param namespace empty for all namespaces, or for an object that is in none
     * @param name empty for a list
     */
    public record ResourcePath(ApiResource resource, String namespace, String name) {}

    /** All of them, in all namespaces. */
    public ResourcePath all() {
        return in("");
    }

    /** One that is in no namespace. */
    public ResourcePath named(String name) {
        return in("", name);
    }

    /** All of one namespace. */
    public ResourcePath in(String namespace) {
        return in(namespace, "");
    }

    /** One of a namespace. */
    public ResourcePath in(String namespace, String name) {
        return new ResourcePath(this, namespace, name);
    }
}
