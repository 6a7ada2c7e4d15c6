package io.osmhub.sim.contract;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Speaks plain HTTP with an API server: nothing is retried, nothing is interpreted. */
public final class ApiCaller {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final Duration LIMIT = Duration.ofSeconds(30);

    /** One answer. {@code body} is null for an answer that is not JSON. */
    public record Reply(int code, HttpResponse<byte[]> response, JsonNode body) {
        /** A text in the body. */
        public String text(String pointer) {
            return body.at(pointer).asText();
        }

        /** The body as it came. */
        public String raw() {
            return new String(response.body(), StandardCharsets.UTF_8);
        }

        /** The object's revision. */
        public String revision() {
            return text("/metadata/resourceVersion");
        }

        /** Code and reason of a refusal, for example {@code 409 Conflict}. */
        public String errorSummary() {
            return code + " " + text("/reason");
        }
    }

    private final HttpClient client;
    private final String url;
    private final String token;

    private ApiCaller(HttpClient client, String url, String token) {
        this.client = client;
        this.url = url;
        this.token = token;
    }

    /** Calls a target in the name of its all-powerful user. */
    public static ApiCaller of(ContractTarget target) {
        return new ApiCaller(client(target.caPem(), HttpClient.Version.HTTP_2), target.url(), target.token());
    }

    /** The same with another version of HTTP. */
    public static ApiCaller of(ContractTarget target, HttpClient.Version version) {
        return new ApiCaller(client(target.caPem(), version), target.url(), target.token());
    }

    /** The same server in the name of another; an empty token shows none. */
    public ApiCaller as(String otherToken) {
        return new ApiCaller(client, url, otherToken);
    }

    private static HttpClient client(String caPem, HttpClient.Version version) {
        try {
            KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
            trusted.load(null, null);
            CertificateFactory factory = CertificateFactory.getInstance("X.509");
            trusted.setCertificateEntry(
                    "ca",
                    factory.generateCertificate(new ByteArrayInputStream(caPem.getBytes(StandardCharsets.UTF_8))));
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(trusted);
            SSLContext tls = SSLContext.getInstance("TLS");
            tls.init(null, trust.getTrustManagers(), null);
            return HttpClient.newBuilder()
                    .sslContext(tls)
                    .version(version)
                    .connectTimeout(LIMIT)
                    .build();
        } catch (GeneralSecurityException | IOException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** GET. */
    public Reply get(String path) {
        return send(request(path).GET());
    }

    /** GET with an Accept header. */
    public Reply get(String path, String accept) {
        return send(request(path).setHeader("Accept", accept).GET());
    }

    /** POST of JSON. */
    public Reply create(String path, String json) {
        return send(request(path)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(json)));
    }

    /** PUT of JSON. */
    public Reply update(String path, String json) {
        return send(request(path)
                .header("Content-Type", "application/json")
                .PUT(HttpRequest.BodyPublishers.ofString(json)));
    }

    /** PATCH: {@code kind} is the word in the media type, for example {@code merge-patch+json}. */
    public Reply patch(String path, String kind, String patch) {
        return send(request(path)
                .header("Content-Type", "application/" + kind)
                .method("PATCH", HttpRequest.BodyPublishers.ofString(patch)));
    }

    /** DELETE. */
    public Reply delete(String path) {
        return send(request(path).DELETE());
    }

    /** DELETE with options. */
    public Reply delete(String path, String options) {
        return send(request(path)
                .header("Content-Type", "application/json")
                .method("DELETE", HttpRequest.BodyPublishers.ofString(options)));
    }

    /** Opens a watch: a path with {@code watch=true} in its query. */
    public OpenWatch watch(String path) {
        return watch(path, "application/json");
    }

    /** Opens a watch with an Accept header. */
    public OpenWatch watch(String path, String accept) {
        try {
            HttpRequest request =
                    request(path).setHeader("Accept", accept).GET().build();
            return new OpenWatch(client.send(request, BodyHandlers.ofInputStream()));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    private HttpRequest.Builder request(String path) {
        HttpRequest.Builder builder = HttpRequest.newBuilder(URI.create(url + path))
                .header("Accept", "application/json")
                .header("User-Agent", "contract/1.0");
        return token.isEmpty() ? builder : builder.header("Authorization", "Bearer " + token);
    }

    private Reply send(HttpRequest.Builder builder) {
        try {
            HttpResponse<byte[]> response = client.send(builder.timeout(LIMIT).build(), BodyHandlers.ofByteArray());
            boolean json =
                    response.headers().firstValue("Content-Type").orElse("").contains("json");
            JsonNode body = json ? MAPPER.readTree(response.body()) : MAPPER.nullNode();
            return new Reply(response.statusCode(), response, body);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    /** The events of one open watch, in order. */
    public static final class OpenWatch implements AutoCloseable {
        private static final JsonNode END = MAPPER.nullNode();

        private final HttpResponse<InputStream> response;
        private final BlockingQueue<JsonNode> events = new LinkedBlockingQueue<>();

        OpenWatch(HttpResponse<InputStream> response) {
            this.response = response;
            Thread.ofVirtual().start(this::read);
        }

        /** The status of the answer. */
        public int code() {
            return response.statusCode();
        }

        /** The next event that is no bookmark. */
        public JsonNode next() {
            return next(event -> !event.path("type").asText().equals("BOOKMARK"));
        }

        /** The next event that is wanted; others are skipped. */
        public JsonNode next(Predicate<JsonNode> wanted) {
            List<JsonNode> skipped = new ArrayList<>();
            try {
                while (true) {
                    JsonNode event = events.poll(LIMIT.toSeconds(), TimeUnit.SECONDS);
                    if (event == null || event == END) {
                        throw new AssertionError("the watch %s; skipped before: %s"
                                .formatted(event == null ? "stayed silent" : "ended", skipped));
                    }
                    if (wanted.test(event)) {
                        return event;
                    }
                    skipped.add(event);
                }
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(interrupted);
            }
        }

        /** Type and name of the next event, for example {@code ADDED x}. */
        public String nextSummary() {
            JsonNode event = next();
            return event.path("type").asText() + " "
                    + event.at("/object/metadata/name").asText();
        }

        /** Waits until the server ends the watch, and returns what came before. */
        public List<JsonNode> readToEnd() {
            List<JsonNode> rest = new ArrayList<>();
            try {
                while (true) {
                    JsonNode event = events.poll(LIMIT.toSeconds(), TimeUnit.SECONDS);
                    if (event == null) {
                        throw new AssertionError("the watch did not end; it brought " + rest);
                    }
                    if (event == END) {
                        return rest;
                    }
                    rest.add(event);
                }
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(interrupted);
            }
        }

        @Override
        public void close() {
            try {
                response.body().close();
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            }
        }

        private void read() {
            try (BufferedReader reader =
                    new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8))) {
                for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                    events.add(MAPPER.readTree(line));
                }
            } catch (IOException closed) {
                events.add(END);
                return;
            }
            events.add(END);
        }
    }
}
