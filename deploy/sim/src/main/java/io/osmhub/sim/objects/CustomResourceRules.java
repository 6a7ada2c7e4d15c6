package io.osmhub.sim.objects;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.sim.schema.CustomResourceSchema;
import io.osmhub.sim.status.ApiError.Cause;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Objects of custom kinds: what their schema says. */
record CustomResourceRules(CustomResourceSchema schema) implements KindRules {
    @Override
    public void prepare(@Nullable ObjectNode old, ObjectNode written) {
        schema.pruneAndDefault(written);
    }

    @Override
    public List<Cause> check(@Nullable ObjectNode old, ObjectNode written) {
        return schema.check(written).stream()
                .map(each -> new Cause(each.field(), each.reason(), each.message()))
                .toList();
    }
}
