package io.osmhub.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** The files of one demo, deleted at its end: in the checkout's target folder if there is one, otherwise a temporary directory. */
final class Workspace implements AutoCloseable {
    private final Path folder;

    private Workspace(Path folder) {
        this.folder = folder;
    }

    /** Creates a folder readable only by its owner. {@code root} is the checkout; empty if none. */
    static Workspace create(String root) throws IOException {
        var ownerOnly = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
        Path target = Path.of(root).resolve("target");
        if (!root.isEmpty() && Files.isDirectory(target) && Files.isWritable(target)) {
            return new Workspace(Files.createTempDirectory(target, "demo-", ownerOnly));
        }
        return new Workspace(Files.createTempDirectory("osm-hub-demo-", ownerOnly));
    }

    /** Has a context per cluster. */
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

    /** The certificate of the API's authority. */
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
