package io.osmhub.sim.objects;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.sim.json.JsonTrees;
import io.osmhub.sim.status.ApiError.Cause;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Leases: sensible numbers. */
final class LeaseRules implements KindRules {
    @Override
    public List<Cause> check(@Nullable ObjectNode old, ObjectNode written) {
        List<Cause> causes = new ArrayList<>();
        atLeast(written, "leaseDurationSeconds", 1, "must be greater than 0", causes);
        atLeast(written, "leaseTransitions", 0, "must be greater than or equal to 0", causes);
        return causes;
    }

    private static void atLeast(ObjectNode written, String field, int least, String why, List<Cause> causes) {
        int value = JsonTrees.at(written, "spec", field).asInt(least);
        if (value < least) {
            causes.add(new Cause("spec." + field, "FieldValueInvalid", "Invalid value: %d: %s".formatted(value, why)));
        }
    }
}
