package io.osmhub.tenancy.crds;

/** What the hub may do with CustomResourceDefinitions, as in {@code tenancy.installCRDs}. */
public enum InstallPolicy {
    /** Creates missing ones. */
    IF_ABSENT,
    /** Also upgrades its own to this version's schema. */
    UPGRADE,
    /** Leaves them to the operator. */
    NEVER
}
