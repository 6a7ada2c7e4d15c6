package io.osmhub.core.osc;

import io.osmhub.core.document.ObjectFieldReader;
import io.osmhub.core.resource.NullableCollections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A systemd unit of a profile, an extension or an OperatingSystemConfig. Null means left out. */
public record SystemdUnit(
        String name,
        @Nullable Boolean enable,
        @Nullable Boolean mask,
        @Nullable String content,
        List<DropIn> dropIns) {
    /** Where a machine has its units. */
    public static final String FOLDER = "/etc/systemd/system/";

    /** A drop-in of the unit. */
    public record DropIn(String name, String content) {}

    public SystemdUnit {
        dropIns = NullableCollections.emptyIfNull(dropIns);
    }

    /** Reads the unit of a profile or OperatingSystemConfig. */
    public static SystemdUnit read(ObjectFieldReader unit) {
        SystemdUnit read = new SystemdUnit(
                unit.requiredText("name"),
                unit.bool("enable"),
                unit.bool("mask"),
                unit.text("content"),
                unit.objects("dropIns", dropIn -> {
                    DropIn part = new DropIn(dropIn.requiredText("name"), dropIn.requiredText("content"));
                    dropIn.reportUnknownFields();
                    return part;
                }));
        unit.reportUnknownFields();
        return read;
    }

    /** The files that Ignition and coreos-cloudinit write for it: path and field in the unit, empty for the unit itself. */
    public Map<String, String> paths() {
        Map<String, String> paths = new LinkedHashMap<>();
        if (content != null && !content.isBlank()) {
            paths.put(FOLDER + name, "");
        }
        for (int i = 0; i < dropIns.size(); i++) {
            if (!dropIns.get(i).content().isBlank()) {
                paths.put(FOLDER + name + ".d/" + dropIns.get(i).name(), "dropIns[" + i + "]");
            }
        }
        return paths;
    }
}
