package io.osmhub.tenancy.kubeconfig;

import io.osmhub.core.model.IpNetwork;
import java.util.List;
import java.util.Set;

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
