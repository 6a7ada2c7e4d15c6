package io.osmhub.demo.stage;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.sim.ClusterObjects;
import io.osmhub.sim.SimulatedCluster;
import io.osmhub.sim.SimulatedClusters;
import io.osmhub.sim.SimulationOptions;
import io.osmhub.sim.json.Json;
import io.osmhub.tenancy.crds.ShippedDefinition;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** A management cluster and its tenants, each with a worker cluster of its own, as they are before the hub comes. */
public final class Stage implements AutoCloseable {
    /** The namespace of the profiles that all tenants share. */
    public static final String PROFILES = "osm-profiles";

    /** What every manifest calls the version of the core group. */
    private static final String CORE = "v1";

    private static final String PROFILE_API = "operatingsystemmanager.k8c.io/v1alpha1";
    private static final List<String> EXAMPLES = List.of("osp.yaml", "osp-flatcar.yaml");
    /** Where the default profiles are packed, which the hub installs. */
    private static final String DEFAULTS = "/profiles/";

    /** Fetches what the kubelet joins the cluster with. */
    private static final String JOIN = """
            #!/bin/bash
            set -euo pipefail
            curl --silent --fail --max-time 20 --cacert /etc/kubernetes/pki/ca.crt \\
                --header 'Authorization: Bearer {{ .Token }}' \\
                {{ .ServerURL }}/api/v1/namespaces/cloud-init-settings/secrets/{{ .BootstrapKubeconfigSecretName }} |
                jq --raw-output .data.kubeconfig | base64 --decode > /etc/kubernetes/bootstrap-kubelet.conf
            """;

    private final SimulatedClusters clusters;
    private final SimulatedCluster management;
    private final List<Tenant> tenants = new ArrayList<>();

    private Stage(SimulatedClusters clusters) {
        this.clusters = clusters;
        this.management = clusters.add("management");
    }

    /** Starts a management cluster with namespaces, kinds and shared profiles, and without tenants. */
    public static Stage build(SimulationOptions options) {
        Stage stage = new Stage(SimulatedClusters.start(0, options));
        ClusterObjects objects = stage.management.objects();
        Manifests.of("namespaces.yaml").forEach(objects::create);
        for (ShippedDefinition definition : ShippedDefinition.values()) {
            Manifests.read(definition.yaml()).forEach(objects::create);
        }
        for (String file : EXAMPLES) {
            ObjectNode profile = Manifests.one(file);
            letJoin(profile);
            share(profile, objects);
        }
        // The hub would install them itself; here they are from the start, so that nothing waits for it.
        for (String name : stage.profiles()) {
            share(Manifests.one(DEFAULTS + name + ".yaml"), objects);
        }
        return stage;
    }

    /** Starts a worker cluster with what it has before the hub comes. Nothing in the management cluster points to it yet. */
    public Tenant addTenant(String namespace, String workerCluster) {
        SimulatedCluster cluster = clusters.add(workerCluster);
        cluster.installWorkerPrerequisites();
        Tenant tenant = new Tenant(namespace, workerCluster, cluster);
        tenants.add(tenant);
        return tenant;
    }

    /** Registers a tenant as its owner would: a namespace, and in it a labelled Secret with the kubeconfig. */
    public void register(Tenant tenant) {
        ObjectNode namespace = object(CORE, "Namespace", "", tenant.namespace());
        management.objects().create(namespace);
        ObjectNode secret = object(CORE, "Secret", tenant.namespace(), tenant.workerCluster() + "-kubeconfig");
        secret.withObject("/metadata/labels").put("osmhub.io/worker-cluster", tenant.workerCluster());
        secret.withObject("/data").put("kubeconfig", base64(tenant.cluster().kubeconfig()));
        management.objects().create(secret);
    }

    /** The management cluster. */
    public SimulatedCluster management() {
        return management;
    }

    /** The tenants in the order in which they came. */
    public List<Tenant> tenants() {
        return List.copyOf(tenants);
    }

    /** The names of the profiles that the demo's tenants use. */
    public Set<String> profiles() {
        return Recipe.ALL.stream().map(Recipe::profile).collect(Collectors.toCollection(TreeSet::new));
    }

    /** Gives a shared profile a new version and with it one more line in a file of every machine. */
    public void changeProfile(String name, String version) {
        ObjectNode profile = management
                .objects()
                .get(PROFILE_API, "OperatingSystemProfile", PROFILES, name)
                .orElseThrow(() -> new IllegalStateException("no profile " + name));
        profile.withObject("/spec").put("version", version);
        ObjectNode file = profile.withObject("/spec/provisioningConfig")
                .withArray("/files")
                .addObject();
        file.put("path", "/etc/osm-hub-demo/" + version);
        file.withObject("/content/inline").put("data", "version " + version + "\n");
        management.objects().replace(profile);
    }

    @Override
    public void close() {
        clusters.close();
    }

    private static void share(ObjectNode profile, ClusterObjects objects) {
        profile.withObject("/metadata").put("namespace", PROFILES);
        objects.create(profile);
    }

    // The profiles of the documents are kept short and leave this out.
    private static void letJoin(ObjectNode profile) {
        ObjectNode file = profile.withObject("/spec/provisioningConfig")
                .withArray("/files")
                .addObject();
        file.put("path", "/opt/bin/join").put("permissions", 755);
        file.withObject("/content/inline").put("data", JOIN);
    }

    private static ObjectNode object(String apiVersion, String kind, String namespace, String name) {
        ObjectNode object = Json.object().put("apiVersion", apiVersion).put("kind", kind);
        ObjectNode metadata = object.putObject("metadata").put("name", name);
        if (!namespace.isEmpty()) {
            metadata.put("namespace", namespace);
        }
        return object;
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
