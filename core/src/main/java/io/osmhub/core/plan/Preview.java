package io.osmhub.core.plan;

import io.osmhub.core.problem.ProblemFinding;
import io.osmhub.core.render.UserDataDocuments.FileSize;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a MachineDeployment would get, rendered without any credential.
 *
 * @param rendered hashes and sizes
 * @param documents in the order of {@link Kind}
 * @param tooLarge why it would not be published; empty when it fits
 */
public record Preview(Decision.RenderSummary rendered, List<Document> documents, List<ProblemFinding> tooLarge) {
    public Preview {
        documents = List.copyOf(documents);
        tooLarge = List.copyOf(tooLarge);
    }

    public enum Kind {
        BOOTSTRAP,
        PROVISIONING,
        KUBELET_BOOTSTRAP,
        EDGE_SCRIPT,
        OPERATING_SYSTEM_CONFIG
    }

    /**
     * One document.
     *
     * @param format {@code cloud-config}, {@code ignition}, {@code yaml} or {@code shell}
     * @param text with placeholders
     * @param bytes with tokens of the usual length in place of the placeholders
     * @param limitBytes null without a limit
     * @param limitOf whose limit it is; empty without one
     * @param largest its largest files
     */
    public record Document(
            Kind kind,
            String format,
            String text,
            int bytes,
            @Nullable Integer limitBytes,
            String limitOf,
            List<FileSize> largest) {
        public Document {
            largest = List.copyOf(largest);
        }
    }
}
