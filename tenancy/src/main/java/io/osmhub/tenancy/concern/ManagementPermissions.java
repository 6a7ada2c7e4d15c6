package io.osmhub.tenancy.concern;

import io.osmhub.tenancy.connection.Permission;
import java.util.ArrayList;
import java.util.List;

/**
 * The permissions that the hub needs in the management cluster: those of deploy/manifests/rbac-management.yaml, enforced by a
 * test. Disabled features need none.
 *
 * @param sharded replicas share the tenants by Leases
 * @param installsDefinitions the hub installs its CustomResourceDefinitions
 * @param answersCallers the API is enabled
 * @param ownAuthority the hub issues its certificates
 * @param patchesWebhooks the webhooks are enabled, so that their CA must be configured
 */
public record ManagementPermissions(
        boolean sharded,
        boolean installsDefinitions,
        boolean answersCallers,
        boolean ownAuthority,
        boolean patchesWebhooks) {
    private static final String PROFILES = "operatingsystemmanager.k8c.io";
    private static final String ADMISSION = "admissionregistration.k8s.io";
    private static final String DEFINITIONS = "apiextensions.k8s.io";
    private static final String[] DEFINITION_NAMES = {
        "operatingsystemconfigs.operatingsystemmanager.k8c.io",
        "operatingsystemprofiles.operatingsystemmanager.k8c.io",
        "workerclusters.osmhub.io"
    };

    /** Most important first, as displayed. {@code namespace}: the hub's own. */
    public List<Permission> list(String namespace) {
        List<Permission> all = new ArrayList<>();
        add(all, "osmhub.io", "workerclusters", "", "", "get", "list", "watch", "create", "patch", "delete");
        add(all, "", "secrets", "", "", "get", "list", "watch", "create", "patch", "delete");
        add(all, "", "namespaces", "", "", "list", "watch");
        add(all, "", "configmaps", "", "", "list", "watch");
        add(all, PROFILES, "operatingsystemprofiles", "", "", "get", "list", "watch", "create", "patch");
        add(all, PROFILES, "operatingsystemconfigs", "", "", "get", "list", "watch", "create", "patch", "delete");
        if (sharded) {
            add(all, "coordination.k8s.io", "leases", namespace, "", "get", "list", "watch", "create", "update");
        }
        add(all, "osmhub.io", "workerclusters/status", "", "", "patch");
        add(all, PROFILES, "operatingsystemprofiles/status", "", "", "patch");
        add(all, PROFILES, "operatingsystemconfigs/status", "", "", "patch");
        add(all, "events.k8s.io", "events", "", "", "create", "patch");
        if (answersCallers) {
            add(all, "authentication.k8s.io", "tokenreviews", "", "", "create");
            add(all, "authorization.k8s.io", "subjectaccessreviews", "", "", "create");
        }
        if (ownAuthority) {
            add(all, "", "secrets", namespace, "", "create");
            add(all, "", "secrets", namespace, "osm-hub-webhook-ca", "update");
            add(all, "", "secrets", namespace, "osm-hub-webhook-tls", "update");
        }
        if (patchesWebhooks) {
            for (String configurations : List.of("validatingwebhookconfigurations", "mutatingwebhookconfigurations")) {
                add(all, ADMISSION, configurations, "", "osm-hub", "list", "watch", "patch");
            }
        }
        if (installsDefinitions) {
            add(all, DEFINITIONS, "customresourcedefinitions", "", "", "create");
        }
        for (String name : DEFINITION_NAMES) {
            add(all, DEFINITIONS, "customresourcedefinitions", "", name, "get", "list", "watch");
            if (installsDefinitions) {
                add(all, DEFINITIONS, "customresourcedefinitions", "", name, "patch");
            }
        }
        return List.copyOf(all);
    }

    private static void add(
            List<Permission> all, String group, String resource, String namespace, String name, String... verbs) {
        for (String verb : verbs) {
            all.add(new Permission(verb, group, resource, namespace, name));
        }
    }
}
