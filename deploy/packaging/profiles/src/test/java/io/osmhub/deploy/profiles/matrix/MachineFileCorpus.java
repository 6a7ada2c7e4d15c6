package io.osmhub.deploy.profiles.matrix;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** All that machines read, each distinct content once, as files that other programs take. */
final class MachineFileCorpus {
    /** What a file is, and so who checks it. */
    enum ArtifactKind {
        CLOUD_INIT("cloud-init", "yaml"),
        IGNITION("ignition", "ign"),
        SCRIPT("scripts", "sh"),
        KUBELET("kubelet", "yaml");

        private final String folder;
        private final String extension;

        ArtifactKind(String folder, String extension) {
            this.folder = folder;
            this.extension = extension;
        }
    }

    /**
     * One distinct content.
     *
     * @param file where it lies here
     * @param where the first combination that has it
     * @param path on the machine; empty for a document
     * @param variety what it is checked as: a shell, or a minor version of Kubernetes; empty for documents
     */
    record Artifact(Path file, String where, String path, String variety) {
        MatrixFinding finding(int line, String check, String message) {
            return new MatrixFinding(where, path, line, check, message);
        }
    }

    /** What a machine has after both documents, as far as units of systemd are concerned. */
    record UnitTree(String where, List<MachineFile> units, Set<String> programs) {}

    private final Path folder;
    private final Map<ArtifactKind, Map<String, Artifact>> artifacts = new EnumMap<>(ArtifactKind.class);
    private final Map<String, UnitTree> trees = new LinkedHashMap<>();
    private final Set<String> units = new TreeSet<>();

    MachineFileCorpus(Path folder) {
        this.folder = folder;
        for (ArtifactKind kind : ArtifactKind.values()) {
            artifacts.put(kind, new LinkedHashMap<>());
            try {
                Files.createDirectories(folder.resolve(kind.folder));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    void add(RenderMatrix.DocumentPair pair) {
        List<MachineFile> onMachine = new ArrayList<>();
        for (MachineDocument document : pair.both()) {
            String where = document.point().label() + ", " + document.phase().label();
            add(
                    document.isIgnition() ? ArtifactKind.IGNITION : ArtifactKind.CLOUD_INIT,
                    "",
                    document.text(),
                    where,
                    "");
            for (MachineFile file : document.files()) {
                add(document, file, where);
            }
            onMachine.addAll(document.files());
        }
        tree(pair.bootstrap().point().label(), onMachine);
    }

    private void add(MachineDocument document, MachineFile file, String where) {
        if (file.isScript()) {
            add(ArtifactKind.SCRIPT, file.shell(), file.content(), where, file.path());
        }
        if (file.isKubeletConfiguration()) {
            add(ArtifactKind.KUBELET, document.point().minor(), file.content(), where, file.path());
        }
    }

    /** Adds a content unless it is there. */
    Artifact add(ArtifactKind kind, String variety, String content, String where, String path) {
        Map<String, Artifact> known = artifacts.getOrDefault(kind, new TreeMap<>());
        return known.computeIfAbsent(variety + '\n' + content, key -> {
            Path file = folder.resolve(kind.folder)
                    .resolve("%05d.%s".formatted(known.size() + 1, kind.extension))
                    .toAbsolutePath();
            try {
                Files.write(file, content.getBytes(UTF_8));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return new Artifact(file, where, path, variety);
        });
    }

    private void tree(String where, List<MachineFile> onMachine) {
        Set<String> programs = new TreeSet<>();
        Map<String, MachineFile> parts = new TreeMap<>();
        for (MachineFile file : onMachine) {
            if (file.isUnit()) {
                parts.put(file.path(), file);
                units.add(file.path() + '\n' + file.content());
            } else if ((file.mode() & 0111) != 0) {
                programs.add(file.path());
            }
        }
        trees.computeIfAbsent(
                parts.values() + "\n" + programs,
                key -> new UnitTree(where, List.copyOf(parts.values()), Set.copyOf(programs)));
    }

    List<Artifact> all(ArtifactKind kind) {
        return List.copyOf(artifacts.getOrDefault(kind, Map.of()).values());
    }

    List<UnitTree> trees() {
        return List.copyOf(trees.values());
    }

    /** How many distinct units and drop-ins there are. */
    int units() {
        return units.size();
    }

    Path folder() {
        return folder;
    }
}
