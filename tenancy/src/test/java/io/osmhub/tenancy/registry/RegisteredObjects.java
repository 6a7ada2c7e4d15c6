package io.osmhub.tenancy.registry;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.tenancy.management.WireJson;
import java.time.Instant;

/** Objects of registrations, for tests: {@code aSecret("ns", "name").label("x").read()}. */
final class RegisteredObjects {
    private RegisteredObjects() {}

    static final class SecretBuilder {
        private final ObjectNode object = WireJson.object();

        SecretBuilder label(String value) {
            object.withObject("/metadata/labels").put("osmhub.io/worker-cluster", value);
            return this;
        }

        SecretBuilder type(String type) {
            object.put("type", type);
            return this;
        }

        SecretBuilder created(String time) {
            object.withObject("/metadata").put("creationTimestamp", time);
            return this;
        }

        SecretBuilder beingDeleted() {
            object.withObject("/metadata").put("deletionTimestamp", "2026-01-02T00:00:00Z");
            return this;
        }

        KubeconfigSecret read() {
            return KubeconfigSecret.of(object);
        }
    }

    static SecretBuilder aSecret(String namespace, String name) {
        SecretBuilder builder = new SecretBuilder();
        builder.object
                .putObject("metadata")
                .put("namespace", namespace)
                .put("name", name)
                .put("uid", "uid-of-" + namespace + "-" + name)
                .put("creationTimestamp", "2026-01-01T00:00:00Z");
        builder.object.putObject("data").put("kubeconfig", "a2luZDogQ29uZmln");
        return builder;
    }

    static final class ClusterBuilder {
        private final ObjectNode object = WireJson.object();

        ClusterBuilder created(Instant time) {
            object.withObject("/metadata").put("creationTimestamp", time.toString());
            return this;
        }

        ClusterBuilder secret(String name) {
            object.withObject("/spec/kubeconfigSecretRef").put("name", name);
            return this;
        }

        ClusterBuilder by(String registrant) {
            object.withObject("/metadata/annotations").put(WorkerClusterRecord.REGISTERED_BY, registrant);
            return this;
        }

        ClusterBuilder managementCluster() {
            object.withObject("/spec").put("target", "ManagementCluster");
            return this;
        }

        ClusterBuilder clusterId(String id) {
            object.withObject("/status").put("clusterID", id);
            return this;
        }

        ClusterBuilder beingDeleted() {
            object.withObject("/metadata").put("deletionTimestamp", "2026-01-02T00:00:00Z");
            return this;
        }

        ClusterBuilder finalizer() {
            object.withObject("/metadata").putArray("finalizers").add(WorkerClusterRecord.FINALIZER);
            return this;
        }

        WorkerClusterRecord read() {
            return WorkerClusterRecord.of(object);
        }
    }

    static ClusterBuilder aWorkerCluster(String namespace, String name) {
        ClusterBuilder builder = new ClusterBuilder();
        builder.object
                .putObject("metadata")
                .put("namespace", namespace)
                .put("name", name)
                .put("uid", "uid-of-" + namespace + "-" + name)
                .put("creationTimestamp", "2026-01-01T00:00:00Z");
        builder.object.putObject("spec");
        return builder;
    }
}
