package io.osmhub.core.plan;

import java.util.List;

/** What a MachineDeployment's machines need in {@code cloud-init-settings} to fetch with a token of their own. */
public enum GrantKind {
    ACCOUNT("v1", "ServiceAccount", "serviceaccounts"),
    /** May read the secrets that a machine of it fetches, by their names. */
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

    /** As in paths and permissions. */
    public String plural() {
        return plural;
    }

    /** The fields of the object, beside its metadata, that the hub sets. */
    public List<String> fields() {
        return switch (this) {
            case ACCOUNT -> List.of("automountServiceAccountToken");
            case ROLE -> List.of("rules");
            case BINDING -> List.of("roleRef", "subjects");
        };
    }
}
