package io.osmhub.bench.fleet;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a JVM's heap holds after a full collection, in bytes and objects, and the classes with the most of it. */
record LiveHeap(long bytes, long objects, List<OfClass> largest) {
    private static final int KEPT = 40;
    //    1:        123456        7890123  [B (java.base@25)
    private static final Pattern LINE = Pattern.compile("\\s*\\d+:\\s+(\\d+)\\s+(\\d+)\\s+(\\S+).*");
    private static final Pattern TOTAL = Pattern.compile("Total\\s+(\\d+)\\s+(\\d+)\\s*");

    /** All instances of one class. */
    record OfClass(String name, long bytes, long objects) {}

    /** Asks the process, which collects its garbage first. */
    static LiveHeap of(long pid) throws IOException, InterruptedException {
        return read(ask(pid, "GC.class_histogram"));
    }

    static LiveHeap read(String histogram) {
        List<OfClass> largest = new ArrayList<>();
        for (String line : histogram.lines().toList()) {
            Matcher ofClass = LINE.matcher(line);
            Matcher total = TOTAL.matcher(line);
            if (ofClass.matches() && largest.size() < KEPT) {
                largest.add(new OfClass(
                        ofClass.group(3), Long.parseLong(ofClass.group(2)), Long.parseLong(ofClass.group(1))));
            } else if (total.matches()) {
                return new LiveHeap(
                        Long.parseLong(total.group(2)), Long.parseLong(total.group(1)), List.copyOf(largest));
            }
        }
        throw new IllegalArgumentException("no total in the histogram");
    }

    /**
     * The answer of another JVM to one of {@code jcmd}'s commands. This process must not ask itself: it would stand still while it has to read the
     * answer.
     */
    static String ask(long pid, String... command) throws IOException, InterruptedException {
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
