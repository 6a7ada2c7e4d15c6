package io.osmhub.workbench;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.osmhub.core.corpus.PipelineCase;
import io.osmhub.core.corpus.PipelineResult;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Compares edge scripts by what they do, because ours is another text than the peer's: which secret is fetched with which token,
 * which file cloud-init gets, which units are started. The peer's script is read, ours is run with pretended tools.
 */
final class EdgeBehaviour {
    private static final String SCRIPT = "edge-script.txt";
    private static final String DOCUMENT = "#cloud-config\nhostname: edge\n";
    private static final int SECONDS = 30;

    private static final Pattern FETCH = Pattern.compile("'Authorization: Bearer (\\S*)'\\s+(https://\\S+)");
    private static final Pattern FILE = Pattern.compile("--file (/etc/\\S+)");
    private static final Pattern UNIT = Pattern.compile("systemctl (?:enable|restart) \\S+");

    private EdgeBehaviour() {}

    private record Behaviour(String token, String url, String file, List<String> units) {}

    /** What our script does otherwise than the wanted one; nothing when the case has no script. */
    static List<String> differences(PipelineCase test, PipelineResult result) {
        String want = test.wanted().get(SCRIPT);
        String got = result.files().get(SCRIPT);
        if (want == null || got == null || want.equals(got)) {
            return List.of();
        }
        if (!Files.isExecutable(Path.of("/bin/sh"))) {
            return List.of(SCRIPT + ": cannot be tried out, there is no /bin/sh");
        }
        Behaviour wanted = read(want);
        if (wanted == null) {
            return List.of(SCRIPT + ": the wanted one is not a script that the peer generates");
        }
        Behaviour ours;
        try {
            ours = run(got);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
        return wanted.equals(ours) ? List.of() : List.of(SCRIPT + ": wanted " + wanted + ", ours did " + ours);
    }

    private static @Nullable Behaviour read(String script) {
        Matcher fetch = FETCH.matcher(script);
        Matcher file = FILE.matcher(script);
        if (!fetch.find() || !file.find()) {
            return null;
        }
        List<String> units =
                UNIT.matcher(script).results().map(unit -> unit.group()).toList();
        return new Behaviour(fetch.group(1), fetch.group(2), file.group(1), units);
    }

    private static Behaviour run(String script) throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("osm-hub-edge");
        try {
            Files.writeString(folder.resolve("script"), script);
            tool(folder, "curl", "cp curl.conf \"$NOTES/curl.conf\"; cat \"$NOTES/answer\"");
            tool(folder, "cloud-init", "case $1 in --version) echo 'cloud-init 24.1' ;; esac");
            tool(folder, "systemctl", "");
            tool(folder, "sleep", "");
            String value = Base64.getEncoder().encodeToString(DOCUMENT.getBytes(UTF_8));
            Files.writeString(folder.resolve("answer"), "{\"data\": {\"cloud-config\": \"" + value + "\"}}");
            ProcessBuilder builder = new ProcessBuilder(
                            "/bin/sh", folder.resolve("script").toString())
                    .redirectErrorStream(true)
                    .redirectOutput(folder.resolve("output").toFile());
            Map<String, String> environment = builder.environment();
            environment.put("PATH", folder + ":/usr/bin:/bin");
            environment.put("NOTES", folder.toString());
            environment.put("OSM_HUB_ROOT", folder.resolve("root").toString());
            environment.put("OSM_HUB_ATTEMPTS", "1");
            environment.put("TMPDIR", folder.toString());
            Process process = builder.start();
            if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IllegalStateException("our script still runs after " + SECONDS + " s");
            }
            return noted(folder);
        } finally {
            delete(folder);
        }
    }

    private static void tool(Path folder, String name, String body) throws IOException {
        Path tool = folder.resolve(name);
        Files.writeString(tool, "#!/bin/sh\necho \"" + name + " $*\" >>\"$NOTES/calls\"\n" + body + "\n");
        Files.setPosixFilePermissions(tool, PosixFilePermissions.fromString("rwx------"));
    }

    private static Behaviour noted(Path folder) throws IOException {
        String token = "";
        String url = "";
        String file = "";
        List<String> units = new ArrayList<>();
        Path configuration = folder.resolve("curl.conf");
        if (Files.exists(configuration)) {
            Matcher header = Pattern.compile("Bearer (.*)\"").matcher(Files.readString(configuration));
            token = header.find() ? header.group(1).replace("\\\"", "\"").replace("\\\\", "\\") : "";
        }
        Path calls = folder.resolve("calls");
        for (String call : Files.exists(calls) ? Files.readAllLines(calls) : List.<String>of()) {
            if (call.startsWith("curl ")) {
                url = call.substring(call.lastIndexOf(' ') + 1);
            } else if (call.contains("--file ")) {
                Path given = Path.of(call.substring(call.indexOf("--file ") + "--file ".length()));
                boolean right = Files.exists(given) && Files.readString(given).equals(DOCUMENT);
                file = right ? "/" + folder.resolve("root").relativize(given) : "(another document)";
            } else if (UNIT.matcher(call).matches()) {
                units.add(call);
            }
        }
        return new Behaviour(token, url, file, units);
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
