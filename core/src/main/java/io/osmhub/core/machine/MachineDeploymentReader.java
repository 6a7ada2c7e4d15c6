package io.osmhub.core.machine;

import io.osmhub.core.document.DocumentNode;
import io.osmhub.core.document.FindingsCollector;
import io.osmhub.core.document.NodeJsonWriter;
import io.osmhub.core.document.ObjectFieldReader;
import io.osmhub.core.document.SourceDocument;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads MachineDeployments. They belong to machine-controller and have fields unknown to the hub, so only used fields are checked.
 */
public final class MachineDeploymentReader {
    public static final String API_VERSION = "cluster.k8s.io/v1alpha1";
    public static final String KIND = "MachineDeployment";

    private MachineDeploymentReader() {}

    /** @throws io.osmhub.core.problem.TenantMistake with every mistake, reason {@code MachineDeploymentInvalid} */
    public static MachineDeployment read(SourceDocument document) {
        FindingsCollector mistakes = new FindingsCollector(document.source(), "MachineDeploymentInvalid");
        ObjectFieldReader root = ObjectFieldReader.of(document.root(), "", mistakes);
        ObjectFieldReader metadata = root.requiredObject("metadata");
        ObjectFieldReader machine =
                root.objectOrEmpty("spec").objectOrEmpty("template").objectOrEmpty("spec");
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
                providerSpec == null ? null : NodeJsonWriter.write(providerSpec));
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
