package io.osmhub.tenancy.kubeconfig;

import org.jspecify.annotations.Nullable;

/** Why an address is forbidden. */
public enum AddressClass {
    LOOPBACK("loopback", Allowance.LOOPBACK),
    /** An address of this process's host or pod, or of one of the hub's Services. */
    OWN("hub", Allowance.LOOPBACK),
    LINK_LOCAL("link-local", Allowance.LINK_LOCAL),
    /** Instance metadata and other link-local services of clouds. */
    METADATA("metadata", null),
    MANAGEMENT_CLUSTER("management cluster", Allowance.MANAGEMENT_CLUSTER),
    /** Unspecified, multicast, broadcast and reserved: no API server has such an address. */
    UNUSABLE("non-unicast", null),
    /** In {@code denyCIDRs}. */
    DENIED("denied", null),
    /** Not in {@code allowCIDRs}. */
    NOT_LISTED("disallowed", null);

    private final String wireName;
    private final @Nullable Allowance allowance;

    AddressClass(String word, @Nullable Allowance allowance) {
        this.wireName = word;
        this.allowance = allowance;
    }

    /** For messages. */
    public String wireName() {
        return wireName;
    }

    /** Value of {@code allow} that permits it; null if none does. */
    public @Nullable Allowance allowance() {
        return allowance;
    }
}
