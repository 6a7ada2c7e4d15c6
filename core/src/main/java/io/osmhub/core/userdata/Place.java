package io.osmhub.core.userdata;

import io.osmhub.core.osc.OperatingSystemConfig.File;
import io.osmhub.core.osc.SystemdUnit;

/**
 * A value of the config.
 *
 * @param field its path below {@code spec.bootstrapConfig} or {@code spec.provisioningConfig}, with the file's path or the
 *     unit's name for people
 */
record Place(String field) {
    static Place sshKey(int index) {
        return new Place("userSSHKeys[" + index + "]");
    }

    static Place path(int index, File file) {
        return file(index, "path", file);
    }

    static Place permissions(int index, File file) {
        return file(index, "permissions", file);
    }

    static Place content(int index, File file) {
        return file(index, "content", file);
    }

    static Place unitName(int index, SystemdUnit unit) {
        return unit(index, "name", unit.name());
    }

    static Place unitContent(int index, SystemdUnit unit) {
        return unit(index, "content", unit.name());
    }

    static Place dropInName(int unit, int index, SystemdUnit.DropIn dropIn) {
        return unit(unit, "dropIns[" + index + "].name", dropIn.name());
    }

    static Place dropInContent(int unit, int index, SystemdUnit.DropIn dropIn) {
        return unit(unit, "dropIns[" + index + "].content", dropIn.name());
    }

    private static Place file(int index, String part, File file) {
        return new Place("files[" + index + "]." + part + " (" + file.path() + ")");
    }

    private static Place unit(int index, String part, String name) {
        return new Place("units[" + index + "]." + part + " (" + name + ")");
    }
}
