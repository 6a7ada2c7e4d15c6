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
 * Runs the common verbs once and shows nothing. The launcher records this run for the start-up cache, so that later
 * starts find the classes loaded and linked.
 */
@Command(name = "warm-up", hidden = true, description = "Exercise the common verbs for the start-up cache.")
final class WarmUpCommand implements Callable<Integer> {
    private static final String NOBODY = "http://127.0.0.1:1";

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
            // Nobody is there: what asks and says so is loaded all the same.
            List.of("get", "mds", "-A", "--server", NOBODY),
            List.of("why", "workers", "-n", "tenant", "--server", NOBODY),
            List.of("events", "-A", "--server", NOBODY),
            render("--settings", "-"),
            render("--peer-flag", "no-such-flag=x"));

    private static final String KUBECONFIG = """
            apiVersion: v1
            kind: Config
            current-context: nobody
            contexts: [{name: nobody, context: {cluster: nobody, user: nobody}}]
            clusters: [{name: nobody, cluster: {server: "https://127.0.0.1:1"}}]
            users: [{name: nobody, user: {token: none}}]
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
            run(examples, List.of("get", "mds", "-A", "--kubeconfig", kubeconfig.toString()));
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
