package io.osmhub.sim.faults;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.osmhub.sim.faults.ClusterFaults.MemoryAttack;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.Supplier;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/** Sends endless responses as fast as the client reads them. Runs on the cluster's event loop. */
final class MemoryAttackWriter {
    private static final int PAGE = 500;
    private static final int MEGABYTES = 256;
    private static final Buffer NOISE = Buffer.buffer("a".repeat(16 * 1024));
    private static final String TEXT = "x".repeat(20_000);
    private static final String KEPT = "k".repeat(1000);
    private static final String EMPTY_ARRAYS = "[],".repeat(330_000);

    private final HttpServerResponse response;
    private long made;

    private MemoryAttackWriter(HttpServerResponse response) {
        this.response = response;
    }

    static void writeEndlessResponse(Vertx vertx, HttpServerResponse response, MemoryAttack by) {
        MemoryAttackWriter attacker = new MemoryAttackWriter(response);
        response.setChunked(true).putHeader("Content-Type", "application/json");
        // Without a handler, each client that closes such a response would cause an error in the log.
        response.exceptionHandler(_ -> {});
        String list = "{\"kind\":\"List\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"1\"},\"items\":[";
        switch (by) {
            case NONE -> throw new IllegalArgumentException("not an attack");
            case ENDLESS_BODY -> attacker.begin("{\"kind\":\"").stream(() -> NOISE);
            case ENDLESS_LIST -> attacker.begin(list).stream(() -> attacker.item("\"spec\":{}"));
            case ENDLESS_PAGES ->
                attacker.begin(list.replace("\"1\"", "\"1\",\"continue\":\"more\"")).stream(attacker::itemOfPage);
            case ENDLESS_OBJECT -> attacker.begin(list + "{\"metadata\":{\"name\":\"").stream(() -> NOISE);
            case TINY_VALUES ->
                attacker.begin(list).stream(() -> attacker.item("\"spec\":{\"x\":[" + EMPTY_ARRAYS + "0]}"));
            case GZIP_BOMB -> response.putHeader("Content-Encoding", "gzip").end(Bomb.BYTES);
            case DRIPPING_LIST -> {
                attacker.begin(list);
                long timer = vertx.setPeriodic(1000, _ -> response.write(" "));
                response.closeHandler(_ -> vertx.cancelTimer(timer));
            }
            case ENDLESS_EVENT -> attacker.begin("{\"type\":\"ADDED\",\"object\":{\"x\":\"").stream(() -> NOISE);
            case ENDLESS_EVENTS -> attacker.stream(attacker::event);
        }
    }

    private MemoryAttackWriter begin(String text) {
        response.write(text);
        return this;
    }

    private void stream(Supplier<? extends @Nullable Buffer> next) {
        if (response.closed() || response.ended()) {
            return;
        }
        response.drainHandler(_ -> stream(next));
        while (!response.writeQueueFull()) {
            Buffer piece = next.get();
            if (piece == null) {
                response.end();
                return;
            }
            response.write(piece);
        }
    }

    private Buffer item(String content) {
        return Buffer.buffer((made == 0 ? "" : ",") + object(content));
    }

    /** Null at the end of the page. */
    private @Nullable Buffer itemOfPage() {
        if (made == PAGE) {
            return null;
        }
        Buffer item = item("\"spec\":{\"x\":\"" + TEXT + "\"}");
        return made == PAGE ? item.appendString("]}") : item;
    }

    private Buffer event() {
        return Buffer.buffer("{\"type\":\"ADDED\",\"object\":" + object("\"spec\":{}") + "}\n");
    }

    /** Has a name and an annotation that clients of machine-controller keep. */
    private String object(String content) {
        made++;
        return """
            {"metadata":{"namespace":"kube-system","name":"attack-%d-bootstrap-config","uid":"%d",\
            "resourceVersion":"%d","annotations":{"k8c.io/attack":"%s"}},%s}\
            """.formatted(made, made, made, KEPT, content);
    }

    /** Created once, because it takes a second. */
    private static final class Bomb {
        static final Buffer BYTES = Buffer.buffer(compressed());

        private static byte[] compressed() {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            byte[] spaces = " ".repeat(1 << 20).getBytes(UTF_8);
            try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
                for (int i = 0; i < MEGABYTES; i++) {
                    gzip.write(spaces);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return bytes.toByteArray();
        }
    }
}
