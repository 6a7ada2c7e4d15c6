package io.osmhub.tenancy.admission;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.settings.TenantSettings;
import io.osmhub.tenancy.wire.WireJson;
import io.osmhub.workersync.apiserver.Resource;
import java.util.Base64;
import java.util.Map;

/**
 * The desired webhook configuration of a worker cluster.
 *
 * @param url that the API server calls
 * @param authorities PEM; empty if the API server trusts the certificate already
 * @param tenant {@code namespace/name} of the WorkerCluster
 * @param hubId of this hub; empty while unknown
 * @param conditions whether the API server supports match conditions (Kubernetes 1.28)
 */
record WebhookManifest(
        String url,
        String authorities,
        TenantSettings.Admission settings,
        String tenant,
        String hubId,
        boolean conditions) {
    /** Name in every cluster. */
    static final String NAME = "osm-hub";

    static final String WEBHOOK = "machinedeployments.osmhub.io";
    static final String TENANT = "osmhub.io/tenant";
    static final String HUB_ID = "osmhub.io/hub-id";

    /** Deleting an object is never blocked. */
    private static final String NOT_DELETED = "!has(object.metadata.deletionTimestamp)";

    /** Only changes that can affect the response: not of a finalizer, a replica count or a label. */
    private static final String CHANGED = "request.operation == 'CREATE'"
            + " || object.spec.template != oldObject.spec.template"
            + " || !has(object.metadata.annotations)"
            + " || !has(oldObject.metadata.annotations)"
            + " || !('" + MachineDeployment.PROFILE + "' in object.metadata.annotations)"
            + " || object.metadata.annotations != oldObject.metadata.annotations";

    ObjectNode json() {
        ObjectNode object = WireJson.object();
        object.put("apiVersion", Resource.MUTATING_WEBHOOK_CONFIGURATIONS.apiVersion())
                .put("kind", "MutatingWebhookConfiguration");
        ObjectNode metadata = object.putObject("metadata").put("name", NAME);
        metadata.putObject("labels").put("app.kubernetes.io/managed-by", "osm-hub");
        ObjectNode annotations = metadata.putObject("annotations").put(TENANT, tenant);
        if (!hubId.isEmpty()) {
            annotations.put(HUB_ID, hubId);
        }
        webhook(object.putArray("webhooks").addObject());
        return object;
    }

    private void webhook(ObjectNode webhook) {
        webhook.put("name", WEBHOOK);
        ObjectNode client = webhook.putObject("clientConfig").put("url", url);
        if (!authorities.isEmpty()) {
            client.put("caBundle", Base64.getEncoder().encodeToString(authorities.getBytes(UTF_8)));
        }
        ObjectNode rule = webhook.putArray("rules").addObject();
        rule.putArray("apiGroups").add(Resource.MACHINE_DEPLOYMENTS.group());
        rule.putArray("apiVersions").add("v1alpha1");
        rule.putArray("operations").add("CREATE").add("UPDATE");
        rule.putArray("resources").add(Resource.MACHINE_DEPLOYMENTS.plural());
        rule.put("scope", "Namespaced");
        webhook.put("failurePolicy", settings.failurePolicy().wireName())
                .put("matchPolicy", "Equivalent")
                .put("reinvocationPolicy", "Never")
                .put("sideEffects", "None")
                .put("timeoutSeconds", settings.timeoutSeconds());
        webhook.putArray("admissionReviewVersions").add("v1").add("v1beta1");
        if (conditions) {
            ArrayNode all = webhook.putArray("matchConditions");
            all.addObject().put("name", "not-being-deleted").put("expression", NOT_DELETED);
            all.addObject().put("name", "changed-in-what-matters").put("expression", CHANGED);
        }
    }

    /** Whether everything wanted is present; additions by the API server or other writers are ignored. */
    static boolean covers(JsonNode found, JsonNode wanted) {
        if (wanted.isObject()) {
            for (Map.Entry<String, JsonNode> field : wanted.properties()) {
                if (!covers(found.path(field.getKey()), field.getValue())) {
                    return false;
                }
            }
            return found.isObject();
        }
        if (wanted.isArray()) {
            if (!found.isArray() || found.size() != wanted.size()) {
                return false;
            }
            for (int i = 0; i < wanted.size(); i++) {
                if (!covers(found.path(i), wanted.path(i))) {
                    return false;
                }
            }
            return true;
        }
        return found.equals(wanted);
    }

    /** Match conditions are enabled by default since Kubernetes 1.28; older API servers reject the field. */
    static boolean knowsConditions(String kubernetesVersion) {
        String[] parts = kubernetesVersion.replaceFirst("^v", "").split("[.+-]", 3);
        try {
            int minor = parts.length < 2 ? 0 : Integer.parseInt(parts[1]);
            return Integer.parseInt(parts[0]) > 1 || minor >= 28;
        } catch (NumberFormatException e) {
            return false;
        }
    }
}
