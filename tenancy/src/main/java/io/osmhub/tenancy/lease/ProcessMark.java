package io.osmhub.tenancy.lease;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Identifies a process of a pod, so that its successor in the pod can prove that it has ended: boot of the node, namespace of
 * process ids (one for each start of a container, unless containers share it), process id, and start in clock ticks, because an
 * id may be used again. Linux only.
 */
final class ProcessMark {
    private static final Path PROC = Path.of("/proc");
    /** Field {@code starttime} of {@code /proc/PID/stat}, counted after the command, which may contain blanks. */
    private static final int START = 20;

    private ProcessMark() {}

    /** Of this process; empty where the system does not provide it. */
    static String current() {
        try {
            String pid = Long.toString(ProcessHandle.current().pid());
            return Files.readString(PROC.resolve("sys/kernel/random/boot_id"), UTF_8)
                            .strip()
                    + " " + Files.readSymbolicLink(PROC.resolve("self/ns/pid")) + " " + pid + " " + start(pid);
        } catch (IOException e) {
            return "";
        }
    }

    /** Whether the process of a mark of this pod, so on this node, has certainly ended; false for an invalid mark. */
    static boolean hasEnded(String mark, String current) {
        String[] earlier = mark.split(" ", -1);
        String[] own = current.split(" ", -1);
        if (earlier.length != 4 || own.length != 4 || !earlier[2].matches("[0-9]+")) {
            return false;
        }
        if (!earlier[0].equals(own[0])) {
            return true;
        }
        // In another namespace its process is not visible. But the first process of a container has ended before that
        // of
        // the next start of the container begins.
        return earlier[1].equals(own[1])
                ? !start(earlier[2]).equals(earlier[3])
                : earlier[2].equals("1") && own[2].equals("1");
    }

    /** Empty if the process does not exist. */
    private static String start(String pid) {
        try {
            String stat = Files.readString(PROC.resolve(pid + "/stat"), UTF_8);
            return stat.substring(stat.lastIndexOf(')') + 1).split(" ", -1)[START];
        } catch (IOException e) {
            return "";
        }
    }
}
