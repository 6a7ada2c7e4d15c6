package io.osmhub.workersync.apiserver;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ItemSplitterTest {
    private final MemoryBudget budget = new MemoryBudget(1_000_000, 0);
    private final List<String> items = new ArrayList<>();
    private final ItemSplitter splitter =
            ItemSplitter.ofList(100_000, budget.createShare(), MemoryBudget.MemoryShare::tryReserve, new Recorder());
    private final ItemSplitter watchSplitter = ItemSplitter.ofWatch(20_000, budget.createShare(), new Recorder());

    private final class Recorder implements ItemSplitter.ItemHandler {
        @Override
        public void onItem(byte[] json) {
            items.add(new String(json, UTF_8));
        }

        @Override
        public void onTooLarge(MetadataScanner object, String why) {
            items.add(object.name() + ": " + why);
        }
    }

    private void add(String text, int pieceBytes) throws ApiFailure, IOException {
        add(splitter, text, pieceBytes);
    }

    private static void add(ItemSplitter splitter, String text, int pieceBytes) throws ApiFailure, IOException {
        byte[] bytes = text.getBytes(UTF_8);
        for (int at = 0; at < bytes.length; at += pieceBytes) {
            splitter.add(ByteBuffer.wrap(bytes, at, Math.min(pieceBytes, bytes.length - at)));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 4096, 100_000})
    void itemsAreWholeWhateverThePiecesAre(int pieceBytes) throws Exception {
        String odd = "{\"a\":\"}],\\\\\\\"ß€🐧\",\"items\":[{\"b\":[1,2]}]}";
        String large = "{\"large\":\"" + "x".repeat(50_000) + "\"}";
        String before = "{\"kind\":\"List\",\"metadata\":{\"resourceVersion\":\"7\",\"items\":[1]},\"items\" : [";

        add(before + " " + odd + ",\n" + large + " ],\"last\":true}", pieceBytes);

        assertThat(items).containsExactly(odd, large);
        assertThat(new String(splitter.remainder(), UTF_8)).isEqualTo(before + "],\"last\":true}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"items\":[]}", "{\"items\":null}", "{}"})
    void aListWithoutItemsIsPassedOnAsItIs(String list) throws Exception {
        add(list, 3);

        assertThat(items).isEmpty();
        assertThat(new String(splitter.remainder(), UTF_8)).isEqualTo(list);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\u001f\u008b", "null", "{\"items\":[1]}", "{\"items\":[\"a\"]}", "{\"items\":[[]]}"})
    void somethingElseThanAListOfObjectsIsRefusedAtOnce(String text) {
        assertThatExceptionOfType(IOException.class).isThrownBy(() -> add(text, 100));
    }

    @Test
    void itemsHaveALimit() {
        assertThatExceptionOfType(ApiFailure.class)
                .isThrownBy(() -> add("{\"items\":[{\"x\":\"" + "x".repeat(2_000_000), 5000))
                .withMessage("an object is larger than 100000 B");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 5000, 1_000_000})
    void aLargerItemIsSkippedByName(int pieces) throws Exception {
        add(
                "{\"items\":[{\"a\":1},{\"x\":\"" + "x".repeat(200_000)
                        + "\",\"metadata\":{\"name\":\"large\"}},{\"a\":2}]}",
                pieces);

        assertThat(items).containsExactly("{\"a\":1}", "large: it is larger than 100000 B", "{\"a\":2}");
    }

    @Test
    void whatIsAroundTheItemsHasALimit() {
        assertThatExceptionOfType(ApiFailure.class)
                .isThrownBy(() -> add("{\"kind\":\"" + "x".repeat(100_000), 5000))
                .withMessage("a list without its items is larger than 65536 B");
    }

    @Test
    void memoryIsHeldForAnIncompleteItemOnly() throws Exception {
        add("{\"items\":[{\"x\":\"" + "x".repeat(50_000), 5000);
        assertThat(budget.used()).isGreaterThan(50_000);

        add("\"}", 1);
        assertThat(budget.used()).isLessThan(5000);

        splitter.clear();
        assertThat(budget.used()).isZero();
    }

    // Watches

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 7, 4096, 100_000})
    void eventsAreWholeWhateverThePiecesAre(int pieceBytes) throws Exception {
        String big = "{\"a\":\"" + "ß€🐧}\\\"{".repeat(1000) + "\"}";
        String lines = "{\"type\":\"ADDED\",\n \"object\":{\"items\":[{}]}}";

        add(watchSplitter, "\n" + lines + "\r\n\n" + big + "{}\n{\"rest", pieceBytes);

        assertThat(items).containsExactly(lines, big, "{}");
        assertThat(watchSplitter.isWithinItem()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "[{}]", "\"a\"", "{}]", "{}x", "\u001f\u008b"})
    void somethingElseThanAWatchOfObjectsIsRefusedAtOnce(String text) {
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> add(watchSplitter, text, 100))
                .withMessage("unexpected response: not a watch of objects");
    }

    @Test
    void anEventMayHaveTheLimit() throws Exception {
        String event = "{\"a\":\"" + "x".repeat(20_000 - 8) + "\"}";

        add(watchSplitter, event + "\n" + event.replaceFirst("x", "xx"), 3000);

        assertThat(items).containsExactly(event, ": it is larger than 20000 B");
        assertThat(watchSplitter.isWithinItem()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 4096, 100_000})
    void aLargerEventIsSkippedByName(int pieceBytes) throws Exception {
        String event = "{\"type\":\"ADDED\",\"object\":{\"metadata\":{\"name\":\"long\"},\"data\":\""
                + "x".repeat(30_000) + "\"}}";

        add(watchSplitter, "{\"n\":1}\n" + event + "\n{\"n\":2}\n", pieceBytes);

        assertThat(items).containsExactly("{\"n\":1}", "long: it is larger than 20000 B", "{\"n\":2}");
    }

    @Test
    void anEventWithoutEndIsAFailure() {
        assertThatExceptionOfType(ApiFailure.class)
                .isThrownBy(() -> add(watchSplitter, "{\"a\":\"" + "x".repeat(500_000), 100_000))
                .withMessage("an event is larger than 20000 B");
    }

    @Test
    void memoryIsHeldForAnIncompleteEventOnly() throws Exception {
        add(watchSplitter, "{}\n{\"a\":\"" + "x".repeat(10_000), 5000);
        assertThat(budget.used()).isGreaterThan(10_000);

        add(watchSplitter, "\"}\n", 1);
        assertThat(budget.used()).isZero();
    }
}
