package io.osmhub.core.osc;

import io.osmhub.core.document.ObjectReader;
import org.jspecify.annotations.Nullable;

/** Reads what profile and OperatingSystemConfig have in common: units and cloud-init modules. */
public final class ConfigPartReader {
    private final boolean strict;

    /** @param strict whether an unknown field is a mistake, and a missing one */
    public ConfigPartReader(boolean strict) {
        this.strict = strict;
    }

    public SystemdUnit unit(ObjectReader unit) {
        SystemdUnit read = new SystemdUnit(
                text(unit, "name"),
                unit.bool("enable"),
                unit.bool("mask"),
                unit.text("content"),
                unit.objects("dropIns", this::dropIn));
        finish(unit);
        return read;
    }

    private SystemdUnit.DropIn dropIn(ObjectReader dropIn) {
        SystemdUnit.DropIn read = new SystemdUnit.DropIn(text(dropIn, "name"), text(dropIn, "content"));
        finish(dropIn);
        return read;
    }

    /** The modules; null when the object has none. */
    public @Nullable CloudInitModules modules(@Nullable ObjectReader modules) {
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

    private String text(ObjectReader reader, String field) {
        return strict ? reader.requiredText(field) : reader.text(field, "");
    }

    private void finish(ObjectReader reader) {
        if (strict) {
            reader.refuseUnknown();
        }
    }
}
