package io.osmhub.sim.objects;

import io.osmhub.sim.resource.ResourceType;
import io.osmhub.sim.schema.Schema;
import java.util.Map;

/** Finds the rules of a kind. */
final class RulesByKind {
    private static final KindRules NONE = new KindRules() {};

    private static final Map<String, KindRules> BUILT_IN = Map.of(
            "Secret", new SecretRules(),
            "ConfigMap", new ConfigMapRules(),
            "Namespace", new NamespaceRules(),
            "Event", new EventRules(),
            "Lease", new LeaseRules(),
            "RoleBinding", new BindingRules(),
            "ClusterRoleBinding", new BindingRules(),
            "EndpointSlice", new EndpointSliceRules(),
            "CustomResourceDefinition", new DefinitionRules());

    private RulesByKind() {}

    static KindRules of(ResourceType type) {
        Schema schema = type.traits().schema();
        return schema == null ? BUILT_IN.getOrDefault(type.kind(), NONE) : new CustomRules(schema);
    }
}
