package io.osmhub.deploy.fleet;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Writes files atomically: none is moved into place before all are on disk. Files with secrets are readable only by their owner
 * from the start.
 */
public final class OutputDirectory {
    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rw-------");
    private static final Set<PosixFilePermission> WORLD_READABLE = PosixFilePermissions.fromString("rw-r--r--");

    private final Path directory;

    public OutputDirectory(Path directory) {
        this.directory = directory;
    }

    /**
     * Writes all files, or none.
     *
     * @throws CommandFailure if the directory is not writable
     */
    public void write(List<OutputFile> files) {
        try {
            writeAll(files);
        } catch (IOException e) {
            throw CommandFailure.unusable("cannot write to " + directory + " ("
                    + e.getClass().getSimpleName()
                    + "); check that it is a directory with write permission and free space");
        }
    }

    private void writeAll(List<OutputFile> files) throws IOException {
        Files.createDirectories(directory);
        Map<Path, Path> moves = new LinkedHashMap<>();
        try {
            for (OutputFile file : files) {
                Path temporary = Files.createTempFile(directory, "." + file.name() + ".", ".tmp", permissions(file));
                moves.put(temporary, directory.resolve(file.name()));
                Files.write(temporary, file.bytes());
            }
            for (Map.Entry<Path, Path> move : moves.entrySet()) {
                move(move.getKey(), move.getValue());
            }
        } finally {
            for (Path temporary : moves.keySet()) {
                Files.deleteIfExists(temporary);
            }
        }
    }

    private FileAttribute<?>[] permissions(OutputFile file) {
        if (!directory.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            return new FileAttribute<?>[0];
        }
        return new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(file.secret() ? OWNER_ONLY : WORLD_READABLE)
        };
    }

    private static void move(Path from, Path to) throws IOException {
        try {
            Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
        } catch (AtomicMoveNotSupportedException e) {
            Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
        }
    }

    /**
     * A result file.
     *
     * @param secret whether only the owner may read the file
     * @param limit usage of the cloud provider's limit, for example {@code 16,032 B after gzip, 98 % of 16,384 B (aws)}; empty if none
     */
    public record OutputFile(String name, String text, boolean secret, String limit) {
        @Override
        public String toString() {
            return "OutputFile[" + name + "]";
        }

        public byte[] bytes() {
            return text.getBytes(UTF_8);
        }
    }
}
