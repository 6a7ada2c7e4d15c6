package io.osmhub.core.corpus;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.emit.yaml.SigsYamlEncoder;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoValue.GoString;
import io.osmhub.core.problem.Problem;
import java.util.LinkedHashMap;
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
        Map<String, String> files, @Nullable String revealed, List<Problem> findings) {
    static final String OSC = "osc.yaml";
    static final String ERROR = "error.txt";
    static final String EVENTS = "events.txt";

    private static final ObjectMapper JSON = new ObjectMapper();

    /** Names of all results that there can be. */
    public static final List<String> FILES = List.of(
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

    /**
     * The files as OSM's tools write them: objects as YAML of Kubernetes.
     *
     * @param reveal whether the OSC has its credentials, as OSM stores it, or placeholders, as the hub stores it
     */
    public Map<String, String> written(boolean reveal) {
        Map<String, String> written = new LinkedHashMap<>();
        files.forEach((name, text) -> {
            if (name.equals(OSC)) {
                written.put(name, yaml(config(text, reveal ? revealed : null)));
            } else {
                written.put(name, name.endsWith(".yaml") ? yaml(text) : text);
            }
        });
        return written;
    }

    private static String config(String text, @Nullable String spec) {
        try {
            ObjectNode object = (ObjectNode) JSON.readTree(text);
            if (spec != null) {
                object.set("spec", JSON.readTree(spec));
            }
            // OSM's type always has this field.
            if (object.path("spec").path("cloudProvider") instanceof ObjectNode provider && !provider.has("spec")) {
                provider.putNull("spec");
            }
            return object.toString();
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("the stored object is not JSON", e);
        }
    }

    private static String yaml(String json) {
        try {
            // As in Go's JSON; bare, they would be line breaks to YAML.
            String escaped = json.replace("\u2028", "\\u2028").replace("\u2029", "\\u2029");
            return GoString.text(SigsYamlEncoder.fromJson(GoString.bytes(escaped)));
        } catch (GoCallException e) {
            // The library refuses a few characters that JSON allows; JSON is YAML too.
            return json + "\n";
        }
    }
}
