package io.osmhub.tenancy.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LineSplitterTest {
    private final List<String> lines = new ArrayList<>();
    private final LineSplitter splitter =
            new LineSplitter(20_000, line -> lines.add(new String(line, StandardCharsets.UTF_8)));

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 7, 4096, 100_000})
    void linesAreWholeWhateverThePiecesAre(int pieceBytes) {
        String big = "ß€🐧".repeat(2000);
        byte[] bytes = ("first\n\n" + big + "\näöü\r\nlast\nrest").getBytes(StandardCharsets.UTF_8);

        for (int at = 0; at < bytes.length; at += pieceBytes) {
            assertThat(splitter.add(ByteBuffer.wrap(bytes, at, Math.min(pieceBytes, bytes.length - at))))
                    .isTrue();
        }

        assertThat(lines).containsExactly("first", big, "äöü\r", "last");
        assertThat(splitter.isWithinLine()).isTrue();
    }

    @Test
    void aLineMayHaveTheLimitButNotMore() {
        assertThat(splitter.add(ByteBuffer.wrap(new byte[20_000]))).isTrue();
        assertThat(splitter.add(ByteBuffer.wrap(new byte[] {'\n'}))).isTrue();
        assertThat(lines).hasSize(1);

        assertThat(splitter.add(ByteBuffer.wrap(new byte[20_000]))).isTrue();
        assertThat(splitter.add(ByteBuffer.wrap(new byte[] {'x', '\n'}))).isFalse();
        assertThat(lines).hasSize(1);
    }

    @Test
    void nothingIsLeftOverAfterALineEnd() {
        splitter.add(ByteBuffer.wrap("whole\n".getBytes(StandardCharsets.UTF_8)));

        assertThat(splitter.isWithinLine()).isFalse();
    }
}
