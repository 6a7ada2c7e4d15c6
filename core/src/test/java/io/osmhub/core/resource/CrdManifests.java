package io.osmhub.core.resource;

import static io.osmhub.core.resource.PrinterColumn.age;
import static io.osmhub.core.resource.PrinterColumn.count;
import static io.osmhub.core.resource.PrinterColumn.text;

import io.osmhub.core.osc.OperatingSystemConfigResource;
import io.osmhub.core.osp.OperatingSystemProfileResource;
import io.osmhub.core.schema.RecordSchemaReader;
import io.osmhub.core.workercluster.WorkerCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Writes deploy/packaging/manifests/crds from the annotated records. Runs with the tests because it needs files, which core has
 * nothing to do with.
 */
public final class CrdManifests {
    static final CustomResourceDefinition WORKER_CLUSTER = new CustomResourceDefinition(
            "osmhub.io",
            "v1alpha1",
            "WorkerCluster",
            "workerclusters",
            "wc",
            columns(),
            List.of(".spec.kubeconfigSecretRef.name", ".status.state"),
            WorkerCluster.schema());

    static final CustomResourceDefinition PROFILE = new CustomResourceDefinition(
            "operatingsystemmanager.k8c.io",
            "v1alpha1",
            "OperatingSystemProfile",
            "operatingsystemprofiles",
            "osp",
            List.of(
                    text("OS", ".spec.osName", ""),
                    text("OS-Version", ".spec.osVersion", ""),
                    text("Version", ".spec.version", ""),
                    text("Utility", ".spec.provisioningUtility", ""),
                    text("Valid", ".status.conditions[?(@.type==\"Valid\")].status", ""),
                    count("Used-By", ".status.usedBy.machineDeployments", ""),
                    age(),
                    text("Engine", ".metadata.annotations.osmhub\\.io/template-engine", "")
                            .onlyWide(),
                    text("Reason", ".status.conditions[?(@.type==\"Valid\")].reason", "")
                            .onlyWide()),
            List.of(),
            OperatingSystemProfileResource.schema());

    static final CustomResourceDefinition CONFIG = new CustomResourceDefinition(
            "operatingsystemmanager.k8c.io",
            "v1alpha1",
            "OperatingSystemConfig",
            "operatingsystemconfigs",
            "osc",
            List.of(
                    text("Ready", ".status.conditions[?(@.type==\"Ready\")].status", ""),
                    text("New-Nodes", ".status.newNodes", ""),
                    text("Profile", ".status.source.profile.name", ""),
                    text("Profile-Version", ".metadata.annotations.k8c\\.io/osp-version", ""),
                    text("Revision", ".metadata.annotations.k8c\\.io/machine-deployment-revision", ""),
                    age(),
                    text("OS", ".spec.osName", "").onlyWide(),
                    text("Provider", ".spec.cloudProvider.name", "").onlyWide(),
                    text("MachineDeployment", ".metadata.annotations.osmhub\\.io/machine-deployment", "")
                            .onlyWide(),
                    text("Reason", ".status.conditions[?(@.type==\"Ready\")].reason", "")
                            .onlyWide()),
            List.of(),
            RecordSchemaReader.readSchema(
                    OperatingSystemConfigResource.class,
                    "OperatingSystemConfig is an OperatingSystemProfile rendered for one MachineDeployment. It holds no "
                            + "credential: placeholders stand in their place."));

    static final List<CustomResourceDefinition> ALL = List.of(WORKER_CLUSTER, PROFILE, CONFIG);

    private static final String HEADER =
            "# Generated from the records of core; do not edit. See docs/adr/0002-crds-from-code.md.\n";

    private CrdManifests() {}

    /** Takes the root of the checkout. */
    public static void main(String[] args) throws IOException {
        writeBelow(Path.of(args[0]));
    }

    static void writeBelow(Path root) throws IOException {
        for (CustomResourceDefinition definition : ALL) {
            Files.createDirectories(file(root, definition).getParent());
            Files.writeString(file(root, definition), yaml(definition));
        }
    }

    static Path file(Path root, CustomResourceDefinition definition) {
        return root.resolve("deploy/packaging/manifests/crds").resolve(definition.name() + ".yaml");
    }

    static String yaml(CustomResourceDefinition definition) {
        return HEADER + YamlText.write(definition.manifest());
    }

    private static List<PrinterColumn> columns() {
        return List.of(
                text(
                        "Ready",
                        ".status.conditions[?(@.type==\"Ready\")].status",
                        "True when the worker cluster is connected and every MachineDeployment is current."),
                text(
                        "State",
                        ".status.state",
                        "One word for the tenant: Connecting, Synced, Degraded, Unreachable, Unauthorized, Paused or Closed."),
                count(
                        "MDs",
                        ".status.machineDeployments.total",
                        "MachineDeployments that name an OperatingSystemProfile."),
                count(
                        "Current",
                        ".status.machineDeployments.current",
                        "MachineDeployments whose new nodes start with what their profile gives now."),
                count(
                        "Blocked",
                        ".status.machineDeployments.blocked",
                        "MachineDeployments that cannot start new nodes."),
                count("Problems", ".status.problemCount", "Open problems of this tenant."),
                text("Version", ".status.kubernetesVersion", "Kubernetes version of the worker cluster."),
                age(),
                text("Reason", ".status.conditions[?(@.type==\"Ready\")].reason", "Reason of the Ready condition.")
                        .onlyWide(),
                text("Endpoint", ".status.endpoint", "API server of the worker cluster.")
                        .onlyWide(),
                text("Expires", ".status.credentialsExpireAt", "When the credential in use ends.")
                        .onlyWide(),
                new PrinterColumn(
                        "Paused", "boolean", ".spec.paused", "Whether the hub leaves this tenant alone.", true));
    }
}
