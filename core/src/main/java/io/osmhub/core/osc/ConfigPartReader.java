package io.osmhub.core.osc;

import io.osmhub.core.document.ObjectFieldReader;
import org.jspecify.annotations.Nullable;

/** Reads the common parts of profiles and OperatingSystemConfigs: units and cloud-init modules. */
public final class ConfigPartReader {
    private final boolean strict;

    /** @param strict whether an unknown or missing field is a mistake */
    public ConfigPartReader(boolean strict) {
        this.strict = strict;
    }

    public SystemdUnit unit(ObjectFieldReader unit) {
        SystemdUnit read = new SystemdUnit(
                text(unit, "name"),
                unit.bool("enable"),
                unit.bool("mask"),
                unit.text("content"),
                unit.objects("dropIns", this::dropIn));
        finish(unit);
        return read;
    }

    private SystemdUnit.DropIn dropIn(ObjectFieldReader dropIn) {
        SystemdUnit.DropIn read = new SystemdUnit.DropIn(text(dropIn, "name"), text(dropIn, "content"));
        finish(dropIn);
        return read;
    }

    /** Null if the object has none. */
    public @Nullable CloudInitModules modules(@Nullable ObjectFieldReader modules) {
        if (modules == null) {
            return null;
        }
        CloudInitModules read = new CloudInitModules(
                modules.texts("bootcmd"),
                modules.textMap("rh_subscription"),
                modules.texts("runcmd"),
                modules.map("yum_repos", modules::textMap),
                modules.text("yum_repo_dir", ""));
        finish(modules);
        return read;
    }

    private String text(ObjectFieldReader reader, String field) {
        return strict ? reader.requiredText(field) : reader.text(field, "");
    }

    private void finish(ObjectFieldReader reader) {
        if (strict) {
            reader.reportUnknownFields();
        }
    }
}
