package io.osmhub.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** kubectl works on a simulated cluster. Skipped where kubectl is not installed. */
final class KubectlTest {
    private static final List<Path> PLACES = Stream.of(System.getenv("PATH").split(":"))
            .map(folder -> Path.of(folder, "kubectl"))
            .toList();

    private static SimulatedClusters clusters;

    @TempDir
    Path folder;

    @BeforeAll
    static void start() {
        assumeTrue(PLACES.stream().anyMatch(Files::isExecutable), "kubectl is not installed");
        clusters = SimulatedClusters.start(1, SimulationOptions.defaults());
        clusters.cluster(0).installWorkerPrerequisites();
    }

    @AfterAll
    static void stop() {
        if (clusters != null) {
            clusters.close();
        }
    }

    @BeforeEach
    void writeKubeconfig() throws IOException {
        Files.writeString(folder.resolve("kubeconfig"), clusters.cluster(0).kubeconfig());
    }

    @Test
    void itAppliesShowsChangesAndDeletes() throws Exception {
        Path file = Files.writeString(folder.resolve("object.yaml"), """
                apiVersion: v1
                kind: ConfigMap
                metadata:
                  name: applied
                  namespace: default
                data:
                  a: one
                """);

        assertThat(kubectl("apply", "-f", file.toString())).isEqualTo("configmap/applied created");
        Files.writeString(file, Files.readString(file).replace("one", "two"));
        assertThat(kubectl("apply", "-f", file.toString())).isEqualTo("configmap/applied configured");
        assertThat(kubectl("apply", "-f", file.toString())).isEqualTo("configmap/applied unchanged");
        assertThat(kubectl("apply", "--server-side", "--force-conflicts", "-f", file.toString()))
                .isEqualTo("configmap/applied serverside-applied");
        assertThat(kubectl("get", "configmap", "applied", "-o", "jsonpath={.data.a}"))
                .isEqualTo("two");
        assertThat(kubectl("get", "cm", "-n", "default")).containsPattern("NAME +DATA +AGE\napplied +1 +\\d+s");
        assertThat(kubectl("label", "cm", "applied", "x=y")).isEqualTo("configmap/applied labeled");
        assertThat(kubectl("describe", "cm", "applied")).contains("x=y");
        assertThat(kubectl("delete", "-f", file.toString())).contains("configmap \"applied\" deleted");
    }

    @Test
    void itKnowsCustomKindsByTheirShortNames() throws Exception {
        clusters.cluster(0)
                .objects()
                .create("{\"apiVersion\":\"cluster.k8s.io/v1alpha1\",\"kind\":\"MachineDeployment\","
                        + "\"metadata\":{\"name\":\"md\",\"namespace\":\"kube-system\"},\"spec\":{\"replicas\":3}}");

        assertThat(kubectl("get", "md", "-A")).containsPattern("kube-system +md +3");
        assertThat(kubectl(
                        "patch",
                        "md",
                        "-n",
                        "kube-system",
                        "md",
                        "--type",
                        "merge",
                        "-p",
                        "{\"spec\":{\"replicas\":5}}"))
                .isEqualTo("machinedeployment.cluster.k8s.io/md patched");
        assertThat(kubectl("scale", "md", "-n", "kube-system", "md", "--replicas=7"))
                .isEqualTo("machinedeployment.cluster.k8s.io/md scaled");
        assertThat(kubectl("get", "md", "-n", "kube-system", "md", "-o", "jsonpath={.spec.replicas}"))
                .isEqualTo("7");
        assertThat(kubectl("api-resources", "--api-group", "cluster.k8s.io", "-o", "name"))
                .contains("machinedeployments.cluster.k8s.io");
    }

    @Test
    void itWatches() throws Exception {
        Process watch = start("get", "secrets", "-n", "default", "-w", "-o", "name");
        clusters.cluster(0)
                .objects()
                .create(
                        "{\"apiVersion\":\"v1\",\"kind\":\"Secret\",\"metadata\":{\"name\":\"watched\",\"namespace\":\"default\"}}");

        try (var reader = watch.inputReader(StandardCharsets.UTF_8)) {
            assertThat(reader.readLine()).isEqualTo("secret/watched");
        } finally {
            watch.destroy();
        }
    }

    @Test
    void itCreatesByItsGenerators() throws Exception {
        assertThat(kubectl("create", "namespace", "made")).isEqualTo("namespace/made created");
        assertThat(kubectl("create", "secret", "generic", "s", "-n", "made", "--from-literal=k=v"))
                .isEqualTo("secret/s created");
        assertThat(kubectl("get", "secret", "-n", "made", "s", "-o", "jsonpath={.data.k}"))
                .isEqualTo("dg==");
        assertThat(kubectl("create", "configmap", "c", "-n", "made", "--from-literal=k=v"))
                .isEqualTo("configmap/c created");
        assertThat(kubectl("create", "serviceaccount", "robot", "-n", "made"))
                .isEqualTo("serviceaccount/robot created");
        assertThat(kubectl("create", "role", "r", "-n", "made", "--verb=get", "--resource=secrets"))
                .isEqualTo("role.rbac.authorization.k8s.io/r created");
        assertThat(kubectl("create", "rolebinding", "b", "-n", "made", "--role=r", "--serviceaccount=made:robot"))
                .isEqualTo("rolebinding.rbac.authorization.k8s.io/b created");
        assertThat(kubectl("create", "token", "robot", "-n", "made")).contains(".");
        assertThat(kubectl("auth", "can-i", "get", "secrets", "-n", "made")).isEqualTo("yes");
        assertThat(kubectl("auth", "whoami", "-o", "jsonpath={.status.userInfo.username}"))
                .isEqualTo("kubernetes-admin");
        assertThat(kubectl("delete", "namespace", "made", "--timeout=30s")).contains("namespace \"made\" deleted");
    }

    private String kubectl(String... arguments) throws IOException, InterruptedException {
        Process process = start(arguments);
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue())
                .as("kubectl %s: %s", Arrays.toString(arguments), output)
                .isZero();
        return output;
    }

    private Process start(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                "kubectl",
                "--kubeconfig",
                folder.resolve("kubeconfig").toString(),
                "--cache-dir",
                folder.resolve("cache").toString()));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }
}
