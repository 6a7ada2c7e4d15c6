package io.osmhub.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.demo.DemoRun.DemoTenant;
import io.osmhub.demo.stage.MachineDeploymentName;
import io.osmhub.demo.stage.MachineFlavor;
import io.osmhub.demo.stage.SimulatedFleet;
import io.osmhub.demo.stage.SimulatedFleet.SimulatedTenant;
import io.osmhub.sim.SimulationOptions;
import io.osmhub.sim.auth.SimulatedAuthority;
import io.osmhub.sim.auth.SimulatedAuthority.CertifiedKey;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a mode does not use, it does not load: each class takes about 7 kB of resident memory. */
class LoadedClassesTest {
    // [0.123s][info][class,load] java.lang.Object source: jrt:/java.base
    private static final Pattern LOADED = Pattern.compile("] ([\\w.$]+)\\S* source: .*");
    private static final int WEBHOOK_PORT = 9443;
    private static final Duration LONGEST_WAIT = Duration.ofMinutes(2);
    /** Unused by every service whose log has no file and whose tracing is off. */
    private static final List<String> UNUSED_BY_ALL =
            List.of("ch.qos.logback.core.joran.action.", "com.sun.org.apache.xerces.", "io.opentelemetry.");

    private static final List<String> UNUSED_BY_DROP_INS = List.of(
            "io.osmhub.api.HubApi",
            "io.osmhub.api.console.",
            "io.osmhub.api.contract.",
            "io.osmhub.api.inventory.",
            "io.osmhub.api.schema.",
            "io.osmhub.deploy.run.ApiService",
            "io.vertx.ext.web.");

    @TempDir
    private Path folder;

    @Test
    void theControllerLoadsNoApiAndNoProviderOfBouncyCastle() throws Exception {
        assertThat(serve(List.of(
                        "controller",
                        "-kubeconfig=" + kubeconfig(),
                        "-namespace=" + SimulatedFleet.PROFILES,
                        "-health-probe-address=",
                        "-metrics-address=0")))
                .contains("io.osmhub.tenancy.Hub", "io.osmhub.core.render.Renderer")
                .noneMatch(startsWithOneOf(UNUSED_BY_ALL))
                .noneMatch(startsWithOneOf(UNUSED_BY_DROP_INS))
                .noneMatch(startsWithOneOf(List.of("org.bouncycastle.jcajce.")));
    }

    @Test
    void oneClusterWithoutApiLoadsNoApi() throws Exception {
        Path configuration = folder.resolve("hub.yaml");
        Files.writeString(configuration, Workspace.hubConfiguration(kubeconfig()));

        assertThat(serve(List.of(
                        "run",
                        "--single",
                        "--config=" + configuration,
                        "--api-address=",
                        "--webhook-address=",
                        "--health-address=127.0.0.1:0",
                        "--metrics-address=127.0.0.1:0")))
                .contains("io.osmhub.tenancy.Hub", "io.osmhub.core.render.Renderer")
                .noneMatch(startsWithOneOf(UNUSED_BY_ALL))
                .noneMatch(startsWithOneOf(List.of("io.osmhub.api.contract.", "io.vertx.ext.web.")));
    }

    private Path kubeconfig() {
        return folder.resolve("kubeconfig");
    }

    /** Serves a cluster until a MachineDeployment has its secrets, and returns the loaded classes. */
    private Set<String> serve(List<String> arguments) throws Exception {
        try (SimulatedFleet stage = SimulatedFleet.build(SimulationOptions.defaults())) {
            stage.management().installWorkerPrerequisites();
            Workspace.writeKubeconfig(kubeconfig(), List.of(stage.management()));
            new DemoTenant(new SimulatedTenant(SimulatedFleet.PROFILES, "local", stage.management()))
                    .create(new MachineDeploymentName("kube-system", "workers"), MachineFlavor.UBUNTU_ON_AWS, 1);
            return loadedClasses(
                    arguments, () -> !stage.management().publishTimes().millis().isEmpty());
        }
    }

    @Test
    void theWebhookLoadsNoClientOfAnApiServer() throws Exception {
        SimulatedAuthority authority = SimulatedAuthority.create("webhook");
        CertifiedKey serving = authority.serving();
        Files.writeString(folder.resolve("tls.crt"), serving.certificatePem());
        Files.writeString(folder.resolve("tls.key"), serving.keyPem());

        Set<String> loaded = loadedClasses(
                List.of(
                        "webhook",
                        "-namespace=kube-system",
                        "-cert-dir=" + folder,
                        "-health-probe-bind-address=",
                        "-metrics-bind-address=0"),
                LoadedClassesTest::hasServedTls);

        assertThat(loaded)
                .contains("io.osmhub.api.admission.AdmissionServer", "io.netty.handler.ssl.SslHandler")
                .noneMatch(startsWithOneOf(UNUSED_BY_ALL))
                .noneMatch(startsWithOneOf(UNUSED_BY_DROP_INS))
                .noneMatch(startsWithOneOf(List.of(
                        "io.fabric8.kubernetes.client.impl.",
                        "io.netty.internal.tcnative.",
                        "io.osmhub.tenancy.client.Fabric8KubeApi")));
    }

    /** The TLS server answers to what is not TLS, or closes the connection. */
    private static boolean hasServedTls() throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), WEBHOOK_PORT));
            socket.getOutputStream().write(new byte[16]);
            socket.setSoTimeout((int) LONGEST_WAIT.toMillis());
            var _ = socket.getInputStream().read();
            return true;
        }
    }

    private static Predicate<String> startsWithOneOf(List<String> prefixes) {
        return name -> prefixes.stream().anyMatch(name::startsWith);
    }

    private Set<String> loadedClasses(List<String> arguments, Callable<Boolean> served) throws Exception {
        Path log = folder.resolve("classes.log");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xss4m",
                "-Xlog:class+load:file=" + log + "::filecount=0",
                "-cp",
                System.getProperty("java.class.path"),
                "io.osmhub.deploy.Main"));
        command.addAll(arguments);
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("output").toFile())
                .start();
        try {
            Awaitility.await(String.join(" ", arguments))
                    .atMost(LONGEST_WAIT)
                    .ignoreExceptionsInstanceOf(IOException.class)
                    .until(served);
        } finally {
            process.destroy();
            assertThat(process.waitFor(LONGEST_WAIT.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
        }
        return Files.readAllLines(log).stream()
                .map(LOADED::matcher)
                .filter(Matcher::find)
                .map(found -> found.group(1))
                .collect(Collectors.toSet());
    }
}
