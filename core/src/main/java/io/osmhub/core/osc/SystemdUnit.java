package io.osmhub.core.osc;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A systemd unit, the same in profile and OperatingSystemConfig. Null means that the object leaves the field out. */
public record SystemdUnit(
        String name,
        @Nullable Boolean enable,
        @Nullable Boolean mask,
        @Nullable String content,
        List<DropIn> dropIns) {
    /** A drop-in of the unit. */
    public record DropIn(String name, String content) {}

    public SystemdUnit {
        dropIns = List.copyOf(dropIns);
    }
}
