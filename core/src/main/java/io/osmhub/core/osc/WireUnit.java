package io.osmhub.core.osc;

import io.osmhub.core.resource.NullableCollections;
import io.osmhub.core.resource.WireRecord;
import io.osmhub.core.schema.FieldDescription;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A systemd unit as stored. */
@WireRecord
public record WireUnit(
        @FieldDescription("Name of the unit.") String name,

        @FieldDescription("Whether the unit is enabled.") @Nullable Boolean enable,

        @FieldDescription("Whether the unit is masked.") @Nullable Boolean mask,

        @FieldDescription("Text of the unit.") @Nullable String content,
        @FieldDescription("Drop-ins of the unit.") @Nullable List<DropIn> dropIns) {

    public WireUnit {
        dropIns = NullableCollections.copyOf(dropIns);
    }

    /** A drop-in of a unit as stored. */
    @WireRecord
    public record DropIn(
            @FieldDescription("Name of the drop-in.") String name,
            @FieldDescription("Text of the drop-in.") String content) {}

    /** Converts to a domain object. */
    public SystemdUnit toUnit() {
        return new SystemdUnit(
                name,
                enable,
                mask,
                content,
                Objects.requireNonNullElse(dropIns, List.<DropIn>of()).stream()
                        .map(dropIn -> new SystemdUnit.DropIn(dropIn.name(), dropIn.content()))
                        .toList());
    }

    /** Converts to the stored form: empty values are left out. */
    public static WireUnit of(SystemdUnit unit) {
        List<DropIn> dropIns = unit.dropIns().stream()
                .map(dropIn -> new DropIn(dropIn.name(), dropIn.content()))
                .toList();
        return new WireUnit(
                unit.name(), unit.enable(), unit.mask(), unit.content(), NullableCollections.nullIfEmpty(dropIns));
    }
}
