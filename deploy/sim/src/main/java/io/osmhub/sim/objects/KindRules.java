package io.osmhub.sim.objects;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.sim.status.ApiError.Cause;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What one kind demands beyond the rules for all. */
interface KindRules {
    /** Fills in what a create leaves out. */
    default void complete(ObjectNode created) {}

    /** Brings a written object into its stored form. {@code old} is null on create. */
    default void prepare(@Nullable ObjectNode old, ObjectNode written) {}

    /** Adds the fields that this kind always shows, also when they are empty. */
    default void addAlwaysShownFields(ObjectNode written) {}

    /** The fields that are wrong. {@code old} is null on create. */
    default List<Cause> check(@Nullable ObjectNode old, ObjectNode written) {
        return List.of();
    }
}
