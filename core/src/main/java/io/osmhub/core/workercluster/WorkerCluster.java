package io.osmhub.core.workercluster;

import static io.osmhub.core.workercluster.WorkerClusterCelRule.NAME_FITS_A_LABEL;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.problem.ProblemFinding;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.resource.ResourceMetadata;
import io.osmhub.core.resource.WireRecord;
import io.osmhub.core.schema.FieldAnnotations.FieldDescription;
import io.osmhub.core.schema.FieldAnnotations.ServerValidated;
import io.osmhub.core.schema.ObjectValidator;
import io.osmhub.core.schema.RecordSchemaReader;
import io.osmhub.core.schema.Schema;
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
    private static final class SchemaHolder {
        static final Schema.ObjectSchema SCHEMA = RecordSchemaReader.readSchema(
                WorkerCluster.class,
                "WorkerCluster makes one user cluster a tenant of the hub. Its namespace in the management cluster is the tenant: "
                        + "it holds the kubeconfig Secret, the tenant's OperatingSystemProfiles and the "
                        + "OperatingSystemConfigs that the hub writes. One per namespace.");
    }

    /** Of the whole object. */
    public static Schema.ObjectSchema schema() {
        return SchemaHolder.SCHEMA;
    }

    /**
     * Validates an object without a cluster.
     *
     * @param before the object before an update; null if it is new
     */
    public static List<ProblemFinding> check(JsonNode object, @Nullable JsonNode before) {
        String name = object.path("metadata").path("name").asText();
        return ObjectValidator.check(
                schema(), object, before, Reason.SettingsInvalid.wireName(), "WorkerCluster " + name);
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
}
