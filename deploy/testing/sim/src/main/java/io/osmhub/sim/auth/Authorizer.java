package io.osmhub.sim.auth;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.sim.auth.Authorizer.AuthorizationAttributes;
import io.osmhub.sim.objects.JsonTrees;
import io.osmhub.sim.objects.ObjectOperations;
import io.osmhub.sim.objects.ResourceCatalog;
import io.osmhub.sim.objects.ResourceKey;
import io.osmhub.sim.objects.StoredObject;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Decides what an identity may do: everything, or what Roles, ClusterRoles and their bindings grant. Thread-safe. */
public final class Authorizer {
    public enum Mode {
        /** Allows everything to authenticated users. */
        ALWAYS_ALLOW,
        /** Objects of rbac.authorization.k8s.io decide; {@code system:masters} may do everything. */
        RBAC
    }

    private static final ResourceKey ROLES = new ResourceKey(ResourceCatalog.RBAC, "roles");
    private static final ResourceKey CLUSTER_ROLES = new ResourceKey(ResourceCatalog.RBAC, "clusterroles");
    private static final ResourceKey BINDINGS = new ResourceKey(ResourceCatalog.RBAC, "rolebindings");
    private static final ResourceKey CLUSTER_BINDINGS = new ResourceKey(ResourceCatalog.RBAC, "clusterrolebindings");

    /** One rule for some subjects. An empty namespace means the whole cluster. */
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
    private volatile @Nullable Predicate<AuthorizationAttributes> denied;
    // Cleared on every change of a role or binding.
    private final AtomicReference<@Nullable List<Grant>> cached = new AtomicReference<>();

    public Authorizer(ObjectOperations objects, Mode mode) {
        this.objects = objects;
        this.mode = mode;
        if (mode == Mode.RBAC) {
            for (ResourceKey kind : List.of(ROLES, CLUSTER_ROLES, BINDINGS, CLUSTER_BINDINGS)) {
                objects.store().watch(kind, objects.store().revision(), _ -> cached.set(null));
            }
        }
    }

    /** Denies these requests from now on, except to {@code system:masters}. */
    public void deny(Predicate<AuthorizationAttributes> some) {
        denied = some;
    }

    public Mode mode() {
        return mode;
    }

    public boolean allows(UserIdentity identity, AuthorizationAttributes attributes) {
        if (identity.groups().contains("system:masters")) {
            return true;
        }
        Predicate<AuthorizationAttributes> some = denied;
        if (some != null && some.test(attributes)) {
            return false;
        }
        if (mode == Mode.ALWAYS_ALLOW) {
            return true;
        }
        return grants().stream()
                .filter(grant -> grant.namespace().isEmpty()
                        || (attributes.path().isEmpty() && grant.namespace().equals(attributes.namespace())))
                .filter(grant -> grant.rule().covers(attributes))
                .anyMatch(grant -> grant.subjects().stream().anyMatch(subject -> subject.is(identity)));
    }

    /** Whether {@link #rules} has all rules; not if single requests are denied. */
    public boolean isComplete() {
        return denied == null;
    }

    /** The rules in force for this identity in a namespace. */
    public List<PolicyRule> rules(UserIdentity identity, String namespace) {
        if (mode == Mode.ALWAYS_ALLOW || identity.groups().contains("system:masters")) {
            if (!isComplete()) {
                return List.of();
            }
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

    /** A request to authorize. For resources {@code path} is empty; otherwise all but {@code verb} and {@code path} are. */
    public record AuthorizationAttributes(
            String verb,
            String group,
            String resource,
            String subresource,
            String namespace,
            String name,
            String path) {
        /** A non-resource request. */
        public static AuthorizationAttributes ofPath(String verb, String path) {
            return new AuthorizationAttributes(verb, "", "", "", "", "", path);
        }

        /** The resource with its subresource, as rules name it. */
        public String fullResource() {
            return subresource.isEmpty() ? resource : resource + "/" + subresource;
        }
    }

    /** One rule of a role. */
    public record PolicyRule(
            List<String> verbs,
            List<String> apiGroups,
            List<String> resources,
            List<String> resourceNames,
            List<String> nonResourceUrls) {
        static PolicyRule of(JsonNode rule) {
            return new PolicyRule(
                    JsonTrees.texts(rule.path("verbs")),
                    JsonTrees.texts(rule.path("apiGroups")),
                    JsonTrees.texts(rule.path("resources")),
                    JsonTrees.texts(rule.path("resourceNames")),
                    JsonTrees.texts(rule.path("nonResourceURLs")));
        }

        boolean covers(AuthorizationAttributes wanted) {
            if (!has(verbs, wanted.verb())) {
                return false;
            }
            if (!wanted.path().isEmpty()) {
                return nonResourceUrls.stream()
                        .anyMatch(each -> each.endsWith("*")
                                ? wanted.path().startsWith(each.substring(0, each.length() - 1))
                                : each.equals(wanted.path()));
            }
            boolean resource = has(resources, wanted.fullResource())
                    || (!wanted.subresource().isEmpty() && resources.contains("*/" + wanted.subresource()));
            return resource
                    && has(apiGroups, wanted.group())
                    && (resourceNames.isEmpty() || resourceNames.contains(wanted.name()));
        }

        /** In the form of SelfSubjectRulesReview. */
        ObjectNode json() {
            ObjectNode json = JsonTrees.object();
            json.set("verbs", JsonTrees.arrayOf(verbs));
            if (nonResourceUrls.isEmpty()) {
                json.set("apiGroups", JsonTrees.arrayOf(apiGroups));
                json.set("resources", JsonTrees.arrayOf(resources));
                if (!resourceNames.isEmpty()) {
                    json.set("resourceNames", JsonTrees.arrayOf(resourceNames));
                }
            } else {
                json.set("nonResourceURLs", JsonTrees.arrayOf(nonResourceUrls));
            }
            return json;
        }

        private static boolean has(List<String> listed, String wanted) {
            return listed.contains("*") || listed.contains(wanted);
        }
    }
}
