package io.osmhub.deploy.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;

/**
 * Runs the common verbs once without output. The launcher records this run for the class cache, so that later starts load
 * classes faster.
 */
@Command(name = "warm-up", hidden = true, description = "Run the common verbs to record the class cache.")
final class WarmUpCommand implements Callable<Integer> {
    private static final String UNREACHABLE_SERVER = "http://127.0.0.1:1";

    private static final List<List<String>> VERBS = List.of(
            List.of("--help"),
            List.of("help", "render"),
            List.of("version"),
            List.of("completion", "bash"),
            List.of("no-such-verb"),
            List.of("lint", "-"),
            List.of("explain", "settings", "clusterDNS"),
            List.of("explain", "reason", "UserDataTooLarge"),
            List.of("explain", "function", "indent"),
            // Unreachable, but loads the client and error classes.
            List.of("get", "mds", "-A", "--server", UNREACHABLE_SERVER),
            List.of("why", "workers", "-n", "tenant", "--server", UNREACHABLE_SERVER),
            List.of("events", "-A", "--server", UNREACHABLE_SERVER),
            render("--settings", "-"),
            render("--peer-flag", "no-such-flag=x"));

    private static final String KUBECONFIG = """
            apiVersion: v1
            kind: Config
            current-context: warm-up
            contexts: [{name: warm-up, context: {cluster: warm-up, user: warm-up}}]
            clusters: [{name: warm-up, cluster: {server: "https://127.0.0.1:1"}}]
            users: [{name: warm-up, user: {token: none}}]
            """;

    private static List<String> render(String... more) {
        return Stream.concat(Stream.of("render", "--osp", "-", "--machine-deployment", "-"), Stream.of(more))
                .toList();
    }

    @Override
    public Integer call() throws IOException {
        String examples =
                String.join("\n---\n", example("osp.yaml"), example("machinedeployment.yaml"), example("tenant.yaml"));
        for (List<String> verb : VERBS) {
            run(examples, verb);
        }
        Path directory = Files.createTempDirectory("hub-warm-up");
        try {
            Path kubeconfig = Files.writeString(directory.resolve("kubeconfig"), KUBECONFIG);
            run(
                    examples,
                    List.of("get", "mds", "-A", "--service-account", "a/b", "--kubeconfig", kubeconfig.toString()));
            return run(examples, render("--settings", "-", "--out", directory.toString()));
        } finally {
            try (Stream<Path> files = Files.list(directory)) {
                for (Path file : files.toList()) {
                    Files.delete(file);
                }
            }
            Files.delete(directory);
        }
    }

    private static int run(String input, List<String> arguments) {
        PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream(), false, UTF_8);
        InputStream in = new ByteArrayInputStream(input.getBytes(UTF_8));
        return HubCommand.run(new Terminal(in, nowhere, nowhere), arguments.toArray(String[]::new));
    }

    private static String example(String name) throws IOException {
        try (InputStream stream =
                Objects.requireNonNull(WarmUpCommand.class.getResourceAsStream("examples/" + name), name)) {
            return new String(stream.readAllBytes(), UTF_8);
        }
    }
}
