package io.osmhub.sim.objects;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.sim.schema.Schema;
import io.osmhub.sim.status.ApiError.Cause;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Objects of custom kinds: what their schema says. */
record CustomRules(Schema schema) implements KindRules {
    @Override
    public void prepare(@Nullable ObjectNode old, ObjectNode written) {
        schema.shape(written);
    }

    @Override
    public List<Cause> check(@Nullable ObjectNode old, ObjectNode written) {
        return schema.check(written).stream()
                .map(each -> new Cause(each.field(), each.reason(), each.message()))
                .toList();
    }
}
