package io.osmhub.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class LiveHeapTest {
    @Test
    void readsWhatJcmdPrints() {
        LiveHeap heap = LiveHeap.read("""
                4711:
                 num     #instances         #bytes  class name (module)
                -------------------------------------------------------
                   1:         30000        2400000  [B (java.base@25.0.3)
                   2:         10000         240000  java.lang.String (java.base@25.0.3)
                   3:             1             16  io.osmhub.deploy.Main
                Total         40001        2640016
                """);

        assertThat(heap.bytes()).isEqualTo(2_640_016);
        assertThat(heap.objects()).isEqualTo(40_001);
        assertThat(heap.largest())
                .containsExactly(
                        new LiveHeap.ClassUsage("[B", 2_400_000, 30_000),
                        new LiveHeap.ClassUsage("java.lang.String", 240_000, 10_000),
                        new LiveHeap.ClassUsage("io.osmhub.deploy.Main", 16, 1));
    }

    @Test
    void asksAnotherProcess() throws Exception {
        Process other = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        EndsWithItsInput.class.getName())
                .start();
        try (BufferedReader out = other.inputReader()) {
            assertThat(out.readLine()).isEqualTo("started");

            LiveHeap heap = LiveHeap.of(other.pid());

            assertThat(heap.bytes()).isGreaterThan(100_000);
            assertThat(heap.largest()).isNotEmpty();
        } finally {
            other.destroyForcibly();
        }
    }

    /** A program that runs until its input ends. */
    static final class EndsWithItsInput {
        private EndsWithItsInput() {}

        public static void main(String[] arguments) throws IOException {
            System.out.println("started");
            System.in.transferTo(OutputStream.nullOutputStream());
        }
    }

    @Test
    void refusesAnAnswerWithoutATotal() {
        assertThatThrownBy(() -> LiveHeap.read("Connection refused")).isInstanceOf(IllegalArgumentException.class);
    }
}
