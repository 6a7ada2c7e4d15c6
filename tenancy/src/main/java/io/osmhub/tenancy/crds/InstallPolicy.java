package io.osmhub.tenancy.crds;

/** What the hub may do about the CustomResourceDefinitions, as in {@code tenancy.installCRDs}. */
public enum InstallPolicy {
    /** Makes those that are not there. */
    IF_ABSENT("IfAbsent"),
    /** Also brings its own to the schema of this version. */
    UPGRADE("Upgrade"),
    /** Leaves all to whoever runs the cluster. */
    NEVER("Never");

    private final String word;

    InstallPolicy(String word) {
        this.word = word;
    }

    public String word() {
        return word;
    }
}
