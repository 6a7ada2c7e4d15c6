package io.osmhub.tenancy.settings;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/**
 * A Secret that a WorkerCluster references. The hub reads it with its own permissions and gives its content to nodes, so the
 * author of the reference must be permitted to read it.
 *
 * @param field below {@code spec}
 */
public record SecretReference(String field, String name) {
    private static final List<String> FIELDS = List.of(
            "kubeconfigSecretRef",
            "provisioning.kubernetesCA.secretKeyRef",
            "provisioning.hostCA.secretKeyRef",
            "provisioning.registries.credentialsSecretRef",
            "provisioning.proxy.httpProxySecretRef",
            "provisioning.cloudCredentialsSecretRef");

    /** References of a spec that another one lacks, or has with another key. */
    public static List<SecretReference> changed(JsonNode before, JsonNode spec) {
        return FIELDS.stream()
                .filter(field -> !at(spec, field).equals(at(before, field)))
                .map(field ->
                        new SecretReference(field, at(spec, field).path("name").asText()))
                .filter(reference -> !reference.name().isEmpty())
                .toList();
    }

    private static JsonNode at(JsonNode spec, String field) {
        return spec.at("/" + field.replace('.', '/'));
    }

    /** Message for a user who may not reference it. */
    public String deniedMessage(String user, String namespace) {
        return "spec." + field + ": user " + user + " must not refer to Secret " + namespace + "/" + name
                + " without permission to get it; ask for get on secrets " + name + " in namespace " + namespace;
    }
}
