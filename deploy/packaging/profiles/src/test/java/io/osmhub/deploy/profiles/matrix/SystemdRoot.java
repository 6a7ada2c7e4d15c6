package io.osmhub.deploy.profiles.matrix;

import io.osmhub.deploy.profiles.matrix.ValidatorPrograms.ProgramOutput;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A folder that systemd takes for the root of a machine: its own units, stubs for what packages bring, and one tree at a time. */
final class SystemdRoot {
    private static final Pattern IN_A_FILE = Pattern.compile("^(/\\S+?):(\\d+): (.*)$");
    // What the image or a package brings, or what is downloaded.
    private static final List<String> PROGRAMS = List.of(
            "/bin/sh",
            "/bin/bash",
            "/usr/bin/bash",
            "/usr/bin/sh",
            "/usr/bin/env",
            "/bin/systemctl",
            "/usr/bin/systemctl",
            "/usr/bin/containerd",
            "/usr/bin/kubelet",
            "/opt/bin/kubelet",
            "/usr/local/bin/kubelet",
            "/opt/bin/containerd");
    private static final List<String> UNITS = List.of(
            "containerd",
            "sshd",
            "ssh",
            "locksmithd",
            "update-engine",
            "NetworkManager",
            "cloud-init",
            "cloud-final",
            "dnf-automatic",
            "dnf-makecache");

    private final ValidatorPrograms programs;
    private final Path root;

    SystemdRoot(ValidatorPrograms programs, Path root) {
        this.programs = programs;
        this.root = root.toAbsolutePath();
        copy(programs.folder().resolve("root/lib/systemd/system"), this.root.resolve("lib/systemd/system"));
        PROGRAMS.forEach(program -> stub(program, "#!/bin/sh\n", true));
        UNITS.forEach(
                unit -> stub("/lib/systemd/system/" + unit + ".service", "[Service]\nExecStart=/bin/sh\n", false));
    }

    private void stub(String path, String content, boolean executable) {
        Validators.write(root.resolve(path.substring(1)), content, executable);
    }

    List<MatrixFinding> verify(MachineFileCorpus.UnitTree tree) {
        if (tree.units().isEmpty()) {
            return List.of();
        }
        List<Path> written = new ArrayList<>();
        tree.programs().stream()
                .filter(program -> !PROGRAMS.contains(program))
                .forEach(program -> written.add(add(program, "#!/bin/sh\n", true)));
        tree.units().forEach(unit -> written.add(add(unit.path(), unit.content(), false)));
        List<String> arguments =
                new ArrayList<>(List.of("verify", "--man=no", "--recursive-errors=one", "--root=" + root));
        tree.units().stream()
                .map(MachineFile::unit)
                // A template is read as one of its instances.
                .map(unit -> unit.replace("@.", "@containerd."))
                .distinct()
                .sorted()
                .forEach(arguments::add);
        ProgramOutput said = programs.run("systemd-analyze", arguments, "");
        List<MatrixFinding> findings = new ArrayList<>();
        for (String line : said.lines()) {
            Matcher place = IN_A_FILE.matcher(line);
            findings.add(
                    place.matches()
                            ? new MatrixFinding(
                                    tree.where(),
                                    place.group(1).replaceFirst("^" + Pattern.quote(root.toString()), ""),
                                    Integer.parseInt(place.group(2)),
                                    "systemd-analyze",
                                    place.group(3))
                            : new MatrixFinding(tree.where(), "", 0, "systemd-analyze", line));
        }
        if (said.code() != 0 && findings.isEmpty()) {
            findings.add(new MatrixFinding(tree.where(), "", 0, "systemd-analyze", "exit code " + said.code()));
        }
        written.forEach(SystemdRoot::delete);
        return findings;
    }

    private Path add(String path, String content, boolean executable) {
        Path file = root.resolve(path.substring(1));
        Validators.write(file, content, executable);
        return file;
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file); // a path may have been given in two forms
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void copy(Path from, Path to) {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Path copy = to.resolve(from.relativize(file).toString());
                if (Files.isDirectory(file) && !Files.isSymbolicLink(file)) {
                    Files.createDirectories(copy);
                } else {
                    Files.copy(file, copy, java.nio.file.LinkOption.NOFOLLOW_LINKS);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
