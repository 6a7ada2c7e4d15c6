package io.osmhub.workersync.apiserver;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** The kinds of objects that the hub uses. */
public enum Resource {
    MACHINE_DEPLOYMENTS("cluster.k8s.io", "v1alpha1", "machinedeployments"),
    MACHINES("cluster.k8s.io", "v1alpha1", "machines"),
    SECRETS("", "v1", "secrets"),
    CONFIG_MAPS("", "v1", "configmaps"),
    NAMESPACES("", "v1", "namespaces"),
    SERVICE_ACCOUNTS("", "v1", "serviceaccounts"),
    DEPLOYMENTS("apps", "v1", "deployments"),
    ENDPOINT_SLICES("discovery.k8s.io", "v1", "endpointslices"),
    ENDPOINTS("", "v1", "endpoints"),
    ROLES("rbac.authorization.k8s.io", "v1", "roles"),
    ROLE_BINDINGS("rbac.authorization.k8s.io", "v1", "rolebindings"),
    CLUSTER_ROLES("rbac.authorization.k8s.io", "v1", "clusterroles"),
    CLUSTER_ROLE_BINDINGS("rbac.authorization.k8s.io", "v1", "clusterrolebindings"),
    LEASES("coordination.k8s.io", "v1", "leases"),
    EVENTS("events.k8s.io", "v1", "events"),
    CORE_EVENTS("", "v1", "events"),
    OPERATING_SYSTEM_PROFILES("operatingsystemmanager.k8c.io", "v1alpha1", "operatingsystemprofiles"),
    OPERATING_SYSTEM_PROFILE_EXTENSIONS("osmhub.io", "v1alpha1", "operatingsystemprofileextensions"),
    OPERATING_SYSTEM_CONFIGS("operatingsystemmanager.k8c.io", "v1alpha1", "operatingsystemconfigs"),
    KKP_CLUSTERS("kubermatic.k8c.io", "v1", "clusters"),
    KKP_SEEDS("kubermatic.k8c.io", "v1", "seeds"),
    KKP_CLUSTER_TEMPLATES("kubermatic.k8c.io", "v1", "clustertemplates"),
    WORKER_CLUSTERS("osmhub.io", "v1alpha1", "workerclusters"),
    KKP_CONFIGURATIONS("kubermatic.k8c.io", "v1", "kubermaticconfigurations"),
    CUSTOM_RESOURCE_DEFINITIONS("apiextensions.k8s.io", "v1", "customresourcedefinitions"),
    TOKEN_REVIEWS("authentication.k8s.io", "v1", "tokenreviews"),
    SUBJECT_ACCESS_REVIEWS("authorization.k8s.io", "v1", "subjectaccessreviews"),
    MUTATING_WEBHOOK_CONFIGURATIONS("admissionregistration.k8s.io", "v1", "mutatingwebhookconfigurations"),
    VALIDATING_WEBHOOK_CONFIGURATIONS("admissionregistration.k8s.io", "v1", "validatingwebhookconfigurations"),
    SELF_SUBJECT_REVIEWS("authentication.k8s.io", "v1", "selfsubjectreviews"),
    SELF_SUBJECT_ACCESS_REVIEWS("authorization.k8s.io", "v1", "selfsubjectaccessreviews"),
    SELF_SUBJECT_RULES_REVIEWS("authorization.k8s.io", "v1", "selfsubjectrulesreviews");

    private final String group;
    private final String version;
    private final String plural;

    Resource(String group, String version, String plural) {
        this.group = group;
        this.version = version;
        this.plural = plural;
    }

    /** Empty for the core group. */
    public String group() {
        return group;
    }

    public String plural() {
        return plural;
    }

    /** For messages: {@code MachineDeployment}. */
    public String kind() {
        StringBuilder kind = new StringBuilder();
        for (String word : name().replaceFirst("^(KKP|CORE)_", "").split("_")) {
            kind.append(word.charAt(0)).append(word.substring(1).toLowerCase(Locale.ROOT));
        }
        return kind.substring(0, kind.length() - 1);
    }

    public String apiVersion() {
        return group.isEmpty() ? version : group + "/" + version;
    }

    /** Collection path; an empty namespace means all namespaces or a cluster-scoped kind. */
    public String path(String namespace) {
        String root = group.isEmpty() ? "/api/" + version : "/apis/" + group + "/" + version;
        return namespace.isEmpty() ? root + "/" + plural : root + "/namespaces/" + segment(namespace) + "/" + plural;
    }

    public String path(String namespace, String name) {
        return path(namespace) + "/" + segment(name);
    }

    /** Names are validated earlier; escaping is defence in depth. */
    private static String segment(String name) {
        if (name.isEmpty() || name.equals(".") || name.equals("..")) {
            throw new IllegalArgumentException("not a valid object name: \"" + name + "\"");
        }
        return URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
