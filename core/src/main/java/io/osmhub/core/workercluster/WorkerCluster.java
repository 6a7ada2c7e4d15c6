package io.osmhub.core.workercluster;

import static io.osmhub.core.resource.PrinterColumn.age;
import static io.osmhub.core.resource.PrinterColumn.count;
import static io.osmhub.core.resource.PrinterColumn.text;
import static io.osmhub.core.workercluster.WorkerClusterCelRule.NAME_FITS_A_LABEL;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.problem.ProblemFinding;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.resource.CustomResourceDefinition;
import io.osmhub.core.resource.PrinterColumn;
import io.osmhub.core.resource.ResourceMetadata;
import io.osmhub.core.resource.WireRecord;
import io.osmhub.core.schema.FieldAnnotations.FieldDescription;
import io.osmhub.core.schema.FieldAnnotations.ServerValidated;
import io.osmhub.core.schema.ObjectValidator;
import io.osmhub.core.schema.RecordSchemaReader;
import io.osmhub.core.workercluster.WorkerClusterCelRule.CelRules;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One tenant: its worker cluster, the settings of its operator, and the status from the hub. */
@WireRecord
@CelRules(NAME_FITS_A_LABEL)
public record WorkerCluster(
        @ServerValidated String apiVersion,
        @ServerValidated String kind,
        @ServerValidated ResourceMetadata metadata,

        @FieldDescription(
                "What the operator wants for this tenant. A setting left out is taken from the hub-wide defaults, then from the built-in ones.")
        WorkerClusterSpec spec,

        @FieldDescription("What the hub found. Written by the hub only, and only when something in it changes.")
        @Nullable WorkerClusterStatus status) {

    /** Built on first use: reading annotations is slow, and a running hub needs no schema. */
    private static final class Definition {
        static final CustomResourceDefinition VALUE = new CustomResourceDefinition(
                "osmhub.io",
                "v1alpha1",
                "WorkerCluster",
                "workerclusters",
                "wc",
                columns(),
                List.of(".spec.kubeconfigSecretRef.name", ".status.state"),
                RecordSchemaReader.readSchema(
                        WorkerCluster.class,
                        "WorkerCluster makes one user cluster a tenant of the hub. Its namespace in the management cluster is the tenant: "
                                + "it holds the kubeconfig Secret, the tenant's OperatingSystemProfiles and the "
                                + "OperatingSystemConfigs that the hub writes. One per namespace."));
    }

    public static CustomResourceDefinition definition() {
        return Definition.VALUE;
    }

    /**
     * Validates an object without a cluster.
     *
     * @param before the object before an update; null if it is new
     */
    public static List<ProblemFinding> check(JsonNode object, @Nullable JsonNode before) {
        String name = object.path("metadata").path("name").asText();
        return ObjectValidator.check(
                definition().schema(), object, before, Reason.SettingsInvalid.wireName(), "WorkerCluster " + name);
    }

    /** Validates settings that stand alone, as in {@code spec}. The kubeconfig, which a tenant needs, may be missing. */
    public static List<ProblemFinding> checkSettings(JsonNode spec) {
        ObjectNode object = JsonNodeFactory.instance.objectNode();
        object.put("apiVersion", "osmhub.io/v1alpha1").put("kind", "WorkerCluster");
        object.putObject("metadata").put("name", "settings");
        object.set("spec", spec);
        return check(object, null).stream()
                .filter(finding -> !finding.field().equals("spec.kubeconfigSecretRef"))
                .toList();
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
