package io.osmhub.core.corpus;

import io.osmhub.core.problem.Finding;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a case gave.
 *
 * @param files results by file name; payloads byte for byte, objects as JSON, which is YAML too
 * @param revealed the OSC's spec with credentials; the file has placeholders
 * @param findings why it was refused; empty when it was not
 */
public record PipelineResult(
        Map<String, String> files, @Nullable String revealed, List<Finding> findings) {
    static final String OSC = "osc.yaml";
    static final String ERROR = "error.txt";
    static final String EVENTS = "events.txt";

    static final List<String> FILES = List.of(
            OSC,
            "bootstrap-secret.yaml",
            "bootstrap.txt",
            "provisioning-secret.yaml",
            "provisioning.txt",
            "kubelet-bootstrap-secret.yaml",
            "kubelet-bootstrap.txt",
            "edge-script-secret.yaml",
            "edge-script.txt",
            ERROR,
            EVENTS);

    public PipelineResult {
        findings = List.copyOf(findings);
    }
}
