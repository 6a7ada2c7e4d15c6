package io.osmhub.sim;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.sim.json.JsonTrees;
import io.osmhub.sim.objects.ObjectOperations;
import io.osmhub.sim.objects.WriteOptions;
import io.osmhub.sim.resource.BuiltInResources;
import io.osmhub.sim.resource.ResourceKey;
import io.osmhub.sim.resource.ResourceType;
import java.util.List;

/** The objects that every API server creates before it is ready: default namespaces and roles. */
final class InitialObjects {
    private static final WriteOptions OPTIONS = WriteOptions.by("kube-apiserver");

    private InitialObjects() {}

    static void create(ObjectOperations objects) {
        ResourceType namespaces =
                objects.catalog().any(BuiltInResources.NAMESPACES).orElseThrow();
        for (String name : List.of("default", "kube-node-lease", "kube-public", "kube-system")) {
            objects.create(namespaces, "", named(name), OPTIONS);
        }
        role(objects, "cluster-admin", "Group", "system:masters", """
                [{"apiGroups":["*"],"resources":["*"],"verbs":["*"]},{"nonResourceURLs":["*"],"verbs":["*"]}]""");
        role(objects, "system:basic-user", "Group", "system:authenticated", """
                [{"apiGroups":["authorization.k8s.io"],"resources":["selfsubjectaccessreviews","selfsubjectrulesreviews"],"verbs":["create"]},
                 {"apiGroups":["authentication.k8s.io"],"resources":["selfsubjectreviews"],"verbs":["create"]}]""");
        role(objects, "system:discovery", "Group", "system:authenticated", """
                [{"nonResourceURLs":["/api","/api/*","/apis","/apis/*","/healthz","/livez","/openapi","/openapi/*","/readyz","/version",
                  "/version/"],"verbs":["get"]}]""");
        role(objects, "system:public-info-viewer", "Group", "system:unauthenticated", """
                [{"nonResourceURLs":["/healthz","/livez","/readyz","/version","/version/"],"verbs":["get"]}]""");
    }

    private static void role(ObjectOperations objects, String name, String subjectKind, String subject, String rules) {
        ObjectNode role = named(name);
        role.set("rules", JsonTrees.read("{\"rules\":" + rules + "}").get("rules"));
        objects.create(type(objects, "clusterroles"), "", role, OPTIONS);
        ObjectNode binding = named(name);
        binding.putObject("roleRef")
                .put("apiGroup", BuiltInResources.RBAC)
                .put("kind", "ClusterRole")
                .put("name", name);
        binding.putArray("subjects")
                .addObject()
                .put("kind", subjectKind)
                .put("apiGroup", BuiltInResources.RBAC)
                .put("name", subject);
        objects.create(type(objects, "clusterrolebindings"), "", binding, OPTIONS);
    }

    private static ResourceType type(ObjectOperations objects, String plural) {
        return objects.catalog()
                .any(new ResourceKey(BuiltInResources.RBAC, plural))
                .orElseThrow();
    }

    private static ObjectNode named(String name) {
        ObjectNode object = JsonTrees.object();
        object.putObject("metadata").put("name", name);
        return object;
    }
}
