package io.osmhub.e2e.node;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** One machine: its root folder, which stays from one boot to the next. */
public final class NodeMachine {
    private static final Path SOURCES = Path.of(System.getProperty("osmhub.root", "../../.."))
            .toAbsolutePath()
            .resolve("deploy/testing/e2e/node");
    // Programs called by bootstrap scripts; their command lines are recorded.
    private static final List<String> WITNESSED = List.of(
            "curl",
            "wget",
            "sed",
            "grep",
            "awk",
            "base64",
            "cat",
            "cut",
            "head",
            "jq",
            "mv",
            "cp",
            "tee",
            "touch",
            "install",
            "chmod",
            "cloud-init",
            "python3",
            "apt-get");

    // Pauses are short, so anything slower hangs.
    private static final Duration LIMIT = Duration.ofMinutes(3);

    private final Path root;
    private final Path log;

    private NodeMachine(Path root, Path log) {
        this.root = root;
        this.log = log;
    }

    /** Why there can be no machine here; empty when there can. */
    public static String unavailableReason() {
        CommandOutput said = run(
                List.of("unshare", "--mount", "--pid", "--net", "--uts", "--ipc", "--fork", "true"),
                Path.of("/dev/null"));
        return said.code() == 0
                ? ""
                : "cannot create namespaces: " + said.output().strip();
    }

    /** What a program printed. */
    public record CommandOutput(int code, String output) {}

    /** A new machine with Debian on it and nothing else. */
    public static NodeMachine unpack(Path folder, String name) {
        try {
            Path root = Files.createDirectories(folder.resolve(name));
            CommandOutput archive = run(List.of(SOURCES.resolve("root").toString()), Path.of("/dev/null"));
            if (archive.code() != 0) {
                throw new IllegalStateException(archive.output());
            }
            required(List.of("tar", "-xf", archive.output().lines().toList().getLast(), "-C", root.toString()));
            required(List.of("cp", "-a", SOURCES.resolve("machine") + "/.", root.toString()));
            NodeMachine machine = new NodeMachine(root, folder.resolve(name + ".log"));
            for (String program : WITNESSED) {
                if (Files.exists(root.resolve("usr/bin").resolve(program), LinkOption.NOFOLLOW_LINKS)) {
                    Files.createSymbolicLink(
                            root.resolve("usr/local/bin").resolve(program), Path.of("../lib/machine/witness"));
                }
            }
            Files.createDirectories(root.resolve("var/log/machine"));
            Files.createDirectories(root.resolve("var/lib/machine/keep"));
            machine.write("/etc/hosts", "127.0.0.1 localhost\n127.0.1.1 node-1.example.internal node-1\n", "rw-r--r--");
            // An address for documentation, to which no way leads.
            machine.write("/etc/resolv.conf", "nameserver 192.0.2.53\noptions timeout:1 attempts:1\n", "rw-r--r--");
            return machine;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Puts stand-ins of a node's programs where an image for an air-gapped cluster has the programs. */
    public void installNodePrograms() {
        required(List.of("cp", "-a", SOURCES.resolve("image") + "/.", root.toString()));
    }

    /** Keeps systemd's stand-in from starting a unit. */
    public void maskUnit(String unit) {
        write("/var/lib/machine/keep/" + unit, "", "rw-------");
    }

    /** Lets it start the unit again. */
    public void unmaskUnit(String unit) {
        try {
            Files.delete(root.resolve("var/lib/machine/keep").resolve(unit));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Puts the user-data where the machine finds it. */
    public void userData(String text) {
        write("/var/lib/user-data.yaml", text, "rw-------");
    }

    /** Writes a file of the machine. */
    public void write(String path, String text, String permissions) {
        Path file = root.resolve(path.substring(1));
        try {
            Files.createDirectories(file.getParent());
            Files.writeString(file, text);
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Runs a command on the machine, in namespaces made for it; returns its exit code when all it started has ended. */
    public int run(Relay relay, int port, String... command) {
        List<String> whole = new ArrayList<>(List.of(
                SOURCES.resolve("enter").toString(),
                root.toString(),
                relay.folder().toString(),
                String.valueOf(port)));
        whole.addAll(List.of(command));
        return run(whole, log).code();
    }

    /** Takes its files away; what it printed stays. */
    public void remove() {
        required(List.of("rm", "-rf", "--one-file-system", root.toString()));
    }

    /** All that was printed on the machine so far. */
    public String consoleOutput() {
        try {
            return Files.exists(log) ? Files.readString(log) : "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public boolean has(String path) {
        return Files.exists(root.resolve(path.substring(1)), LinkOption.NOFOLLOW_LINKS);
    }

    /** Content of a file; empty when there is none. */
    public String read(String path) {
        try {
            Path file = root.resolve(path.substring(1));
            return Files.exists(file) ? new String(Files.readAllBytes(file), UTF_8) : "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** {@code rw-r--r--} of a file. */
    public String permissions(String path) {
        try {
            return PosixFilePermissions.toString(Files.getPosixFilePermissions(root.resolve(path.substring(1))));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** How many packets of the last run had no way. */
    public int unroutedPackets() {
        return Integer.parseInt(read("/var/log/machine/no-route").strip());
    }

    /** Permissions and content of every file below these folders, by path. */
    public SortedMap<String, String> snapshot(String... folders) {
        SortedMap<String, String> found = new TreeMap<>();
        for (String folder : folders) {
            for (Path file : files(root.resolve(folder.substring(1)))) {
                String path = "/" + root.relativize(file);
                found.put(path, permissions(path) + "\n" + read(path));
            }
        }
        return found;
    }

    /** World-readable text files, except the test's own records. */
    public List<String> readableByAllWith(String text) {
        List<String> found = new ArrayList<>();
        for (String folder : List.of("etc", "opt", "run", "tmp", "var", "root", "boot", "home", "srv", "usr/local")) {
            for (Path file : files(root.resolve(folder))) {
                String path = "/" + root.relativize(file);
                try {
                    Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file);
                    if (!path.startsWith("/var/log/machine/")
                            && permissions.contains(PosixFilePermission.OTHERS_READ)
                            && new String(Files.readAllBytes(file), java.nio.charset.StandardCharsets.ISO_8859_1)
                                    .contains(text)) {
                        found.add(path);
                    }
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        }
        return found;
    }

    private static List<Path> files(Path folder) {
        if (!Files.exists(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void required(List<String> command) {
        CommandOutput said = run(command, Path.of("/dev/null"));
        if (said.code() != 0) {
            throw new IllegalStateException(String.join(" ", command) + ": " + said.output());
        }
    }

    /** With {@code /dev/null} in place of a log, what is printed comes back. */
    private static CommandOutput run(List<String> command, Path log) {
        boolean returned = log.equals(Path.of("/dev/null"));
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectInput(Path.of("/dev/null").toFile());
        if (!returned) {
            builder.redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        }
        try {
            Process process = builder.start();
            Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
            String output = returned ? new String(process.getInputStream().readAllBytes(), UTF_8) : "";
            if (!process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
                // All that it started ends with it.
                process.destroyForcibly();
                throw new AssertionError(
                        "still running after " + LIMIT + ": " + String.join(" ", command) + "; see " + log);
            }
            return new CommandOutput(process.exitValue(), output);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }
}
