package io.osmhub.tenancy.registration;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.ProblemObject;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.resource.ShippedDefinition;
import io.osmhub.tenancy.management.WireJson;
import io.osmhub.tenancy.registration.Registrar.RegistrationRequest;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import io.osmhub.workersync.apiserver.MergePatch;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Builds valid WorkerClusters to store. Pure; never changes its inputs. */
final class WorkerClusterDrafts {
    /** Fields of {@code spec} that only registration sets. */
    private static final List<String> RESERVED = List.of("kubeconfigSecretRef", "target");

    private WorkerClusterDrafts() {}

    /** A new WorkerCluster. */
    static ObjectNode create(RegistrationRequest request, String secretName) throws RegistrationException {
        ObjectNode object = WorkerClusterRecord.newObject(request.namespace(), request.name(), request.by());
        ObjectNode reference = object.withObject("/spec/kubeconfigSecretRef").put("name", secretName);
        if (request.credential().secretKey() != null) {
            reference.put("key", request.credential().secretKey());
        }
        return valid(filled(request, object), null);
    }

    /** The existing one with everything in the request replaced. */
    static ObjectNode replace(RegistrationRequest request, ObjectNode before) throws RegistrationException {
        return valid(filled(request, before), before);
    }

    private static ObjectNode filled(RegistrationRequest request, ObjectNode before) {
        ObjectNode wanted = before.deepCopy();
        Map<String, String> labels = request.labels();
        if (labels != null) {
            wanted.withObject("/metadata").remove("labels");
        }
        if (labels != null && !labels.isEmpty()) {
            wanted.withObject("/metadata").set("labels", WireJson.tree(labels));
        }
        ObjectNode settings = request.settings();
        if (settings != null) {
            ObjectNode spec = settings.deepCopy();
            for (String field : RESERVED) {
                if (before.path("spec").has(field)) {
                    spec.set(field, before.path("spec").get(field));
                }
            }
            wanted.set("spec", spec);
        }
        return request.credential().scoped() ? scoped(wanted) : wanted;
    }

    /** Merges a patch of {@code labels} and {@code spec}. */
    static ObjectNode merge(ObjectNode before, JsonNode patch) throws RegistrationException {
        List<Problem> refused = RESERVED.stream()
                .filter(field -> patch.path("spec").has(field))
                .map(field -> new Problem(
                        Reason.SettingsInvalid,
                        ProblemObject.NONE,
                        "spec." + field,
                        "is set by registration",
                        "remove it; use rotate to change the kubeconfig"))
                .toList();
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
        return valid(MergePatch.apply(before, changes), before);
    }

    /** With a scoped credential. */
    static ObjectNode scoped(ObjectNode before) {
        ObjectNode wanted = before.deepCopy();
        wanted.withObject("/spec/credentials").put("mode", "Scoped");
        return wanted;
    }

    static ObjectNode valid(ObjectNode wanted, @Nullable ObjectNode before) throws RegistrationException {
        List<Problem> findings = ShippedDefinition.WORKER_CLUSTERS.check(wanted, before, Reason.SettingsInvalid);
        if (!findings.isEmpty()) {
            throw RegistrationException.settings(findings);
        }
        return wanted;
    }
}
