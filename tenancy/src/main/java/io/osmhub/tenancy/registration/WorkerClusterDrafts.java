package io.osmhub.tenancy.registration;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.problem.ProblemFinding;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.workercluster.WorkerClusterSpec;
import io.osmhub.tenancy.credential.WorkerServiceAccount;
import io.osmhub.tenancy.registration.Registrar.RegistrationRequest;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import io.osmhub.tenancy.wire.MergePatch;
import io.osmhub.tenancy.wire.WireJson;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Builds WorkerClusters to store. Pure; never changes its inputs. */
final class WorkerClusterDrafts {
    /** SHA-256 of the last idempotency key of a request that does more than store an object. */
    static final String IDEMPOTENCY_KEY = "osmhub.io/idempotency-key";

    /** Set only by registration. */
    private static final List<String> RESERVED = List.of("kubeconfigSecretRef", "target");

    private WorkerClusterDrafts() {}

    /** A new WorkerCluster. */
    static ObjectNode newObject(RegistrationRequest order, String secretName) {
        ObjectNode object = WorkerClusterRecord.newObject(order.namespace(), order.name(), order.by());
        if (order.labels() != null && !order.labels().isEmpty()) {
            object.withObject("/metadata").set("labels", WireJson.tree(order.labels()));
        }
        ObjectNode settings = order.settings();
        ObjectNode spec = settings == null ? WireJson.object() : settings.deepCopy();
        ObjectNode reference = spec.putObject("kubeconfigSecretRef").put("name", secretName);
        if (order.secretKey() != null) {
            reference.put("key", order.secretKey());
        }
        object.set("spec", spec);
        return order.scoped() ? scoped(object) : object;
    }

    /** The existing one with everything in the request replaced. */
    static ObjectNode replaced(RegistrationRequest order, ObjectNode before) {
        ObjectNode wanted = before.deepCopy();
        Map<String, String> labels = order.labels();
        if (labels != null) {
            wanted.withObject("/metadata").set("labels", WireJson.tree(labels));
        }
        ObjectNode settings = order.settings();
        if (settings != null) {
            ObjectNode spec = settings.deepCopy();
            for (String field : RESERVED) {
                if (before.path("spec").has(field)) {
                    spec.set(field, before.path("spec").get(field));
                }
            }
            wanted.set("spec", spec);
        }
        return order.scoped() ? scoped(wanted) : wanted;
    }

    /** Merges a patch of {@code labels} and {@code spec}. */
    static ObjectNode merged(ObjectNode before, JsonNode patch) throws RegistrationException {
        List<ProblemFinding> refused = new ArrayList<>();
        for (String field : RESERVED) {
            if (patch.path("spec").has(field)) {
                refused.add(new ProblemFinding(
                        Reason.SettingsInvalid.wireName(),
                        "",
                        "spec." + field,
                        "is set by registration",
                        "remove it; use rotate to change the kubeconfig"));
            }
        }
        if (!refused.isEmpty()) {
            throw RegistrationException.settings(refused);
        }
        ObjectNode changes = WireJson.object();
        if (patch.has("labels")) {
            changes.putObject("metadata").set("labels", patch.get("labels"));
        }
        if (patch.has("spec")) {
            changes.set("spec", patch.get("spec"));
        }
        return MergePatch.apply(before, changes);
    }

    /** With a scoped credential. */
    static ObjectNode scoped(ObjectNode before) {
        ObjectNode wanted = before.deepCopy();
        wanted.withObject("/spec/credentials").put("mode", "Scoped");
        return wanted;
    }

    static ObjectNode withPolicy(ObjectNode before, WorkerClusterSpec.DeletionPolicy policy) {
        ObjectNode wanted = before.deepCopy();
        wanted.withObject("/spec")
                .put("deletionPolicy", policy == WorkerClusterSpec.DeletionPolicy.RETAIN ? "Retain" : "Delete");
        return wanted;
    }

    static ObjectNode withKey(ObjectNode before, String key) {
        ObjectNode wanted = before.deepCopy();
        wanted.withObject("/metadata/annotations").put(IDEMPOTENCY_KEY, key);
        return wanted;
    }

    static ObjectNode annotation(String annotation, String value) {
        ObjectNode patch = WireJson.object();
        patch.putObject("metadata").putObject("annotations").put(annotation, value);
        return patch;
    }

    /** The account whose token is wanted; null to store the provided credential. */
    static @Nullable WorkerServiceAccount account(ObjectNode wanted) {
        WorkerClusterSpec spec = WorkerClusterRecord.of(wanted).spec();
        return spec == null || spec.credentials().mode() != WorkerClusterSpec.Credentials.CredentialsMode.SCOPED
                ? null
                : WorkerServiceAccount.of(spec.credentials());
    }

    /** The merge patch from one to the other; empty if they are equal. */
    static ObjectNode changes(ObjectNode before, ObjectNode wanted) {
        ObjectNode patch = WireJson.object();
        JsonNode spec = MergePatch.diff(before.path("spec"), wanted.path("spec"));
        if (!spec.isEmpty()) {
            patch.set("spec", spec);
        }
        for (String field : List.of("labels", "annotations")) {
            JsonNode part = MergePatch.diff(object(before, field), object(wanted, field));
            if (!part.isEmpty()) {
                patch.withObject("/metadata").set(field, part);
            }
        }
        return patch;
    }

    private static JsonNode object(ObjectNode whole, String field) {
        JsonNode part = whole.path("metadata").path(field);
        return part.isObject() ? part : WireJson.object();
    }
}
