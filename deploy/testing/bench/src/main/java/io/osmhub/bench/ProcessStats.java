package io.osmhub.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Linux's statistics of a process. Memory in bytes; {@code proportional} divides shared pages among processes. {@code processor} is
 * user and system time since its start.
 */
record ProcessStats(long resident, long peakResident, long proportional, int threads, Duration processor) {
    private static final Path PROC = Path.of("/proc");
    // USER_HZ is 100 on every architecture that Linux serves Java on.
    private static final long MILLIS_PER_TICK = 10;
    private static final int USER_TIME = 11;
    private static final int SYSTEM_TIME = 12;
    /** Address, permissions, offset, device, inode, file. */
    private static final int MAPPING_FIELDS = 6;

    private static final String ANONYMOUS = "anonymous";
    private static final String ESTABLISHED = "01";
    private static final String SOCKET = "socket:[";

    static ProcessStats of(long pid) throws IOException {
        Path process = PROC.resolve(Long.toString(pid));
        List<String> status = Files.readAllLines(process.resolve("status"));
        List<String> maps = Files.readAllLines(process.resolve("smaps_rollup"));
        return new ProcessStats(
                kilobytes(status, "VmRSS:"),
                kilobytes(status, "VmHWM:"),
                kilobytes(maps, "Pss:"),
                Math.toIntExact(number(status, "Threads:")),
                processorTime(Files.readString(process.resolve("stat"), StandardCharsets.ISO_8859_1)));
    }

    /** Resident memory in bytes by the name of the mapped file; {@code anonymous} without one. */
    static Map<String, Long> residentByFile(long pid) throws IOException {
        Map<String, Long> resident = new TreeMap<>();
        String file = ANONYMOUS;
        for (String line : Files.readAllLines(PROC.resolve(Long.toString(pid)).resolve("smaps"))) {
            String[] fields = line.strip().split("\\s+", MAPPING_FIELDS);
            if (fields[0].equals("Rss:")) {
                resident.merge(file, Long.parseLong(fields[1]) * 1024, Long::sum);
            } else if (!fields[0].endsWith(":")) {
                file = fields.length < MAPPING_FIELDS ? ANONYMOUS : fields[5].substring(fields[5].lastIndexOf('/') + 1);
            }
        }
        return resident;
    }

    /** Number of the process's connections to one of these ports. */
    static int connections(long pid, Set<Integer> ports) throws IOException {
        Path process = PROC.resolve(Long.toString(pid));
        Set<String> own = socketsOf(process);
        int count = 0;
        for (String table : List.of("tcp", "tcp6")) {
            try (Stream<String> lines = Files.lines(process.resolve("net").resolve(table))) {
                count += (int) lines.skip(1)
                        .filter(line -> isConnection(line, own, ports))
                        .count();
            }
        }
        return count;
    }

    /** A line of {@code /proc/net/tcp}: slot, local and remote address, state and so on; the socket's inode is the tenth. */
    static boolean isConnection(String line, Set<String> inodes, Set<Integer> remotePorts) {
        String[] fields = line.strip().split("\\s+");
        if (fields.length < 10 || !fields[3].equals(ESTABLISHED) || !inodes.contains(fields[9])) {
            return false;
        }
        int remotePort = Integer.parseInt(fields[2].substring(fields[2].indexOf(':') + 1), 16);
        return remotePorts.contains(remotePort);
    }

    /** Parses {@code /proc/PID/stat}, where the program's name may contain blanks and parentheses. */
    static Duration processorTime(String stat) {
        String[] afterName = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        long ticks = Long.parseLong(afterName[USER_TIME]) + Long.parseLong(afterName[SYSTEM_TIME]);
        return Duration.ofMillis(ticks * MILLIS_PER_TICK);
    }

    private static Set<String> socketsOf(Path process) throws IOException {
        Set<String> inodes = new HashSet<>();
        try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(process.resolve("fd"))) {
            for (Path descriptor : descriptors) {
                String target = target(descriptor);
                if (target.startsWith(SOCKET)) {
                    inodes.add(target.substring(SOCKET.length(), target.length() - 1));
                }
            }
        }
        return inodes;
    }

    /** Target of a descriptor; empty if it was closed meanwhile. */
    private static String target(Path descriptor) throws IOException {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (NoSuchFileException closedMeanwhile) {
            return "";
        }
    }

    private static long kilobytes(List<String> lines, String key) {
        return number(lines, key) * 1024;
    }

    private static long number(List<String> lines, String key) {
        return lines.stream()
                .filter(line -> line.startsWith(key))
                .map(line -> line.substring(key.length()).strip().split("\\s+")[0])
                .mapToLong(Long::parseLong)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("/proc has no " + key));
    }
}
