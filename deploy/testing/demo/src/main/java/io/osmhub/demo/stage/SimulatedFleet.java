package io.osmhub.demo.stage;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.resource.ShippedDefinition;
import io.osmhub.sim.SimulatedCluster;
import io.osmhub.sim.SimulatedClusters;
import io.osmhub.sim.SimulatedObjects;
import io.osmhub.sim.SimulationOptions;
import io.osmhub.sim.objects.JsonTrees;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** A management cluster and its tenants with their worker clusters, before the hub starts. */
public final class SimulatedFleet implements AutoCloseable {
    /** The namespace of the profiles that all tenants share. */
    public static final String PROFILES = "osm-profiles";

    /** API version of the core group in manifests. */
    private static final String CORE = "v1";

    private static final String PROFILE_API = "operatingsystemmanager.k8c.io/v1alpha1";
    private static final String WORKER_CLUSTER_API = "osmhub.io/v1alpha1";
    private static final List<String> EXAMPLES = List.of("osp.yaml", "osp-flatcar.yaml");
    /** Resource folder of the default profiles. */
    private static final String DEFAULTS = "/profiles/";

    /** Fetches the kubelet's bootstrap kubeconfig. */
    private static final String JOIN = """
            #!/bin/bash
            set -euo pipefail
            curl --silent --fail --max-time 20 --cacert /etc/kubernetes/pki/ca.crt \\
                --header 'Authorization: Bearer {{ .Token }}' \\
                {{ .ServerURL }}/api/v1/namespaces/cloud-init-settings/secrets/{{ .BootstrapKubeconfigSecretName }} |
                jq --raw-output .data.kubeconfig | base64 --decode > /etc/kubernetes/bootstrap-kubelet.conf
            """;

    private final SimulatedClusters clusters;
    private final SimulatedCluster managementCluster;
    private final List<SimulatedTenant> tenants = new ArrayList<>();

    private SimulatedFleet(SimulatedClusters clusters) {
        this.clusters = clusters;
        this.managementCluster = clusters.add("management");
    }

    /** Starts a management cluster with namespaces, kinds and shared profiles, without tenants. */
    public static SimulatedFleet build(SimulationOptions options) {
        SimulatedFleet stage = new SimulatedFleet(SimulatedClusters.start(0, options));
        SimulatedObjects objects = stage.managementCluster.objects();
        PackedManifests.of("namespaces.yaml").forEach(objects::create);
        for (ShippedDefinition definition : ShippedDefinition.values()) {
            PackedManifests.read(definition.yaml()).forEach(objects::create);
        }
        for (String file : EXAMPLES) {
            ObjectNode profile = PackedManifests.one(file);
            letJoin(profile);
            share(profile, objects);
        }
        // The hub would install them; creating them now avoids waiting for it.
        for (String name : stage.profiles()) {
            share(PackedManifests.one(DEFAULTS + name + ".yaml"), objects);
        }
        return stage;
    }

    /** Starts a worker cluster with its initial objects. It is not registered yet. */
    public SimulatedTenant addTenant(String namespace, String workerCluster) {
        SimulatedCluster cluster = clusters.add(workerCluster);
        cluster.installWorkerPrerequisites();
        SimulatedTenant tenant = new SimulatedTenant(namespace, workerCluster, cluster);
        tenants.add(tenant);
        return tenant;
    }

    /** Registers a tenant as its owner would: a namespace with a labelled kubeconfig Secret. */
    public void register(SimulatedTenant tenant) {
        ObjectNode namespace = object(CORE, "Namespace", "", tenant.namespace());
        managementCluster.objects().createIfAbsent(namespace);
        ObjectNode secret = object(CORE, "Secret", tenant.namespace(), kubeconfigSecret(tenant));
        secret.withObject("/metadata/labels").put("osmhub.io/worker-cluster", tenant.workerCluster());
        secret.withObject("/data").put("kubeconfig", base64(ownKubeconfig(tenant)));
        managementCluster.objects().create(secret);
    }

    /** The worker cluster rejects the hub's credential, as if it had expired; credentials of other users stay valid. */
    public void expireCredential(SimulatedTenant tenant) {
        String stored = managementCluster
                .objects()
                .get(CORE, "Secret", tenant.namespace(), kubeconfigSecret(tenant))
                .map(secret -> secret.path("data").path("kubeconfig").asText())
                .orElseThrow(() -> new IllegalStateException(tenant.workerCluster() + " is not registered"));
        String kubeconfig = new String(Base64.getDecoder().decode(stored), StandardCharsets.UTF_8);
        tenant.cluster()
                .revoke(JsonTrees.read(kubeconfig).at("/users/0/user/token").asText());
        tenant.cluster().faults().closeConnections();
    }

