package io.osmhub.tenancy.kubeconfig;

import io.osmhub.core.model.IpNetwork;
import io.osmhub.core.model.LabelSelector;
import io.osmhub.tenancy.kubeconfig.EgressPolicy.Allowance;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The operator's {@code kubeconfigPolicy} for registered kubeconfigs. A tenant cannot extend it.
 *
 * @param allow for every namespace
 * @param denyCidrs forbidden addresses, in addition to those forbidden by class
 * @param allowCidrs if not empty, the only addresses that are allowed
 * @param exceptions additional allowances for namespaces with certain labels
 */
public record KubeconfigPolicy(
        Set<Allowance> allow, List<IpNetwork> denyCidrs, List<IpNetwork> allowCidrs, List<Exemption> exceptions) {
    /** Default: nothing is allowed, and link-local, loopback and metadata addresses are denied. */
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

    /** Additional allowances for selected namespaces. */
    public record Exemption(LabelSelector namespaceSelector, Set<Allowance> allow) {
        public Exemption {
            allow = Set.copyOf(allow);
        }
    }

    /** Rules for a namespace with these labels. */
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

    /** The policy for one tenant. */
    public record KubeconfigRules(Set<Allowance> allow, List<IpNetwork> denyCidrs, List<IpNetwork> allowCidrs) {
        public KubeconfigRules {
            allow = Set.copyOf(allow);
            denyCidrs = List.copyOf(denyCidrs);
            allowCidrs = List.copyOf(allowCidrs);
        }

        public boolean allows(Allowance allowance) {
            return allow.contains(allowance);
        }
    }
}
