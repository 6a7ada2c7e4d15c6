package io.osmhub.core.osc;

import io.osmhub.core.resource.Copies;
import io.osmhub.core.resource.Wire;
import io.osmhub.core.schema.Described;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A systemd unit as stored. */
@Wire
public record WireUnit(
        @Described("Name of the unit.") String name,
        @Described("Whether the unit is enabled.") @Nullable Boolean enable,
        @Described("Whether the unit is masked.") @Nullable Boolean mask,
        @Described("Text of the unit.") @Nullable String content,
        @Described("Drop-ins of the unit.") @Nullable List<DropIn> dropIns) {

    public WireUnit {
        dropIns = Copies.of(dropIns);
    }

    /** A drop-in of a unit as stored. */
    @Wire
    public record DropIn(
            @Described("Name of the drop-in.") String name,
            @Described("Text of the drop-in.") String content) {}

    /** As the domain knows it. */
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

    /** As it is stored: what is empty is left out. */
    public static WireUnit of(SystemdUnit unit) {
        List<DropIn> dropIns = unit.dropIns().stream()
                .map(dropIn -> new DropIn(dropIn.name(), dropIn.content()))
                .toList();
        return new WireUnit(unit.name(), unit.enable(), unit.mask(), unit.content(), Copies.nullIfEmpty(dropIns));
    }
}
