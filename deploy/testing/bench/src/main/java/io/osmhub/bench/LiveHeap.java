package io.osmhub.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A JVM's heap after a full collection, in bytes and objects, and its largest classes. */
record LiveHeap(long bytes, long objects, List<ClassUsage> largest) {
    private static final int KEPT = 40;
    //    1:        123456        7890123  [B (java.base@25)
    private static final Pattern LINE = Pattern.compile("\\s*\\d+:\\s+(\\d+)\\s+(\\d+)\\s+(\\S+).*");
    private static final Pattern TOTAL = Pattern.compile("Total\\s+(\\d+)\\s+(\\d+)\\s*");

    /** All instances of one class. */
    record ClassUsage(String name, long bytes, long objects) {}

    /** Triggers a full collection in the process. */
    static LiveHeap of(long pid) throws IOException, InterruptedException {
        return read(runJcmd(pid, "GC.class_histogram"));
    }

    static LiveHeap read(String histogram) {
        List<ClassUsage> largest = new ArrayList<>();
        for (String line : histogram.lines().toList()) {
            Matcher ofClass = LINE.matcher(line);
            Matcher total = TOTAL.matcher(line);
            if (ofClass.matches() && largest.size() < KEPT) {
                largest.add(new ClassUsage(
                        ofClass.group(3), Long.parseLong(ofClass.group(2)), Long.parseLong(ofClass.group(1))));
            } else if (total.matches()) {
                return new LiveHeap(
                        Long.parseLong(total.group(2)), Long.parseLong(total.group(1)), List.copyOf(largest));
            }
        }
        throw new IllegalArgumentException("no total in the histogram");
    }

    /** Runs a {@code jcmd} command in another JVM. Not for this process: it would be suspended while it must read the output. */
    static String runJcmd(long pid, String... command) throws IOException, InterruptedException {
        List<String> line = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(), Long.toString(pid)));
        line.addAll(List.of(command));
        Process jcmd = new ProcessBuilder(line).redirectErrorStream(true).start();
        String answer = new String(jcmd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!jcmd.waitFor(1, TimeUnit.MINUTES) || jcmd.exitValue() != 0) {
            jcmd.destroyForcibly();
            throw new IOException(String.join(" ", line) + ": " + answer.strip());
        }
        return answer;
    }
}
