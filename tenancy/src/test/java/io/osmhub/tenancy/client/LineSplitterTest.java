package io.osmhub.tenancy.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.MemoryBudget;
import io.osmhub.workersync.apiserver.ResponseBuffer;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LineSplitterTest {
    private final List<String> lines = new ArrayList<>();
    private final LineSplitter splitter = new LineSplitter(
            new ResponseBuffer(
                    "an event", 20_000, MemoryBudget.unlimited().createShare(), ResponseBuffer.MemoryReserver.AT_ONCE),
            line -> lines.add(new String(line, StandardCharsets.UTF_8)),
            (line, why) -> lines.add("skipped " + line.name() + ": " + why));

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 7, 4096, 100_000})
    void linesAreWholeWhateverThePiecesAre(int pieceBytes) throws ApiFailure {
        String big = "ß€🐧".repeat(2000);
        byte[] bytes = ("first\n\n" + big + "\näöü\r\nlast\nrest").getBytes(StandardCharsets.UTF_8);

        for (int at = 0; at < bytes.length; at += pieceBytes) {
            splitter.add(ByteBuffer.wrap(bytes, at, Math.min(pieceBytes, bytes.length - at)));
        }

        assertThat(lines).containsExactly("first", big, "äöü\r", "last");
        assertThat(splitter.isWithinLine()).isTrue();
    }

    @Test
    void aLineMayHaveTheLimitButNotMore() throws ApiFailure {
        splitter.add(ByteBuffer.wrap(new byte[20_000]));
        splitter.add(ByteBuffer.wrap(new byte[] {'\n'}));
        assertThat(lines).hasSize(1);

        splitter.add(ByteBuffer.wrap(new byte[20_000]));
        assertThatExceptionOfType(ApiFailure.class)
                .isThrownBy(() -> splitter.add(ByteBuffer.wrap(new byte[] {'x', '\n'})))
                .withMessage("an event is larger than 20000 B");
        assertThat(lines).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 4096, 100_000})
    void aLongerEventIsSkippedByName(int pieceBytes) throws ApiFailure {
        String event = "{\"type\":\"ADDED\",\"object\":{\"metadata\":{\"name\":\"long\"},\"data\":\""
                + "x".repeat(30_000) + "\"}}";
        byte[] bytes = ("first\n" + event + "\nlast\n").getBytes(StandardCharsets.UTF_8);

        for (int at = 0; at < bytes.length; at += pieceBytes) {
            splitter.add(ByteBuffer.wrap(bytes, at, Math.min(pieceBytes, bytes.length - at)));
        }

        assertThat(lines).containsExactly("first", "skipped long: it is larger than 20000 B", "last");
        assertThat(splitter.isWithinLine()).isFalse();
    }

    @Test
    void anEventWithoutEndIsAFailure() {
        byte[] piece = ("{\"a\":\"" + "x".repeat(100_000)).getBytes(StandardCharsets.UTF_8);

        assertThatExceptionOfType(ApiFailure.class)
                .isThrownBy(() -> {
                    for (int i = 0; i < 5; i++) {
                        splitter.add(ByteBuffer.wrap(piece));
                    }
                })
                .withMessage("an event is larger than 20000 B");
    }

    @Test
    void nothingIsLeftOverAfterALineEnd() throws ApiFailure {
        splitter.add(ByteBuffer.wrap("whole\n".getBytes(StandardCharsets.UTF_8)));

        assertThat(splitter.isWithinLine()).isFalse();
    }
}
