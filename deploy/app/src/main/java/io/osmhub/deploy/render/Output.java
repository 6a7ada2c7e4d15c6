package io.osmhub.deploy.render;

import java.util.Arrays;
import java.util.List;

/** What a user asks for. */
public enum Output {
    BOOTSTRAP("bootstrap"),
    PROVISIONING("provisioning"),
    OSC("osc"),
    KUBELET_BOOTSTRAP("kubelet-bootstrap"),
    EDGE_SCRIPT("edge-script"),
    ALL("all");

    private final String word;

    Output(String word) {
        this.word = word;
    }

    /** As on the command line. */
    public String word() {
        return word;
    }

    public static List<String> words() {
        return Arrays.stream(values()).map(Output::word).toList();
    }
}
