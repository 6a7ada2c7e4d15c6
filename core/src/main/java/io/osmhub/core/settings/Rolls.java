package io.osmhub.core.settings;

/** A published object that a change of a setting can change, if the profile uses the value. */
public enum Rolls {
    CONFIG('O', "OperatingSystemConfig"),
    BOOTSTRAP('B', "bootstrap secret"),
    PROVISIONING('P', "provisioning secret"),
    KUBELET_BOOTSTRAP('K', "kubelet bootstrap kubeconfig"),
    TOKEN('T', "bootstrap token"),
    EDGE_SCRIPT('E', "edge script");

    private final char letter;
    private final String words;

    Rolls(char letter, String words) {
        this.letter = letter;
        this.words = words;
    }

    /** Short form in tables. */
    public char letter() {
        return letter;
    }

    public String words() {
        return words;
    }
}
