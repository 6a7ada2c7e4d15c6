package io.osmhub.tenancy.kubeconfig;

import org.jspecify.annotations.Nullable;

/** Why an address is refused. */
public enum AddressClass {
    LOOPBACK("loopback", Allowance.LOOPBACK),
    /** An address of this process's host or pod, or of one of the hub's Services. */
    OWN("hub", Allowance.LOOPBACK),
    LINK_LOCAL("link-local", Allowance.LINK_LOCAL),
    /** Instance metadata and other services of a cloud for the machine that asks. */
    METADATA("metadata", null),
    MANAGEMENT_CLUSTER("management cluster", Allowance.MANAGEMENT_CLUSTER),
    /** Unspecified, multicast, broadcast and reserved: no API server is there. */
    UNUSABLE("non-unicast", null),
    /** In {@code denyCIDRs}. */
    DENIED("denied", null),
    /** Not in {@code allowCIDRs}. */
    NOT_LISTED("disallowed", null);

    private final String word;
    private final @Nullable Allowance allowance;

    AddressClass(String word, @Nullable Allowance allowance) {
        this.word = word;
        this.allowance = allowance;
    }

    /** As in messages. */
    public String word() {
        return word;
    }

    /** What an operator may write into {@code allow}; null when there is no word for it. */
    public @Nullable Allowance allowance() {
        return allowance;
    }
}
