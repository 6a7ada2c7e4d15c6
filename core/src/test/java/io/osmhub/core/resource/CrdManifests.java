package io.osmhub.core.resource;

import io.osmhub.core.osc.OperatingSystemConfigResource;
import io.osmhub.core.osp.OperatingSystemProfileResource;
import io.osmhub.core.workercluster.WorkerCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Writes deploy/packaging/manifests/crds from the annotated records. Runs with the tests because it needs files, which core has
 * nothing to do with.
 */
public final class CrdManifests {
    static final List<CustomResourceDefinition> ALL = List.of(
            WorkerCluster.definition(),
            OperatingSystemProfileResource.definition(),
            OperatingSystemConfigResource.definition());

    private static final String HEADER =
            "# Generated from the records of core; do not edit. See docs/adr/0002-crds-from-code.md.\n";

    private CrdManifests() {}

    /** Takes the root of the checkout. */
    public static void main(String[] args) throws IOException {
        writeBelow(Path.of(args[0]));
    }

    static void writeBelow(Path root) throws IOException {
        for (CustomResourceDefinition definition : ALL) {
            Files.createDirectories(file(root, definition).getParent());
            Files.writeString(file(root, definition), text(definition));
        }
    }

    static Path file(Path root, CustomResourceDefinition definition) {
        return root.resolve("deploy/packaging/manifests/crds").resolve(definition.name() + ".yaml");
    }

    static String text(CustomResourceDefinition definition) {
        return HEADER + YamlText.write(definition.manifest());
    }
}
