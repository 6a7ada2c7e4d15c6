package io.osmhub.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** The files of one demo: in the checkout's target folder where there is one, else among the user's temporary files. They go with the demo. */
final class Workspace implements AutoCloseable {
    private final Path folder;

    private Workspace(Path folder) {
        this.folder = folder;
    }

    /** Makes a folder that only its owner can read. {@code root} is the checkout; empty when there is none. */
    static Workspace create(String root) throws IOException {
        var ownerOnly = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
        Path target = Path.of(root).resolve("target");
        if (!root.isEmpty() && Files.isDirectory(target) && Files.isWritable(target)) {
            return new Workspace(Files.createTempDirectory(target, "demo-", ownerOnly));
        }
        return new Workspace(Files.createTempDirectory("osm-hub-demo-", ownerOnly));
    }

    /** With a context for each cluster. */
    Path kubeconfig() {
        return folder.resolve("kubeconfig");
    }

    /** The hub's configuration. */
    Path configuration() {
        return folder.resolve("hub.yaml");
    }

    /** A token for the hub's API. */
    Path token() {
        return folder.resolve("api-token");
    }

    /** The certificate of the authority that signed the API's. */
    Path authority() {
        return folder.resolve("ca.crt");
    }

    /** The hub's log. */
    Path log() {
        return folder.resolve("hub.log");
    }

    @Override
    public void close() throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        try (Stream<Path> all = Files.walk(folder)) {
            List<Path> deepestFirst = all.sorted(Comparator.reverseOrder()).toList();
            for (Path path : deepestFirst) {
                Files.deleteIfExists(path);
            }
        }
    }
}
