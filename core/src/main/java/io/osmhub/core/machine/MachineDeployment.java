package io.osmhub.core.machine;

import io.osmhub.core.document.DocumentNode;
import io.osmhub.core.document.FindingsCollector;
import io.osmhub.core.document.ObjectFieldReader;
import io.osmhub.core.document.SourceDocument;
import io.osmhub.core.problem.Command;
import io.osmhub.core.problem.ProblemObject;
import io.osmhub.core.problem.Reason;
import java.time.Instant;
import java.time.format.DateTimeParseException;
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
 * @param templateAnnotations kubelet settings on the machine template, where they have no effect
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
        @Nullable String providerSpec,
        SortedMap<String, String> templateAnnotations) {
    public static final String API_VERSION = "cluster.k8s.io/v1alpha1";
    public static final String KIND = "MachineDeployment";
    public static final String PROFILE = "k8c.io/operating-system-profile";
    public static final String PROFILE_NAMESPACE = "k8c.io/operating-system-profile-namespace";
    public static final String REVISION = "machinedeployment.clusters.k8s.io/revision";
    /** Removed from a MachineDeployment after its objects are deleted. */
    public static final String FINALIZER = "kubermatic.io/cleanup-operating-system-configs";

    /** With what the annotations of kubelet settings begin. */
    private static final String KUBELET_SETTINGS = "v1.kubelet-config.machine-controller.kubermatic.io";

    public MachineDeployment {
        finalizers = List.copyOf(finalizers);
        annotations = Collections.unmodifiableSortedMap(new TreeMap<>(annotations));
        templateAnnotations = Collections.unmodifiableSortedMap(new TreeMap<>(templateAnnotations));
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
                providerSpec,
                new TreeMap<>());
    }

    /** Omits the provider spec, which may hold credentials. */
    @Override
    public String toString() {
        return describe().toString();
    }

    /** Itself, for findings. */
    public ProblemObject describe() {
        return new ProblemObject(ProblemObject.Cluster.WORKER, KIND, namespace, name);
    }

    /** The command that sets its profile. */
    public Command profileCommand(String profile) {
        return Command.worker(
                "kubectl -n {} annotate --overwrite machinedeployment {} " + PROFILE + "={}", namespace, name, profile);
    }

    /** The annotations with kubelet settings. */
    public static SortedMap<String, String> kubeletSettings(SortedMap<String, String> annotations) {
        return annotations.subMap(KUBELET_SETTINGS, KUBELET_SETTINGS + Character.MAX_VALUE);
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

    /**
     * Reads a MachineDeployment. It belongs to machine-controller and has fields unknown to the hub, so only used fields are checked.
     *
     * @throws io.osmhub.core.problem.TenantMistake with every mistake, reason {@code ProviderSpecInvalid}
     */
    public static MachineDeployment read(SourceDocument document) {
        FindingsCollector mistakes = new FindingsCollector(document.source(), Reason.ProviderSpecInvalid);
        ObjectFieldReader root = ObjectFieldReader.of(document.root(), "", mistakes);
        ObjectFieldReader metadata = root.requiredObject("metadata");
        ObjectFieldReader machine =
                root.objectOrEmpty("spec").objectOrEmpty("template").objectOrEmpty("spec");
        SortedMap<String, String> ineffective = new TreeMap<>();
        for (String place : List.of("spec.template.spec", "spec.template")) {
            if (document.find(place + ".metadata.annotations") instanceof DocumentNode.Fields annotations) {
                annotations
                        .fields()
                        .forEach(annotation -> ineffective.put(
                                annotation.name(),
                                annotation.value() instanceof DocumentNode.Scalar value ? value.text() : ""));
            }
        }
        DocumentNode providerSpec = machine.objectOrEmpty("providerSpec").value("value");
        MachineDeployment read = new MachineDeployment(
                metadata.text("namespace", ""),
                metadata.requiredText("name"),
                metadata.text("uid", ""),
                metadata.text("resourceVersion", ""),
                time(metadata, "creationTimestamp"),
                time(metadata, "deletionTimestamp"),
                metadata.texts("finalizers"),
                new TreeMap<>(metadata.textMap("annotations")),
                machine.objectOrEmpty("versions").text("kubelet", ""),
                providerSpec == null ? null : SourceDocument.jsonText(providerSpec),
                kubeletSettings(ineffective));
        mistakes.throwIfAny();
        return read;
    }

    private static @Nullable Instant time(ObjectFieldReader metadata, String field) {
        String text = metadata.text(field);
        if (text == null) {
            return null;
        }
        try {
            return Instant.parse(text);
        } catch (DateTimeParseException e) {
            metadata.mistakes().add(metadata.path(field), "\"" + text + "\" is not a valid time", "");
            return null;
        }
    }
}
