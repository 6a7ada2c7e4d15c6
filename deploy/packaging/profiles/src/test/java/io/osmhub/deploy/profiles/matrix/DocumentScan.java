package io.osmhub.deploy.profiles.matrix;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** All that is found by reading documents alone. The same file in many documents is read once, for the first of them. */
final class DocumentScan {
    private final List<MatrixFinding> findings = new ArrayList<>();
    private final Set<Seen> seen = new HashSet<>();
    private int documents;
    private int largestBootstrap;
    private int files;

    private record Seen(MachineFile file, boolean airGapped) {}

    void read(RenderMatrix.DocumentPair pair) {
        pair.both().forEach(this::read);
        // Without them the other checks would have nothing to find.
        require(pair, "kubelet configuration", MachineFile::isKubeletConfiguration);
        require(pair, "containerd's configuration", MachineFile::isContainerdConfiguration);
        require(pair, "script", MachineFile::isScript);
        require(pair, "unit of systemd", MachineFile::isUnit);
    }

    private void require(RenderMatrix.DocumentPair pair, String what, java.util.function.Predicate<MachineFile> is) {
        if (pair.both().stream().flatMap(document -> document.files().stream()).noneMatch(is)) {
            findings.add(new MatrixFinding(pair.bootstrap().point().label(), "", 0, "completeness", "no " + what));
        }
    }

    private void read(MachineDocument document) {
        documents++;
        if (document.phase() == MachineDocument.Phase.BOOTSTRAP) {
            largestBootstrap = Math.max(largestBootstrap, document.bytes());
        }
        String where = document.point().label() + ", " + document.phase().label();
        for (DocumentCheck check : DocumentCheck.ALL) {
            check.faults(document)
                    .forEach(fault -> findings.add(new MatrixFinding(where, "", 0, check.label(), fault)));
        }
        for (MachineFile file : document.files()) {
            files++;
            if (!seen.add(new Seen(file, document.point().variant().airGapped()))) {
                continue;
            }
            for (FileCheck check : FileCheck.ALL) {
                check.faults(document.point(), file)
                        .forEach(fault -> findings.add(
                                new MatrixFinding(where, file.path(), fault.line(), check.label(), fault.message())));
            }
        }
    }

    int documents() {
        return documents;
    }

    int files() {
        return files;
    }

    int distinctFiles() {
        return seen.size();
    }

    /** Bytes of the largest bootstrap document. */
    int largestBootstrap() {
        return largestBootstrap;
    }

    List<MatrixFinding> findings() {
        return List.copyOf(findings);
    }
}
