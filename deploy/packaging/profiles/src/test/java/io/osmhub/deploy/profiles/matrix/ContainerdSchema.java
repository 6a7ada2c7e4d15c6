package io.osmhub.deploy.profiles.matrix;

import io.osmhub.deploy.profiles.matrix.FileCheck.FileFault;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.tomlj.TomlParseResult;
import org.tomlj.TomlTable;

/**
 * The schema of containerd's {@code config.toml}: version 2 is containerd 1.x's, version 3 that of 2.x. Each calls its plugins by
 * names of its own and passes over the other's without a word, so that a machine would start without its mirrors.
 */
final class ContainerdSchema {
    private static final Map<Long, Set<String>> PLUGINS = Map.of(
            2L, Set.of("io.containerd.grpc.v1.cri"),
            3L, Set.of("io.containerd.cri.v1.images", "io.containerd.cri.v1.runtime"));

    private ContainerdSchema() {}

    static List<FileFault> faults(TomlParseResult toml) {
        Long version = toml.isLong("version") ? toml.getLong("version") : null;
        if (version == null || !PLUGINS.containsKey(version)) {
            return List.of(new FileFault(1, "version is neither 2 nor 3"));
        }
        TomlTable plugins = toml.getTable("plugins");
        Set<String> found = plugins == null ? Set.of() : plugins.keySet();
        List<FileFault> faults = new ArrayList<>();
        PLUGINS.forEach((other, names) -> names.forEach(name -> {
            if (other.equals(version) != found.contains(name)) {
                faults.add(new FileFault(
                        1,
                        "version " + version + " " + (found.contains(name) ? "knows no" : "lacks") + " plugin "
                                + name));
            }
        }));
        return faults;
    }
}
