package io.osmhub.deploy.profiles.matrix;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.osmhub.deploy.profiles.matrix.MachineFileCorpus.Artifact;
import io.osmhub.deploy.profiles.matrix.ValidatorPrograms.ProgramOutput;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Asks the programs that read these files on a machine, or that know their languages best. */
final class Validators {
    private static final Pattern SHELLCHECK = Pattern.compile("^(.*?):(\\d+):\\d+: (.*)$");
    private static final Pattern SHELL = Pattern.compile("^.*?: (?:line )?(\\d+): (.*)$");
    // A command line holds more, but one process for each hundred costs nothing.
    private static final int SCRIPTS_AT_ONCE = 100;

    // A script reads files that only the machine has, /etc/os-release for example.
    private static final String FILES_OF_THE_MACHINE = "--exclude=SC1091";

    private final ValidatorPrograms programs;
    private final Path folder;

    /** @param folder for what has to be written down */
    Validators(ValidatorPrograms programs, Path folder) {
        this.programs = programs;
        this.folder = folder;
    }

    List<MatrixFinding> cloudInit(List<Artifact> documents) {
        return lineByLine("cloud-init-schema", "cloud-init schema", documents, artifact -> artifact.file()
                .toString());
    }

    /** The kubelet's own types, of the version at hand. */
    List<MatrixFinding> kubelet(List<Artifact> configurations) {
        return lineByLine(
                "checker",
                "KubeletConfiguration",
                configurations,
                artifact -> artifact.variety() + "\t" + artifact.file());
    }

    /** Ignition's reader of version 2.3.0, and that of version 3 after the upgrade that Flatcar makes. */
    List<MatrixFinding> ignition(List<Artifact> documents) {
        List<MatrixFinding> findings = new ArrayList<>(
                lineByLine("checker", "Ignition 2.3", documents, artifact -> "ignition\t" + artifact.file()));
        for (Artifact document : documents) {
            try {
                Path upgraded = document.file().resolveSibling(document.file().getFileName() + ".3");
                Files.writeString(upgraded, IgnitionUpgrade.of(Files.readString(document.file())));
                ProgramOutput said = programs.run("ignition-validate", List.of(upgraded.toString()), "");
                said.lines().forEach(line -> findings.add(document.finding(0, "ignition-validate", line)));
                if (said.code() != 0 && said.lines().isEmpty()) {
                    findings.add(document.finding(0, "ignition-validate", "exit code " + said.code()));
                }
            } catch (IllegalArgumentException e) {
                findings.add(document.finding(0, "ignition-validate", String.valueOf(e.getMessage())));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return findings;
    }

    List<MatrixFinding> shell(List<Artifact> scripts) {
        List<MatrixFinding> findings = new ArrayList<>();
        Map<String, Artifact> byFile = byFile(scripts);
        for (Artifact script : scripts) {
            ProgramOutput said = ValidatorPrograms.run(
                    List.of(script.variety(), "-n", script.file().toString()), "");
            for (String line : said.lines()) {
                Matcher place = SHELL.matcher(line);
                findings.add(
                        place.matches()
                                ? script.finding(
                                        Integer.parseInt(place.group(1)), script.variety() + " -n", place.group(2))
                                : script.finding(0, script.variety() + " -n", line));
            }
            if (said.code() != 0 && said.lines().isEmpty()) {
                findings.add(script.finding(0, script.variety() + " -n", "exit code " + said.code()));
            }
        }
        for (int from = 0; from < scripts.size(); from += SCRIPTS_AT_ONCE) {
            List<String> arguments = new ArrayList<>(List.of("--format=gcc", "--norc", FILES_OF_THE_MACHINE));
            scripts.subList(from, Math.min(scripts.size(), from + SCRIPTS_AT_ONCE))
                    .forEach(script -> arguments.add(script.file().toString()));
            ProgramOutput said = programs.run("shellcheck", arguments, "");
            for (String line : said.lines()) {
                Matcher place = SHELLCHECK.matcher(line);
                if (!place.matches()) {
                    throw new IllegalStateException("shellcheck: " + line);
                }
                findings.add(known(byFile, place.group(1))
                        .finding(Integer.parseInt(place.group(2)), "shellcheck", place.group(3)));
            }
            if (said.code() > 1) {
                throw new IllegalStateException("shellcheck ended with " + said.code());
            }
        }
        return findings;
    }

    /** The units of a machine, with what its image brings in stubs. */
    List<MatrixFinding> units(List<MachineFileCorpus.UnitTree> trees) {
        SystemdRoot root = new SystemdRoot(programs, folder.resolve("root"));
        return trees.stream().flatMap(tree -> root.verify(tree).stream()).toList();
    }

    private interface Line {
        String of(Artifact artifact);
    }

    /** A program that takes a line for each file, and answers with {@code ...FILE<TAB>MESSAGE} and a last line with their number. */
    private List<MatrixFinding> lineByLine(String program, String check, List<Artifact> artifacts, Line line) {
        String input =
                artifacts.stream().map(artifact -> line.of(artifact) + "\n").collect(Collectors.joining());
        ProgramOutput said = programs.run(program, List.of(), input);
        List<String> lines = new ArrayList<>(said.lines());
        if (said.code() != 0 || lines.isEmpty() || !lines.removeLast().startsWith("checked\t" + artifacts.size())) {
            throw new IllegalStateException(program + " ended with " + said.code() + ": " + said.output());
        }
        Map<String, Artifact> byFile = byFile(artifacts);
        return lines.stream()
                .map(found -> {
                    String[] parts = found.split("\t");
                    return known(byFile, parts[parts.length - 2]).finding(0, check, parts[parts.length - 1]);
                })
                .toList();
    }

    private static Map<String, Artifact> byFile(List<Artifact> artifacts) {
        Map<String, Artifact> byFile = new HashMap<>();
        artifacts.forEach(artifact -> byFile.put(artifact.file().toString(), artifact));
        return byFile;
    }

    private static Artifact known(Map<String, Artifact> byFile, String file) {
        Artifact artifact = byFile.get(file);
        if (artifact == null) {
            throw new IllegalStateException("a finding of a file that was not given: " + file);
        }
        return artifact;
    }

    /** A file of a folder, with what is above it. */
    static void write(Path file, String content, boolean executable) {
        try {
            Files.createDirectories(file.getParent());
            Files.write(file, content.getBytes(UTF_8));
            if (executable && !file.toFile().setExecutable(true)) {
                throw new IOException(file + " cannot be made executable");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
