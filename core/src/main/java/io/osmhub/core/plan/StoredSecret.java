package io.osmhub.core.plan;

import io.osmhub.core.bootstrap.ObjectNames;
import io.osmhub.core.problem.ProblemObject;
import io.osmhub.core.problem.Reason.LinkName;
import io.osmhub.core.render.WorkerSecrets;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The cached part of a Secret in the worker cluster: enough to compare it, without its content.
 *
 * @param type {@code Opaque} when the object leaves it out
 * @param annotations in byte order of their keys
 * @param labels in byte order of their keys
 * @param digests SHA-256 of each decoded value in lower-case hex, by key
 * @param bytes of all decoded values together
 * @param lastWriter field manager of the latest write; null if unknown
 */
public record StoredSecret(
        String namespace,
        String name,
        String uid,
        String resourceVersion,
        String type,
        boolean immutable,
        SortedMap<String, String> annotations,
        SortedMap<String, String> labels,
        SortedMap<String, String> digests,
        int bytes,
        @Nullable String lastWriter)
        implements StoredObject {
    public static final String OPAQUE = "Opaque";

    public StoredSecret {
        annotations = Collections.unmodifiableSortedMap(new TreeMap<>(annotations));
        labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
        digests = Collections.unmodifiableSortedMap(new TreeMap<>(digests));
    }

    @Override
    public ProblemObject describe() {
        return new ProblemObject(ProblemObject.Cluster.WORKER, "Secret", namespace, name);
    }

    /** What a Secret in {@code cloud-init-settings} is for. */
    public enum SecretRole {
        KUBELET_BOOTSTRAP,
        EDGE_SCRIPT,
        PROVISIONING,
        /** A machine starts once it exists. */
        BOOTSTRAP;

        /** Name of the MachineDeployment's Secret with this role. */
        public String name(ObjectNames names) {
            return switch (this) {
                case KUBELET_BOOTSTRAP -> names.kubeletBootstrapSecret();
                case EDGE_SCRIPT -> names.edgeScriptSecret();
                case PROVISIONING -> names.provisioningSecret();
                case BOOTSTRAP -> names.bootstrapSecret();
            };
        }

        /** The rendered Secret with this role; null if the cloud provider needs none. */
        WorkerSecrets.@Nullable WorkerSecret of(WorkerSecrets secrets) {
            return switch (this) {
                case KUBELET_BOOTSTRAP -> secrets.kubeletBootstrap();
                case EDGE_SCRIPT -> secrets.edgeScript();
                case PROVISIONING -> secrets.provisioning();
                case BOOTSTRAP -> secrets.bootstrap();
            };
        }

        /** The link of the chain that a machine misses without it. */
        public LinkName link() {
            return switch (this) {
                case KUBELET_BOOTSTRAP -> LinkName.BOOTSTRAP_TOKEN;
                case PROVISIONING -> LinkName.PROVISIONING_SECRET;
                case EDGE_SCRIPT, BOOTSTRAP -> LinkName.BOOTSTRAP_SECRET;
            };
        }

        /** The data key from which machines are built; the only one, except for a scoped fetch token. */
        public String dataKey() {
            return switch (this) {
                case KUBELET_BOOTSTRAP -> "kubeconfig";
                case EDGE_SCRIPT -> "fetch-bootstrap-script";
                case PROVISIONING, BOOTSTRAP -> "cloud-config";
            };
        }
    }
}
