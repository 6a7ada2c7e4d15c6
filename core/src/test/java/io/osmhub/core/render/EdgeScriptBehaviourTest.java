package io.osmhub.core.render;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.osmhub.core.corpus.OsmFixtures;
import io.osmhub.core.corpus.PipelineCase;
import io.osmhub.core.corpus.PipelineCorpus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The edge script does what OSM's does, though its text is our own: both are run with pretended tools, and what they
 * asked for, wrote and started is compared.
 */
class EdgeScriptBehaviourTest {
    private static final String DOCUMENT = "#cloud-config\nhostname: edge\nruncmd:\n- echo 'ä'\n";
    private static final Pattern AUTHORIZATION = Pattern.compile("Authorization: Bearer ([^'\"\\s]*)");

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it.
    private Path folder;

    /**
     * What a script did.
     *
     * @param url that was asked for
     * @param token that was shown there
     * @param files that were written, by path, with their content
     * @param cloudInitFile that cloud-init was given
     * @param services what was done to them, in order
     */
    private record Behaviour(
            String url, String token, Map<String, String> files, String cloudInitFile, List<String> services) {}

    @Test
    void asksWritesAndStartsWhatThePeersScriptDoes() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/bin/sh")), "skipped: no /bin/sh");
        PipelineCorpus corpus = OsmFixtures.all();
        List<String> compared = new ArrayList<>();

        for (String name : corpus.names()) {
            if (name.startsWith("defect-")) {
                continue;
            }
            PipelineCase test = corpus.read(name);
            String peers = test.wanted().get("edge-script.txt");
            String ours = corpus.run(test).files().get("edge-script.txt");
            assertThat(ours == null).as(name).isEqualTo(peers == null);
            if (peers != null && ours != null) {
                Behaviour ofPeers = run(name + "-peer", peers);
                assertThat(run(name + "-hub", ours)).as(name).isEqualTo(ofPeers);
                assertThat(ofPeers.files()).as(name).containsValue(DOCUMENT);
                compared.add(name);
            }
        }

        assertThat(compared).isNotEmpty();
    }

    private Behaviour run(String name, String script) throws IOException, InterruptedException {
        Path home = Files.createDirectories(folder.resolve(name));
        Path root = Files.createDirectories(home.resolve("root"));
        Files.createDirectories(root.resolve("etc/cloud/cloud.cfg.d"));
        tools(home);
        Path file = home.resolve("script");
        // OSM's script knows one place only.
        Files.writeString(
                file,
                script.replace("> /etc/", "> " + root + "/etc/").replace("--file /etc/", "--file " + root + "/etc/"));
        ProcessBuilder builder = new ProcessBuilder("/bin/sh", file.toString())
                .redirectErrorStream(true)
                .redirectOutput(home.resolve("output").toFile());
        builder.environment().put("PATH", home.resolve("tools") + ":/usr/bin:/bin");
        builder.environment().put("NOTES", home.toString());
        builder.environment().put("OSM_HUB_ROOT", root.toString());
        builder.environment()
                .put("TMPDIR", Files.createDirectories(home.resolve("tmp")).toString());
        Process process = builder.start();
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        return behaviour(home, root);
    }

    private static void tools(Path home) throws IOException {
        String answer = "{\"kind\":\"Secret\",\"data\":{\"cloud-config\":\""
                + Base64.getEncoder().encodeToString(DOCUMENT.getBytes(UTF_8)) + "\"}}\n";
        Files.writeString(home.resolve("answer"), answer);
        tool(home, "curl", "cat curl.conf >>\"$NOTES/calls\" 2>/dev/null\ncat \"$NOTES/answer\"\n");
        tool(home, "jq", "sed 's/.*\"cloud-config\":\"\\([^\"]*\\)\".*/\\1/'\n");
        tool(home, "cloud-init", "case $1 in --version) echo 'cloud-init 23.4' ;; esac\n");
        for (String name : List.of("apt-get", "systemctl", "sleep")) {
            tool(home, name, "");
        }
    }

    private static void tool(Path home, String name, String body) throws IOException {
        Path tool = Files.createDirectories(home.resolve("tools")).resolve(name);
        Files.writeString(tool, "#!/bin/sh\necho \"" + name + " $*\" >>\"$NOTES/calls\"\n" + body);
        Files.setPosixFilePermissions(tool, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private static Behaviour behaviour(Path home, Path root) throws IOException {
        List<String> calls = Files.readAllLines(home.resolve("calls"));
        String url = "";
        String cloudInitFile = "";
        List<String> services = new ArrayList<>();
        for (String call : calls) {
            if (call.startsWith("curl ")) {
                url = call.substring(call.lastIndexOf(' ') + 1);
            } else if (call.matches("systemctl (enable|restart) .*")) {
                services.add(call);
            } else if (call.startsWith("cloud-init ") && call.contains(" --file ")) {
                assertThat(call).contains(" init");
                cloudInitFile = call.replaceFirst(".* --file (\\S+).*", "$1").replace(root.toString(), "");
            }
        }
        Matcher authorization = AUTHORIZATION.matcher(String.join("\n", calls));
        String token = authorization.find() ? authorization.group(1) : "";
        return new Behaviour(url, token, files(root), cloudInitFile, services);
    }

    private static Map<String, String> files(Path root) throws IOException {
        Map<String, String> files = new TreeMap<>();
        try (Stream<Path> all = Files.walk(root)) {
            for (Path file : all.filter(Files::isRegularFile).toList()) {
                files.put(Objects.toString(root.relativize(file)), Files.readString(file));
            }
        }
        return files;
    }
}
