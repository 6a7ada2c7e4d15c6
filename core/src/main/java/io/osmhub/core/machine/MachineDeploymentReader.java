package io.osmhub.core.machine;

import io.osmhub.core.document.Document;
import io.osmhub.core.document.JsonText;
import io.osmhub.core.document.Mistakes;
import io.osmhub.core.document.Node;
import io.osmhub.core.document.ObjectReader;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads MachineDeployments. They belong to machine-controller and keep fields that we do not know, so only what is used is
 * looked at.
 */
public final class MachineDeploymentReader {
    public static final String API_VERSION = "cluster.k8s.io/v1alpha1";
    public static final String KIND = "MachineDeployment";

    private MachineDeploymentReader() {}

    /** @throws io.osmhub.core.problem.TenantMistake with every mistake, reason {@code MachineDeploymentInvalid} */
    public static MachineDeployment read(Document document) {
        Mistakes mistakes = new Mistakes(document.source(), "MachineDeploymentInvalid");
        ObjectReader root = ObjectReader.of(document.root(), "", mistakes);
        ObjectReader metadata = root.requiredObject("metadata");
        ObjectReader machine =
                root.objectOrEmpty("spec").objectOrEmpty("template").objectOrEmpty("spec");
        Node providerSpec = machine.objectOrEmpty("providerSpec").value("value");
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
                providerSpec == null ? null : JsonText.of(providerSpec));
        mistakes.raise();
        return read;
    }

    private static @Nullable Instant time(ObjectReader metadata, String field) {
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
