package io.osmhub.demo;

import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** Receives OTLP over HTTP and parses the fields that tests use, by the numbers of opentelemetry-proto's trace.proto. */
final class TraceReceiver implements AutoCloseable {
    /** A span's kind: a request that was sent. */
    private static final long CLIENT = 3;

    private final HttpServer server;
    private final List<Span> spans = new CopyOnWriteArrayList<>();
    private final ByteArrayOutputStream everything = new ByteArrayOutputStream();

    /** @param resource attributes of what sent it; numbers are written as text */
    record Span(
            String traceId,
            String spanId,
            String parentId,
            String name,
            long began,
            long ended,
            boolean failed,
            boolean isClient,
            Map<String, String> attributes,
            Map<String, String> resource) {
        /** Empty when it has none of that name. */
        String attribute(String attribute) {
            return attributes.getOrDefault(attribute, "");
        }
    }

    /** A field of a message: a number, or bytes. */
    private record Field(int number, long value, byte[] bytes) {}

    TraceReceiver() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/v1/traces", exchange -> {
            byte[] body = exchange.getRequestBody().readAllBytes();
            synchronized (everything) {
                everything.writeBytes(body);
            }
            spans.addAll(read(body));
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        server.start();
    }

    String endpoint() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    List<Span> spans() {
        return spans;
    }

    /** All that was ever received, one char for each byte. */
    String text() {
        synchronized (everything) {
            return everything.toString(StandardCharsets.ISO_8859_1);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }

    private static List<Span> read(byte[] request) {
        List<Span> spans = new ArrayList<>();
        for (Field resourceSpans : fields(request, 1)) {
            Map<String, String> resource = new TreeMap<>();
            fields(resourceSpans.bytes(), 1).forEach(field -> resource.putAll(attributes(field.bytes(), 1)));
            for (Field scopeSpans : fields(resourceSpans.bytes(), 2)) {
                for (Field span : fields(scopeSpans.bytes(), 2)) {
                    spans.add(span(span.bytes(), resource));
                }
            }
        }
        return spans;
    }

    private static Span span(byte[] span, Map<String, String> resource) {
        boolean failed = fields(span, 15).stream()
                .flatMap(status -> fields(status.bytes(), 3).stream())
                .anyMatch(code -> code.value() == 2);
        return new Span(
                hex(span, 1),
                hex(span, 2),
                hex(span, 4),
                text(span, 5),
                fields(span, 7).getFirst().value(),
                fields(span, 8).getFirst().value(),
                failed,
                fields(span, 6).stream().anyMatch(kind -> kind.value() == CLIENT),
                attributes(span, 9),
                resource);
    }

    private static Map<String, String> attributes(byte[] message, int number) {
        Map<String, String> attributes = new TreeMap<>();
        for (Field pair : fields(message, number)) {
            byte[] value = fields(pair.bytes(), 2).getFirst().bytes();
            List<Field> texts = fields(value, 1);
            attributes.put(
                    text(pair.bytes(), 1),
                    texts.isEmpty()
                            ? String.valueOf(fields(value, 3).stream()
                                    .mapToLong(Field::value)
                                    .sum())
                            : new String(texts.getFirst().bytes(), StandardCharsets.UTF_8));
        }
        return attributes;
    }

    private static String hex(byte[] message, int number) {
        List<Field> found = fields(message, number);
        return found.isEmpty() ? "" : HexFormat.of().formatHex(found.getFirst().bytes());
    }

    private static String text(byte[] message, int number) {
        List<Field> found = fields(message, number);
        return found.isEmpty() ? "" : new String(found.getFirst().bytes(), StandardCharsets.UTF_8);
    }

    private static List<Field> fields(byte[] message, int wanted) {
        List<Field> fields = new ArrayList<>();
        ByteBuffer in = ByteBuffer.wrap(message).order(ByteOrder.LITTLE_ENDIAN);
        while (in.hasRemaining()) {
            long tag = varint(in);
            int number = (int) (tag >>> 3);
            Field field =
                    switch ((int) (tag & 7)) {
                        case 0 -> new Field(number, varint(in), new byte[0]);
                        case 1 -> new Field(number, in.getLong(), new byte[0]);
                        case 2 -> {
                            byte[] bytes = new byte[(int) varint(in)];
                            in.get(bytes);
                            yield new Field(number, 0, bytes);
                        }
                        case 5 -> new Field(number, in.getInt(), new byte[0]);
                        default -> throw new IllegalArgumentException("no protobuf");
                    };
            if (number == wanted) {
                fields.add(field);
            }
        }
        return fields;
    }

    private static long varint(ByteBuffer in) {
        long value = 0;
        int shift = 0;
        byte next;
        do {
            next = in.get();
            value |= (long) (next & 0x7f) << shift;
            shift += 7;
        } while (next < 0);
        return value;
    }
}
