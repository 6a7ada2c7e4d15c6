package io.osmhub.deploy.profiles.matrix;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/** A check of a whole document; {@code label} is for messages. */
record DocumentCheck(String label, Function<MachineDocument, List<String>> faults) {
    static final List<DocumentCheck> ALL = List.of(
            new DocumentCheck("file given twice", DocumentCheck::duplicates),
            new DocumentCheck("size", DocumentCheck::size),
            new DocumentCheck("credential in a command line", DocumentCheck::commands));

    /** What every provider takes, and leaves room for what people add to a profile. */
    static final int BOOTSTRAP_BYTES = 4_096;

    List<String> faults(MachineDocument document) {
        return faults.apply(document);
    }

    private static List<String> duplicates(MachineDocument document) {
        Set<Path> seen = new HashSet<>();
        List<String> faults = new ArrayList<>();
        for (MachineFile file : document.files()) {
            if (!seen.add(Path.of(file.path()).normalize())) {
                faults.add(file.path());
            }
        }
        return faults;
    }

    /** The provider's own limit is held by the renderer, which refuses what is larger. */
    private static List<String> size(MachineDocument document) {
        int bytes = document.bytes();
        return document.phase() == MachineDocument.Phase.BOOTSTRAP && bytes > BOOTSTRAP_BYTES
                ? List.of(bytes + " bytes, " + BOOTSTRAP_BYTES + " at most")
                : List.of();
    }

    private static List<String> commands(MachineDocument document) {
        return document.commands().stream()
                .flatMap(command -> Stream.of(CanaryCredential.values())
                        .filter(canary -> canary.isIn(command))
                        .map(canary -> canary.name()))
                .toList();
    }
}
