package io.osmhub.core.osc;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A systemd unit of a profile or OperatingSystemConfig. Null means left out. */
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
