package io.osmhub.sim.objects;

import io.osmhub.sim.resource.ResourceType;
import io.osmhub.sim.schema.CustomResourceSchema;
import java.util.Map;

/** Finds the rules of a kind. */
final class RulesByKind {
    private static final KindRules NONE = new KindRules() {};

    private static final Map<String, KindRules> BUILT_IN = Map.ofEntries(
            Map.entry("Secret", new SecretRules()),
            Map.entry("ConfigMap", new ConfigMapRules()),
            Map.entry("Namespace", new NamespaceRules()),
            Map.entry("Event", new EventRules()),
            Map.entry("Lease", new LeaseRules()),
            Map.entry("Role", new RoleRules()),
            Map.entry("ClusterRole", new RoleRules()),
            Map.entry("RoleBinding", new BindingRules()),
            Map.entry("ClusterRoleBinding", new BindingRules()),
            Map.entry("EndpointSlice", new EndpointSliceRules()),
            Map.entry("CustomResourceDefinition", new DefinitionRules()));

    private RulesByKind() {}

    static KindRules of(ResourceType type) {
        CustomResourceSchema schema = type.traits().schema();
        return schema == null ? BUILT_IN.getOrDefault(type.kind(), NONE) : new CustomResourceRules(schema);
    }
}