    /** Replaces the registered kubeconfig by one with a new token. */
    public void replaceCredential(SimulatedTenant tenant) {
        ObjectNode patch = JsonTrees.object();
        patch.putObject("data").put("kubeconfig", base64(ownKubeconfig(tenant)));
        managementCluster
                .objects()
                .patch(CORE, "Secret", tenant.namespace(), kubeconfigSecret(tenant), patch.toString());
    }

    // Not the administrator's, which users of the demo have.
    private static String ownKubeconfig(SimulatedTenant tenant) {
        return tenant.cluster().kubeconfig("osm-hub", "system:masters");
    }

    /** Removes a tenant's registration as its owner would: its Secret and its WorkerCluster. The namespace stays. */
    public void unregister(SimulatedTenant tenant) {
        managementCluster.objects().delete(CORE, "Secret", tenant.namespace(), kubeconfigSecret(tenant));
        managementCluster
                .objects()
                .delete(WORKER_CLUSTER_API, "WorkerCluster", tenant.namespace(), tenant.workerCluster());
    }

    private static String kubeconfigSecret(SimulatedTenant tenant) {
        return tenant.workerCluster() + "-kubeconfig";
    }

    /** The management cluster. */
    public SimulatedCluster management() {
        return managementCluster;
    }

    /** The tenants in order of creation. */
    public List<SimulatedTenant> tenants() {
        return List.copyOf(tenants);
    }

    /** The names of the profiles that the demo's tenants use. */
    public Set<String> profiles() {
        return MachineFlavor.ALL.stream().map(MachineFlavor::profile).collect(Collectors.toCollection(TreeSet::new));
    }

    /** Adds a file with the text to a shared profile, and returns the profile's new version. */
    public String addFile(String profile, String path, String text) {
        return changeProfile(profile, files -> files.addObject()
                .put("path", path)
                .withObject("/content/inline")
                .put("data", text));
    }

    /** Removes a file from a shared profile, and returns the profile's new version. */
    public String removeFile(String profile, String path) {
        return changeProfile(
                profile,
                files -> files.removeIf(file -> file.path("path").asText().equals(path)));
    }

    private String changeProfile(String name, Consumer<ArrayNode> change) {
        ObjectNode profile = managementCluster
                .objects()
                .get(PROFILE_API, "OperatingSystemProfile", PROFILES, name)
                .orElseThrow(() -> new IllegalStateException("no profile " + name));
        ObjectNode spec = profile.withObject("/spec");
        String old = spec.path("version").asText();
        int patch = old.lastIndexOf('.') + 1;
        String version = old.substring(0, patch) + (Integer.parseInt(old.substring(patch)) + 1);
        spec.put("version", version);
        change.accept(spec.withObject("/provisioningConfig").withArray("/files"));
        managementCluster.objects().replace(profile);
        return version;
    }

    @Override
    public void close() {
        clusters.close();
    }

    private static void share(ObjectNode profile, SimulatedObjects objects) {
        profile.withObject("/metadata").put("namespace", PROFILES);
        objects.create(profile);
    }

    // The documents' short profiles omit this.
    private static void letJoin(ObjectNode profile) {
        ObjectNode file = profile.withObject("/spec/provisioningConfig")
                .withArray("/files")
                .addObject();
        file.put("path", "/opt/bin/join").put("permissions", 755);
        file.withObject("/content/inline").put("data", JOIN);
    }

    private static ObjectNode object(String apiVersion, String kind, String namespace, String name) {
        ObjectNode object = JsonTrees.object().put("apiVersion", apiVersion).put("kind", kind);
        ObjectNode metadata = object.putObject("metadata").put("name", name);
        if (!namespace.isEmpty()) {
            metadata.put("namespace", namespace);
        }
        return object;
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * One tenant.
     *
     * @param namespace in the management cluster
     * @param workerCluster name of its WorkerCluster, and of its simulated cluster
     * @param cluster its own API server
     */
    public record SimulatedTenant(String namespace, String workerCluster, SimulatedCluster cluster) {
        /** The objects of its worker cluster. */
        public SimulatedObjects objects() {
            return cluster.objects();
        }
    }
}
