package io.osmhub.core.settings;

/** A published object that may change with a setting, if the profile uses the value. */
public enum AffectedObject {
    CONFIG('O', "OperatingSystemConfig"),
    BOOTSTRAP('B', "bootstrap secret"),
    PROVISIONING('P', "provisioning secret"),
    KUBELET_BOOTSTRAP('K', "kubelet bootstrap kubeconfig"),
    TOKEN('T', "bootstrap token"),
    EDGE_SCRIPT('E', "edge script");

    private final char letter;
    private final String displayName;

    AffectedObject(char letter, String words) {
        this.letter = letter;
        this.displayName = words;
    }

    /** Short form in tables. */
    public char letter() {
        return letter;
    }

    public String displayName() {
        return displayName;
    }
}
