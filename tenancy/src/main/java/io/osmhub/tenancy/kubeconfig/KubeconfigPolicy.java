package io.osmhub.tenancy.kubeconfig;

import io.osmhub.core.model.IpNetwork;
import io.osmhub.core.model.LabelSelector;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What registered kubeconfigs may hold: the operator's {@code kubeconfigPolicy}. A tenant cannot widen it.
 *
 * @param allow for every namespace
 * @param denyCidrs refused addresses, besides those that are refused by their class
 * @param allowCidrs when there are any, no address outside of them may be reached
 * @param exceptions what the namespaces with certain labels may do besides
 */
public record KubeconfigPolicy(
        Set<Allowance> allow, List<IpNetwork> denyCidrs, List<IpNetwork> allowCidrs, List<Exemption> exceptions) {
    /** Without a configuration: nothing is allowed, and link-local, loopback and metadata addresses are denied. */
    public static final KubeconfigPolicy DEFAULT = new KubeconfigPolicy(
            Set.of(),
            List.of(
                    IpNetwork.of("169.254.0.0/16"),
                    IpNetwork.of("fe80::/10"),
                    IpNetwork.of("127.0.0.0/8"),
                    IpNetwork.of("::1/128"),
                    IpNetwork.of("100.100.100.200/32"),
                    IpNetwork.of("fd00:ec2::254/128")),
            List.of(),
            List.of());

    public KubeconfigPolicy {
        allow = Set.copyOf(allow);
        denyCidrs = List.copyOf(denyCidrs);
        allowCidrs = List.copyOf(allowCidrs);
        exceptions = List.copyOf(exceptions);
    }

    /** Allows the namespaces that a selector means more than others. */
    public record Exemption(LabelSelector namespaceSelector, Set<Allowance> allow) {
        public Exemption {
            allow = Set.copyOf(allow);
        }
    }

    /** What holds in a namespace with these labels. */
    public KubeconfigRules forNamespace(Map<String, String> labels) {
        Set<Allowance> all = EnumSet.noneOf(Allowance.class);
        all.addAll(allow);
        for (Exemption exception : exceptions) {
            if (exception.namespaceSelector().matches(labels)) {
                all.addAll(exception.allow());
            }
        }
        return new KubeconfigRules(all, denyCidrs, allowCidrs);
    }
}
