package io.osmhub.e2e.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Every request that an API server answered, as it logged it itself, in the order of their ends. The server writes an entry
 * before it sends the answer, so what a client has seen is in here.
 */
public final class AuditLog {
    /** Beside the log: a line for each start of the API server, with the positions at launch and when it was ready. */
    private static final String STARTS = "starts.txt";

    private final Path file;

    public AuditLog(Path file) {
        this.file = file;
    }

    /**
     * One request.
     *
     * @param at when it was received
     * @param id of the request; a watch has an entry for its begin and one for its end, with the same id
     * @param verb of the API: get, list, watch, create, update, patch, delete
     * @param resource with its subresource, as {@code machinedeployments/status}; the path of a non-resource request
     * @param code HTTP status of the answer
     * @param agent the client's name of itself: {@code osm-hub/REPLICA}
     * @param sent the body, for Leases only
     */
    public record Entry(
            Instant at,
            String id,
            String user,
            String verb,
            String resource,
            String namespace,
            String name,
            int code,
            String message,
            String agent,
            JsonNode sent) {
        /** Whether it asked for the state of objects. A watch does not: it waits for changes. */
        public boolean reads() {
            return verb.equals("get") || verb.equals("list");
        }

        /** Whether it changes objects, or tries to. Reviews and tokens are created too, but are none. */
        public boolean writes() {
            return switch (verb) {
                case "create", "update", "patch", "delete", "deletecollection" ->
                    !resource.endsWith("reviews") && !resource.endsWith("/token");
                default -> false;
            };
        }

        @Override
        public String toString() {
            return verb + " " + resource + " " + namespace + "/" + name + " " + code;
        }
    }

    /** The API server became ready now; its entries since {@code launchedAt} are from its start. */
    void recordStart(long launchedAt) {
        try {
            Files.writeString(
                    file.resolveSibling(STARTS),
                    launchedAt + " " + position() + "\n",
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * All requests of one user, except while the API server started: until it has read its roles, it forbids what they grant.
     */
    public List<Entry> whileReady(String user) throws IOException {
        Path starts = file.resolveSibling(STARTS);
        Set<String> starting = new HashSet<>();
        for (String start : Files.readAllLines(starts)) {
            String[] range = start.split(" ");
            lines(Long.parseLong(range[0]), Long.parseLong(range[1]))
                    .map(AuditLog::entry)
                    .forEach(entry -> starting.add(entry.id()));
        }
        return since(0, user).stream()
                .filter(entry -> !starting.contains(entry.id()))
                .toList();
    }

    /** A place in the log: all that comes after is what a test asks for. */
    public long position() {
        try {
            return Files.exists(file) ? Files.size(file) : 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What one user asked for since a mark. */
    public List<Entry> since(long mark, String user) {
        return since(mark, entry -> entry.user().equals(user));
    }

    /** Some of what was asked for since a mark. */
    public List<Entry> since(long mark, Predicate<Entry> wanted) {
        // The end of a watch that began before the mark is not a separate request.
        Set<String> before = new HashSet<>();
        lines(0, mark).map(AuditLog::entry).forEach(entry -> before.add(entry.id()));
        return lines(mark, position())
                .map(AuditLog::entry)
                .filter(wanted)
                .filter(entry -> before.add(entry.id()))
                .toList();
    }

    /** How many writes one user has made since a mark. Cheap enough to be asked again and again. */
    public long writesSince(long mark, String user) {
        return lines(mark, position())
                .map(AuditLog::entry)
                .filter(entry -> entry.user().equals(user))
                .filter(Entry::writes)
                .count();
    }

    private Stream<String> lines(long from, long to) {
        if (from == to) {
            return Stream.empty();
        }
        try {
            ByteBuffer bytes = ByteBuffer.allocate((int) (to - from));
            try (FileChannel channel = FileChannel.open(file)) {
                while (bytes.hasRemaining() && channel.read(bytes, from + bytes.position()) > 0) {
                    // Until all of it is there.
                }
            }
            String text = new String(bytes.array(), 0, bytes.position(), UTF_8);
            // A line that is being written has no end yet.
            return text.substring(0, text.lastIndexOf('\n') + 1).lines();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Entry entry(String line) {
        JsonNode event = ManifestObjects.json(line);
        JsonNode object = event.path("objectRef");
        String part = object.path("subresource").asText();
        String resource = object.isMissingNode()
                ? event.path("requestURI").asText()
                : object.path("resource").asText();
        return new Entry(
                Instant.parse(event.path("requestReceivedTimestamp").asText()),
                event.path("auditID").asText(),
                event.path("user").path("username").asText(),
                event.path("verb").asText(),
                part.isEmpty() ? resource : resource + "/" + part,
                object.path("namespace").asText(),
                object.path("name").asText(),
                event.path("responseStatus").path("code").asInt(),
                event.path("responseStatus").path("message").asText(),
                event.path("userAgent").asText(),
                event.path("requestObject"));
    }
}
