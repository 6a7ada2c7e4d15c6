package io.osmhub.core.machine;

import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The used fields of a MachineDeployment.
 *
 * @param annotations in byte order of their keys
 * @param kubeletVersion {@code spec.template.spec.versions.kubelet} as written; empty if left out
 * @param providerSpec {@code spec.template.spec.providerSpec.value} as JSON text; null if left out
 * @param deletionTimestamp null unless it is being deleted
 */
public record MachineDeployment(
        String namespace,
        String name,
        String uid,
        String resourceVersion,
        @Nullable Instant creationTimestamp,
        @Nullable Instant deletionTimestamp,
        List<String> finalizers,
        SortedMap<String, String> annotations,
        String kubeletVersion,
        @Nullable String providerSpec) {
    public static final String PROFILE = "k8c.io/operating-system-profile";
    public static final String PROFILE_NAMESPACE = "k8c.io/operating-system-profile-namespace";
    public static final String REVISION = "machinedeployment.clusters.k8s.io/revision";
    /** Removed from a MachineDeployment after its objects are deleted. */
    public static final String FINALIZER = "kubermatic.io/cleanup-operating-system-configs";

    public MachineDeployment {
        finalizers = List.copyOf(finalizers);
        annotations = Collections.unmodifiableSortedMap(new TreeMap<>(annotations));
    }

    /** A MachineDeployment that is not being deleted, from a file or in a test. */
    public static MachineDeployment of(
            String namespace,
            String name,
            Map<String, String> annotations,
            String kubeletVersion,
            @Nullable String providerSpec) {
        return new MachineDeployment(
                namespace,
                name,
                "",
                "",
                null,
                null,
                List.of(),
                new TreeMap<>(annotations),
                kubeletVersion,
                providerSpec);
    }

    /** Omits the provider spec, which may hold credentials. */
    @Override
    public String toString() {
        return describe();
    }

    /** Kind and name, for findings. */
    public String describe() {
        return "MachineDeployment " + namespace + "/" + name;
    }

    public String annotation(String key) {
        return annotations.getOrDefault(key, "");
    }

    /** Name of its profile; empty when it names none and so is not managed. */
    public String profileName() {
        return annotation(PROFILE);
    }

    /** Namespace of its profile; empty for the default search order. */
    public String profileNamespace() {
        return annotation(PROFILE_NAMESPACE);
    }

    /** Set by machine-controller; empty until it reconciled the object. */
    public String revision() {
        return annotation(REVISION);
    }

    public boolean hasFinalizer() {
        return finalizers.contains(FINALIZER);
    }
}
