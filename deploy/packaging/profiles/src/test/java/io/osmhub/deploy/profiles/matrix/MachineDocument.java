package io.osmhub.deploy.profiles.matrix;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.List;

/**
 * A user-data document as a machine reads it.
 *
 * @param utility {@code cloud-init} or {@code ignition}
 * @param files with the units of systemd, wherever the document has them
 * @param commands that are run when all files are there
 */
record MachineDocument(
        ProfileCombination point,
        Phase phase,
        String utility,
        String text,
        List<MachineFile> files,
        List<String> commands) {
    /** When a machine gets the document. */
    enum Phase {
        BOOTSTRAP,
        PROVISIONING;

        /** For people. */
        String label() {
            return name().toLowerCase(java.util.Locale.ROOT);
        }
    }

    MachineDocument {
        files = List.copyOf(files);
        commands = List.copyOf(commands);
    }

    boolean isIgnition() {
        return utility.equals("ignition");
    }

    int bytes() {
        return text.getBytes(UTF_8).length;
    }

    /** Name of the machine in place of what stands for it, as machine-controller puts it there. */
    static String withMachineName(String text) {
        return text.replace("<MACHINE_NAME>", "shop-workers-6d4f9c7b8-x2x7q");
    }
}
