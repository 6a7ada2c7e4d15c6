package io.osmhub.e2e;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.e2e.cluster.ManifestObjects;
import io.osmhub.e2e.cluster.RealCluster;
import io.osmhub.e2e.cluster.RealClusters;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Applies the chart, and the files of {@code deploy/packaging/manifests}, which are rendered from it. */
public final class ShippedManifests {
    static final Path FOLDER =
            Path.of(System.getProperty("osmhub.root", "../../..")).resolve("deploy/packaging/manifests");

    private ShippedManifests() {}

    /** What the kustomization applies to the management cluster, in its order. */
    public static List<ObjectNode> management() {
        List<ObjectNode> objects = new ArrayList<>();
        ManifestObjects.file(FOLDER.resolve("kustomization.yaml"))
                .getFirst()
                .path("resources")
                .forEach(file -> objects.addAll(ManifestObjects.file(FOLDER.resolve(file.asText()))));
        return objects;
    }

    /** What the owner of a worker cluster applies there, and what is applied for the hub. */
    public static List<ObjectNode> worker() {
        List<ObjectNode> objects = new ArrayList<>(prerequisites());
        objects.addAll(ManifestObjects.file(FOLDER.resolve("rbac-worker.yaml")));
        return objects;
    }

    /** The CustomResourceDefinitions, of which the hub itself installs those of OSM's kinds. */
    public static List<ObjectNode> definitions() {
        return Stream.of(
                        "operatingsystemconfigs.operatingsystemmanager.k8c.io",
                        "operatingsystemprofiles.operatingsystemmanager.k8c.io",
                        "operatingsystemprofileextensions.osmhub.io",
                        "workerclusters.osmhub.io")
                .flatMap(name -> ManifestObjects.file(FOLDER.resolve("crds/" + name + ".yaml")).stream())
                .toList();
    }

    /** What makes the management cluster's API server ask the hub. */
    static List<ObjectNode> webhookConfigurations() {
        return management().stream()
                .filter(object -> object.path("kind").asText().endsWith("WebhookConfiguration"))
                .toList();
    }

    /** What the chart renders for an empty cluster, with the hub's namespace. */
    static List<ObjectNode> chart(RealCluster cluster, String... options) {
        return HelmChart.render(
                cluster,
                Stream.concat(Stream.of("--set", "namespace.create=true"), Stream.of(options))
                        .toArray(String[]::new));
    }

    /**
     * Applies the chart to the management cluster but for {@link #webhookConfigurations}: there is no network of Services here, and
     * each write would wait for one. Nor the ValidatingAdmissionPolicies, because tests write what they refuse. Returns when its kinds
     * are served.
     */
    static void installInManagement(RealCluster cluster) {
        for (ObjectNode object : chart(cluster, "--set", "webhooks.install=false,admissionPolicies.create=false")) {
            cluster.admin().apply(object);
            if (object.path("kind").asText().equals("CustomResourceDefinition")) {
                RealClusters.awaitServed(cluster, ManifestObjects.name(object));
            }
        }
    }

    /** Applies namespaces and permissions only: everything else is the hub's to create. */
    static void installPermissions(RealCluster cluster) {
        for (String file : List.of("namespaces.yaml", "rbac-management.yaml")) {
            chart(cluster, "--show-only", "templates/" + file).forEach(cluster.admin()::apply);
        }
    }

    private static List<ObjectNode> prerequisites() {
        return ManifestObjects.file(FOLDER.resolve("worker-prerequisites.yaml"));
    }

    static void installPrerequisites(RealCluster cluster) {
        prerequisites().forEach(cluster.admin()::apply);
    }

    static void installInWorker(RealCluster cluster) {
        HelmChart.render("--set", "mode=Worker,worker.prerequisites=true").forEach(cluster.admin()::apply);
    }
}
