package io.osmhub.core.userdata;

import io.osmhub.core.osc.OperatingSystemConfig.File;
import io.osmhub.core.osc.SystemdUnit;

/**
 * The path of a value in the config.
 *
 * @param field its path below {@code spec.bootstrapConfig} or {@code spec.provisioningConfig}, with the file's path or unit's name
 *     for users
 */
record ConfigFieldPath(String field) {
    static ConfigFieldPath sshKey(int index) {
        return new ConfigFieldPath("userSSHKeys[" + index + "]");
    }

    static ConfigFieldPath path(int index, File file) {
        return file(index, "path", file);
    }

    static ConfigFieldPath permissions(int index, File file) {
        return file(index, "permissions", file);
    }

    static ConfigFieldPath content(int index, File file) {
        return file(index, "content", file);
    }

    static ConfigFieldPath unitName(int index, SystemdUnit unit) {
        return unit(index, "name", unit.name());
    }

    static ConfigFieldPath unitContent(int index, SystemdUnit unit) {
        return unit(index, "content", unit.name());
    }

    static ConfigFieldPath dropInName(int unit, int index, SystemdUnit.DropIn dropIn) {
        return unit(unit, "dropIns[" + index + "].name", dropIn.name());
    }

    static ConfigFieldPath dropInContent(int unit, int index, SystemdUnit.DropIn dropIn) {
        return unit(unit, "dropIns[" + index + "].content", dropIn.name());
    }

    private static ConfigFieldPath file(int index, String part, File file) {
        return new ConfigFieldPath("files[" + index + "]." + part + " (" + file.path() + ")");
    }

    private static ConfigFieldPath unit(int index, String part, String name) {
        return new ConfigFieldPath("units[" + index + "]." + part + " (" + name + ")");
    }
}
