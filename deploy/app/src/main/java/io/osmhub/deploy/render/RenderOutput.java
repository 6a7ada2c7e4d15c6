package io.osmhub.deploy.render;

import java.util.Arrays;
import java.util.List;

/** Selectable outputs. */
public enum RenderOutput {
    BOOTSTRAP("bootstrap"),
    PROVISIONING("provisioning"),
    OSC("osc"),
    KUBELET_BOOTSTRAP("kubelet-bootstrap"),
    EDGE_SCRIPT("edge-script"),
    ALL("all");

    private final String optionValue;

    RenderOutput(String word) {
        this.optionValue = word;
    }

    /** Value on the command line. */
    public String optionValue() {
        return optionValue;
    }

    public static List<String> optionValues() {
        return Arrays.stream(values()).map(RenderOutput::optionValue).toList();
    }
}
