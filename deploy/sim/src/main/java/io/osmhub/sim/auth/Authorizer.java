package io.osmhub.sim.auth;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.sim.json.JsonTrees;
import io.osmhub.sim.objects.ObjectOperations;
import io.osmhub.sim.resource.BuiltInResources;
import io.osmhub.sim.resource.ResourceKey;
import io.osmhub.sim.store.StoredObject;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Decides what an identity may do: everything, or what Roles, ClusterRoles and their bindings grant. */
public final class Authorizer {
    /** The authorization mode. */
    public enum Mode {
        /** Allows everything to authenticated users. */
        ALWAYS_ALLOW,
        /** The objects of rbac.authorization.k8s.io decide; {@code system:masters} may do everything. */
        RBAC
    }

    private static final ResourceKey ROLES = new ResourceKey(BuiltInResources.RBAC, "roles");
    private static final ResourceKey CLUSTER_ROLES = new ResourceKey(BuiltInResources.RBAC, "clusterroles");
    private static final ResourceKey BINDINGS = new ResourceKey(BuiltInResources.RBAC, "rolebindings");
    private static final ResourceKey CLUSTER_BINDINGS = new ResourceKey(BuiltInResources.RBAC, "clusterrolebindings");

    /** One rule in force for some subjects. An empty namespace means everywhere. */
    private record Grant(String namespace, List<Subject> subjects, PolicyRule rule) {}

    private record Subject(String kind, String namespace, String name) {
        boolean is(UserIdentity identity) {
            return switch (kind) {
                case "User" -> name.equals(identity.name());
                case "Group" -> identity.groups().contains(name);
                case "ServiceAccount" ->
                    identity.name().equals("system:serviceaccount:%s:%s".formatted(namespace, name));
                default -> false;
            };
        }
    }

    private final ObjectOperations objects;
    private final Mode mode;
    // Dropped whenever a role or binding changes.
    private final AtomicReference<@Nullable List<Grant>> cached = new AtomicReference<>();

    /** Decides for one cluster. */
    public Authorizer(ObjectOperations objects, Mode mode) {
        this.objects = objects;
        this.mode = mode;
        if (mode == Mode.RBAC) {
            for (ResourceKey kind : List.of(ROLES, CLUSTER_ROLES, BINDINGS, CLUSTER_BINDINGS)) {
                objects.store().watch(kind, objects.store().revision(), _ -> cached.set(null));
            }
        }
    }

    /** The authorization mode of this cluster. */
    public Mode mode() {
        return mode;
    }

    /** Whether this identity is allowed to do that. */
    public boolean allows(UserIdentity identity, AuthorizationAttributes attributes) {
        if (mode == Mode.ALWAYS_ALLOW || identity.groups().contains("system:masters")) {
            return true;
        }
        return grants().stream()
                .filter(grant -> grant.namespace().isEmpty()
                        || (attributes.path().isEmpty() && grant.namespace().equals(attributes.namespace())))
                .filter(grant -> grant.rule().covers(attributes))
                .anyMatch(grant -> grant.subjects().stream().anyMatch(subject -> subject.is(identity)));
    }

    /** The rules in force for this identity in a namespace. */
    public List<PolicyRule> rules(UserIdentity identity, String namespace) {
        if (mode == Mode.ALWAYS_ALLOW || identity.groups().contains("system:masters")) {
            List<String> all = List.of("*");
            return List.of(
                    new PolicyRule(all, all, all, List.of(), List.of()),
                    new PolicyRule(all, List.of(), List.of(), List.of(), all));
        }
        return grants().stream()
                .filter(grant ->
                        grant.namespace().isEmpty() || grant.namespace().equals(namespace))
                .filter(grant -> grant.subjects().stream().anyMatch(subject -> subject.is(identity)))
                .map(Grant::rule)
                .toList();
    }

    private List<Grant> grants() {
        List<Grant> known = cached.get();
        if (known == null) {
            List<Grant> fresh = new ArrayList<>();
            objects.store().all(CLUSTER_BINDINGS).forEach(each -> collect(each, "", fresh));
            objects.store().all(BINDINGS).forEach(each -> collect(each, each.namespace(), fresh));
            known = List.copyOf(fresh);
            cached.set(known);
        }
        return known;
    }

    private void collect(StoredObject binding, String namespace, List<Grant> grants) {
        JsonNode tree = binding.tree();
        String name = JsonTrees.text(tree, "roleRef", "name");
        boolean ofCluster = JsonTrees.text(tree, "roleRef", "kind").equals("ClusterRole");
        StoredObject role = objects.store().get(ofCluster ? CLUSTER_ROLES : ROLES, ofCluster ? "" : namespace, name);
        if (role == null) {
            return;
        }
        List<Subject> subjects = new ArrayList<>();
        for (JsonNode each : tree.path("subjects")) {
            subjects.add(new Subject(
                    JsonTrees.text(each, "kind"), JsonTrees.text(each, "namespace"), JsonTrees.text(each, "name")));
        }
        for (JsonNode rule : role.tree().path("rules")) {
            grants.add(new Grant(namespace, subjects, PolicyRule.of(rule)));
        }
    }
}
