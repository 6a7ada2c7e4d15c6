package io.osmhub.e2e;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.e2e.cluster.ManifestObjects;
import io.osmhub.e2e.cluster.RealCluster;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The Helm chart {@code deploy/packaging/helm}, rendered and installed by the helm that the project builds. */
final class HelmChart {
    static final Path FOLDER =
            Path.of(System.getProperty("osmhub.root", "../../..")).resolve("deploy/packaging/helm");
    static final Path TOOLS = FOLDER.resolve("../chart-tools");
    private static final String RELEASE = "osm-hub";

    private static @Nullable Path programs;

    /** Exit code and output of helm. */
    record Result(int code, String output) {
        /** The output of a successful run. */
        String expectSuccess() {
            if (code != 0) {
                throw new AssertionError(output);
            }
            return output;
        }
    }

    private HelmChart() {}

    /** The folder of helm and of the CustomResourceDefinitions of other products; built when they are missing. */
    static synchronized Path programs() {
        if (programs == null) {
            programs = Path.of(run(List.of(TOOLS.resolve("programs").toString()))
                    .expectSuccess()
                    .strip());
        }
        return programs;
    }

    /** What {@code helm template} prints with these options, without asking a cluster. */
    static List<ObjectNode> render(String... options) {
        return ManifestObjects.objects(
                helm("template", Stream.of(options).toList()).expectSuccess());
    }

    /** What {@code helm template} prints with these options, with lookups in a cluster. */
    static List<ObjectNode> render(RealCluster cluster, String... options) {
        return ManifestObjects.objects(
                helm(cluster, "template", Stream.concat(Stream.of("--dry-run=server"), Arrays.stream(options)))
                        .expectSuccess());
    }

    /** Runs {@code helm install}, {@code upgrade} or {@code uninstall} as the user who may do everything. */
    static Result helm(RealCluster cluster, String verb, String... options) {
        return helm(cluster, verb, Stream.of(options));
    }

    private static Result helm(RealCluster cluster, String verb, Stream<String> options) {
        try {
            Path kubeconfig = Files.createTempFile("helm", ".kubeconfig");
            try {
                Files.writeString(kubeconfig, cluster.kubeconfig(cluster.adminToken()));
                return helm(
                        verb,
                        Stream.concat(Stream.of("--kubeconfig", kubeconfig.toString()), options)
                                .toList());
            } finally {
                Files.delete(kubeconfig);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Result helm(String verb, List<String> options) {
        List<String> command =
                new ArrayList<>(List.of(programs().resolve("helm").toString(), verb, RELEASE));
        if (!verb.equals("uninstall")) {
            // The chart has no default image.
            command.addAll(List.of(FOLDER.toString(), "--set", "image.repository=registry.example.org/osm-hub"));
        }
        command.addAll(List.of("--namespace", InstalledHub.NAMESPACE));
        command.addAll(options);
        return run(command);
    }

    /** The error output is separate, and returned only on failure. */
    private static Result run(List<String> command) {
        try {
            Path errors = Files.createTempFile("helm", ".err");
            try {
                Process process = new ProcessBuilder(command)
                        .redirectError(errors.toFile())
                        .start();
                String output;
                try (InputStream in = process.getInputStream()) {
                    output = new String(in.readAllBytes(), StandardCharsets.UTF_8);
                }
                int code = process.waitFor();
                return new Result(code, code == 0 ? output : output + Files.readString(errors));
            } finally {
                Files.delete(errors);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }
}
