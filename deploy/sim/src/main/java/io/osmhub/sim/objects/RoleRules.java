package io.osmhub.sim.objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.sim.status.ApiError.Cause;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Roles and ClusterRoles: each rule says what it allows on what. */
final class RoleRules implements KindRules {
    @Override
    public List<Cause> check(@Nullable ObjectNode old, ObjectNode written) {
        List<Cause> causes = new ArrayList<>();
        int index = 0;
        for (JsonNode rule : written.path("rules")) {
            String at = "rules[%d].".formatted(index++);
            require(rule, at, "verbs", "verbs must contain at least one value", causes);
            if (rule.path("nonResourceURLs").isEmpty()) {
                require(rule, at, "apiGroups", "resource rules must supply at least one api group", causes);
                require(rule, at, "resources", "resource rules must supply at least one resource", causes);
            }
        }
        return causes;
    }

    private static void require(JsonNode rule, String at, String field, String why, List<Cause> causes) {
        if (rule.path(field).isEmpty()) {
            causes.add(new Cause(at + field, "FieldValueRequired", "Required value: " + why));
        }
    }
}
