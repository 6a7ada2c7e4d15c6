package io.osmhub.sim;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.sim.json.JsonTrees;

/** What a worker cluster has before a hub comes: the machine kinds, the reader of the configuration secrets, and its own address. */
final class WorkerPrerequisites {
    private WorkerPrerequisites() {}

    static void install(SimulatedCluster cluster) {
        SimulatedObjects objects = cluster.objects();
        definition(
                objects,
                "MachineDeployment",
                "machinedeployments",
                "md",
                ",\"scale\":{\"specReplicasPath\":\".spec.replicas\",\"statusReplicasPath\":\".status.replicas\"}");
        definition(objects, "Machine", "machines", "ma", "");
        objects.createIfAbsent(JsonTrees.read("""
                {"apiVersion":"v1","kind":"Namespace","metadata":{"name":"cloud-init-settings"}}"""));
        objects.createIfAbsent(JsonTrees.read("""
                {"apiVersion":"v1","kind":"ServiceAccount","metadata":{"name":"cloud-init-getter","namespace":"cloud-init-settings"}}"""));
        objects.createIfAbsent(JsonTrees.read("""
                {"apiVersion":"rbac.authorization.k8s.io/v1","kind":"Role",
                 "metadata":{"name":"cloud-init-getter","namespace":"cloud-init-settings"},
                 "rules":[{"apiGroups":[""],"resources":["secrets"],"verbs":["get","list"]}]}"""));
        objects.createIfAbsent(JsonTrees.read("""
                {"apiVersion":"rbac.authorization.k8s.io/v1","kind":"RoleBinding",
                 "metadata":{"name":"cloud-init-getter","namespace":"cloud-init-settings"},
                 "roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"Role","name":"cloud-init-getter"},
                 "subjects":[{"kind":"ServiceAccount","name":"cloud-init-getter","namespace":"cloud-init-settings"}]}"""));
        objects.createIfAbsent(JsonTrees.read("""
                {"apiVersion":"v1","kind":"Secret","type":"kubernetes.io/service-account-token",
                 "metadata":{"name":"cloud-init-getter-token","namespace":"cloud-init-settings",
                   "annotations":{"kubernetes.io/service-account.name":"cloud-init-getter"}}}"""));
        ObjectNode info = JsonTrees.read("""
                {"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"cluster-info","namespace":"kube-public"},"data":{}}""");
        JsonTrees.child(info, "data").put("kubeconfig", Kubeconfig.withoutUser(cluster.url(), cluster.caPem()));
        objects.createIfAbsent(info);
        ObjectNode slice = JsonTrees.read("""
                {"apiVersion":"discovery.k8s.io/v1","kind":"EndpointSlice","addressType":"IPv4",
                 "metadata":{"name":"kubernetes","namespace":"default","labels":{"kubernetes.io/service-name":"kubernetes"}},
                 "endpoints":[{"addresses":["127.0.0.1"],"conditions":{"ready":true}}],"ports":[{"name":"https","protocol":"TCP"}]}""");
        ((ObjectNode) slice.path("ports").get(0)).put("port", cluster.port());
        objects.createIfAbsent(slice);
    }

    private static void definition(
            SimulatedObjects objects, String kind, String plural, String shortName, String scale) {
        objects.createIfAbsent(JsonTrees.read("""
                {"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"%2$s.cluster.k8s.io"},
                 "spec":{"group":"cluster.k8s.io","scope":"Namespaced","names":{"kind":"%1$s","plural":"%2$s","shortNames":["%3$s"]},
                  "versions":[{"name":"v1alpha1","served":true,"storage":true,"subresources":{"status":{}%4$s},
                   "schema":{"openAPIV3Schema":{"type":"object","x-kubernetes-preserve-unknown-fields":true}},
                   "additionalPrinterColumns":[
                     {"name":"Replicas","type":"integer","jsonPath":".spec.replicas"},
                     {"name":"Ready","type":"integer","jsonPath":".status.readyReplicas"},
                     {"name":"Phase","type":"string","jsonPath":".status.phase"},
                     {"name":"Age","type":"date","jsonPath":".metadata.creationTimestamp"}]}]}}""".formatted(kind, plural, shortName, scale)));
    }
}
