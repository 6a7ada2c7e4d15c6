package io.osmhub.core.osc;

import io.osmhub.core.document.ObjectFieldReader;
import org.jspecify.annotations.Nullable;

/** Reads the common parts of profiles and OperatingSystemConfigs: units and cloud-init modules. */
public final class ConfigPartReader {
    private ConfigPartReader() {}

    public static SystemdUnit unit(ObjectFieldReader unit) {
        SystemdUnit read = new SystemdUnit(
                unit.requiredText("name"),
                unit.bool("enable"),
                unit.bool("mask"),
                unit.text("content"),
                unit.objects("dropIns", ConfigPartReader::dropIn));
        unit.reportUnknownFields();
        return read;
    }

    private static SystemdUnit.DropIn dropIn(ObjectFieldReader dropIn) {
        SystemdUnit.DropIn read = new SystemdUnit.DropIn(dropIn.requiredText("name"), dropIn.requiredText("content"));
        dropIn.reportUnknownFields();
        return read;
    }

    /** Null if the object has none. */
    public static @Nullable CloudInitModules modules(@Nullable ObjectFieldReader modules) {
        if (modules == null) {
            return null;
        }
        CloudInitModules read = new CloudInitModules(
                modules.texts("bootcmd"),
                modules.textMap("rh_subscription"),
                modules.texts("runcmd"),
                modules.map("yum_repos", modules::textMap),
                modules.text("yum_repo_dir", ""));
        modules.reportUnknownFields();
        return read;
    }
}
