package io.osmhub.tenancy.crds;

/** What the hub may do about the CustomResourceDefinitions, as in {@code tenancy.installCRDs}. */
public enum InstallPolicy {
    /** Makes those that are not there. */
    IF_ABSENT,
    /** Also brings its own to the schema of this version. */
    UPGRADE,
    /** Leaves all to whoever runs the cluster. */
    NEVER
}
