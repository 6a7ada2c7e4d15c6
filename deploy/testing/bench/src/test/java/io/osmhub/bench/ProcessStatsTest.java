package io.osmhub.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class ProcessStatsTest {
    private static final String LINE =
            "   5: 0100007F:C350 0100007F:1D13 01 00000000:00000000 00:00000000 00000000     0        0 4711 1 0000000000000000 20 4 30 10 -1";

    @Test
    void countsOnlyOwnConnectionsToTheGivenPorts() {
        assertThat(ProcessStats.isConnection(LINE, Set.of("4711"), Set.of(7443)))
                .isTrue();
        assertThat(ProcessStats.isConnection(LINE, Set.of("4712"), Set.of(7443)))
                .isFalse();
        assertThat(ProcessStats.isConnection(LINE, Set.of("4711"), Set.of(7444)))
                .isFalse();
        assertThat(ProcessStats.isConnection(LINE.replace(" 01 ", " 06 "), Set.of("4711"), Set.of(7443)))
                .isFalse();
    }

    @Test
    void findsTheTimesAfterAProgramNameWithBlanksAndParentheses() {
        String stat = "42 (a (strange) name) S 1 42 42 0 -1 4194304 100 0 0 0 250 50 0 0 20 0 12 0 100 0 0";

        assertThat(ProcessStats.processorTime(stat)).isEqualTo(Duration.ofSeconds(3));
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void readsThisProcess() throws Exception {
        ProcessStats reading = ProcessStats.of(ProcessHandle.current().pid());

        assertThat(reading.resident()).isBetween(10_000_000L, reading.peakResident());
        assertThat(reading.proportional()).isPositive();
        assertThat(reading.threads()).isPositive();
        assertThat(reading.processor()).isPositive();
        assertThat(ProcessStats.residentByFile(ProcessHandle.current().pid()))
                .containsKeys("libjvm.so", "anonymous")
                .doesNotContainKey("")
                .allSatisfy((file, bytes) -> assertThat(bytes).isNotNegative());
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void countsAConnectionThatThisProcessHasOpened() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket client = new Socket(server.getInetAddress(), server.getLocalPort());
                Socket accepted = server.accept()) {
            int connections = ProcessStats.connections(ProcessHandle.current().pid(), Set.of(server.getLocalPort()));

            assertThat(connections).isEqualTo(1);
            assertThat(client.isConnected() && accepted.isConnected()).isTrue();
            assertThat(Files.exists(Path.of("/proc/self/net/tcp"))).isTrue();
        }
    }
}
