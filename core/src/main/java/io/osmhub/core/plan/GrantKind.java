package io.osmhub.core.plan;

import java.util.List;

/** The objects in {@code cloud-init-settings} that a scoped fetch token needs. */
public enum GrantKind {
    ACCOUNT("v1", "ServiceAccount", "serviceaccounts"),
    /** Grants read access to the secrets that its machines fetch, by name. */
    ROLE("rbac.authorization.k8s.io/v1", "Role", "roles"),
    BINDING("rbac.authorization.k8s.io/v1", "RoleBinding", "rolebindings");

    private final String apiVersion;
    private final String kind;
    private final String plural;

    GrantKind(String apiVersion, String kind, String plural) {
        this.apiVersion = apiVersion;
        this.kind = kind;
        this.plural = plural;
    }

    public String apiVersion() {
        return apiVersion;
    }

    public String kind() {
        return kind;
    }

    /** The name in paths and permissions. */
    public String plural() {
        return plural;
    }

    /** The fields outside of metadata that the hub sets. */
    public List<String> fields() {
        return switch (this) {
            case ACCOUNT -> List.of("automountServiceAccountToken");
            case ROLE -> List.of("rules");
            case BINDING -> List.of("roleRef", "subjects");
        };
    }
}
