package io.osmhub.tenancy.kubeconfig;

import static io.osmhub.tenancy.kubeconfig.Kubeconfigs.CANARY;
import static io.osmhub.tenancy.kubeconfig.Kubeconfigs.SECRET;
import static io.osmhub.tenancy.kubeconfig.Kubeconfigs.STRICT;
import static io.osmhub.tenancy.kubeconfig.Kubeconfigs.firewall;
import static io.osmhub.tenancy.kubeconfig.Kubeconfigs.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.osmhub.core.problem.Problem;
import io.osmhub.tenancy.kubeconfig.EgressPolicy.Allowance;
import io.osmhub.tenancy.kubeconfig.KubeconfigPolicy.KubeconfigRules;
import io.osmhub.tenancy.kubeconfig.KubeconfigValidator.KubeconfigValidation;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** No kubeconfig makes its reader act, and every rejection names the field without revealing its content. */
final class HostileKubeconfigTest {
    private static final int ANY_PORT = 6443;

    @TestFactory
    List<DynamicTest> eachRefusalNamesTheFieldAndTellsNoSecret() {
        return HostileKubeconfigs.all("/nowhere", ANY_PORT).stream()
                .map(hostile -> DynamicTest.dynamicTest(hostile.name(), () -> {
                    KubeconfigValidation.Invalid refused =
                            refused(firewall(STRICT).validate(SECRET, hostile.text()));

                    assertThat(refused.findings())
                            .extracting(Problem::reason, Problem::field)
                            .contains(tuple(hostile.reason(), hostile.field()));
                    assertThat(refused.problem().inTenant("cluster-x", "").message())
                            .startsWith("cluster-x: Secret " + SECRET);
                    assertThat(refused.problem().inTenant("cluster-x", "").message())
                            .hasSizeLessThanOrEqualTo(1024);
                    assertThat(refused.problem().inTenant("cluster-x", "").message() + refused.findings())
                            .doesNotContain(CANARY)
                            .doesNotContain("PRIVATE KEY-----");
                    assertThat(refused.findings()).allSatisfy(finding -> assertThat(finding.fix())
                            .as("cure of %s", finding)
                            .isNotEmpty());
                }))
                .toList();
    }

    @Test
    void thereAreAtLeastAHundredOfThem() {
        assertThat(HostileKubeconfigs.all("/nowhere", ANY_PORT))
                .hasSizeGreaterThanOrEqualTo(100)
                .extracting(HostileKubeconfigs.Case::name)
                .doesNotHaveDuplicates();
    }

    /** JVM Flight Recorder records every program and file; every address is a port of this test. */
    @Test
    void noProgramRunsNoFileIsReadNoConnectionIsMade(@TempDir Path folder) throws Exception {
        Path secret = Files.writeString(folder.resolve("secret"), CANARY);
        try (ServerSocketChannel canary = ServerSocketChannel.open();
                Recording recording = recording()) {
            canary.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                    .configureBlocking(false);
            int port = ((InetSocketAddress) canary.getLocalAddress()).getPort();
            List<HostileKubeconfigs.Case> all = HostileKubeconfigs.all(folder.toString(), port);
            firewall(STRICT).validate(SECRET, all.getFirst().text());

            recording.start();
            for (HostileKubeconfigs.Case hostile : all) {
                firewall(STRICT).validate(SECRET, hostile.text());
                // Allowed fields are read as well, without effects.
                firewall(everythingAllowed()).validate(SECRET, hostile.text());
            }
            recording.stop();

            assertThat(events(recording, folder)).as("what the vetting did").isEmpty();
            assertThat(canary.accept()).as("a connection to the canary").isNull();
            try (var files = Files.list(folder)) {
                assertThat(files).containsExactly(secret);
            }
        }
    }

    @Test
    void whatWatchesSeesAProgramAFileAndAConnection(@TempDir Path folder) throws Exception {
        Path secret = Files.writeString(folder.resolve("secret"), CANARY);
        try (ServerSocketChannel canary = ServerSocketChannel.open();
                Recording recording = recording()) {
            canary.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                    .configureBlocking(false);

            recording.start();
            new ProcessBuilder("true").start().waitFor(1, TimeUnit.MINUTES);
            String read = Files.readString(secret);
            SocketChannel.open(canary.getLocalAddress()).close();
            recording.stop();

            assertThat(read).isEqualTo(CANARY);
            assertThat(events(recording, folder)).contains("jdk.ProcessStart", "jdk.FileRead");
            assertThat(canary.accept()).isNotNull();
        }
    }

    private static KubeconfigRules everythingAllowed() {
        return new KubeconfigRules(Set.of(Allowance.values()), List.of(), List.of());
    }

    private static Recording recording() {
        Recording recording = new Recording();
        for (String event : List.of("jdk.ProcessStart", "jdk.FileRead", "jdk.SocketRead", "jdk.SocketWrite")) {
            recording.enable(event).withoutThreshold().withoutStackTrace();
        }
        return recording;
    }

    /** Recorded events; file events only in the folder, because the JVM reads its classes from files. */
    private static List<String> events(Recording recording, Path folder) throws IOException {
        Path dump = Files.createTempFile("firewall", ".jfr");
        try {
            recording.dump(dump);
            List<String> events = new ArrayList<>();
            for (RecordedEvent event : RecordingFile.readAllEvents(dump)) {
                String name = event.getEventType().getName();
                boolean foreign = name.equals("jdk.FileRead")
                        && !String.valueOf(event.getString("path")).startsWith(folder.toString());
                if (!foreign) {
                    events.add(name);
                }
            }
            return events;
        } finally {
            Files.delete(dump);
        }
    }
}
