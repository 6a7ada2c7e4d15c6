package io.osmhub.sim.objects;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.sim.json.JsonTrees;
import io.osmhub.sim.status.ApiError.Cause;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** RoleBindings and ClusterRoleBindings: what they bind never changes. */
final class BindingRules implements KindRules {
    @Override
    public void prepare(@Nullable ObjectNode old, ObjectNode written) {
        for (var subject : written.path("subjects")) {
            boolean account = JsonTrees.text(subject, "kind").equals("ServiceAccount");
            if (!account && subject instanceof ObjectNode object && !object.has("apiGroup")) {
                object.put("apiGroup", "rbac.authorization.k8s.io");
            }
        }
    }

    @Override
    public List<Cause> check(@Nullable ObjectNode old, ObjectNode written) {
        if (JsonTrees.text(written, "roleRef", "name").isEmpty()) {
            return List.of(new Cause("roleRef.name", "FieldValueRequired", "Required value"));
        }
        if (old != null && !old.path("roleRef").equals(written.path("roleRef"))) {
            return List.of(new Cause(
                    "roleRef",
                    "FieldValueInvalid",
                    "Invalid value: %s: cannot change roleRef".formatted(written.path("roleRef"))));
        }
        return List.of();
    }
}
