package io.osmhub.api.certificate;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.tenancy.wire.WireJson;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A Secret of type {@code kubernetes.io/tls} as stored, and what it means. Its {@code toString} shows no value. */
record StoredCertificate(String resourceVersion, Map<String, String> data) {
    private static final String CERTIFICATE = "tls.crt";
    private static final String KEY = "tls.key";
    private static final String TRUSTED = "ca.crt";
    private static final String NEXT_CERTIFICATE = "next.crt";
    private static final String NEXT_KEY = "next.key";
    private static final String PREVIOUS = "previous.crt";

    StoredCertificate {
        data = Map.copyOf(data);
    }

    static StoredCertificate of(JsonNode secret) {
        Map<String, String> data = new LinkedHashMap<>();
        secret.path("data").properties().forEach(entry -> {
            try {
                data.put(
                        entry.getKey(),
                        new String(Base64.getDecoder().decode(entry.getValue().asText()), UTF_8));
            } catch (IllegalArgumentException e) {
                data.put(entry.getKey(), "");
            }
        });
        return new StoredCertificate(
                secret.path("metadata").path("resourceVersion").asText(), data);
    }

    /** @throws GeneralSecurityException when what it holds is no authority */
    Authorities authorities() throws GeneralSecurityException {
        String previous = value(PREVIOUS);
        KeyedCertificate current = KeyedCertificate.read(value(CERTIFICATE), value(KEY));
        if (current.certificate().getBasicConstraints() < 0) {
            throw new GeneralSecurityException("the certificate is not that of an authority");
        }
        return new Authorities(
                current,
                data.containsKey(NEXT_KEY) ? KeyedCertificate.read(value(NEXT_CERTIFICATE), value(NEXT_KEY)) : null,
                previous.isEmpty() ? null : Pem.certificates(previous).getFirst());
    }

    /** @throws GeneralSecurityException when what it holds is no certificate with its key */
    KeyedCertificate leaf() throws GeneralSecurityException {
        return KeyedCertificate.read(value(CERTIFICATE), value(KEY));
    }

    private String value(String key) {
        return data.getOrDefault(key, "");
    }

    static Map<String, String> data(Authorities authorities) {
        Map<String, String> data = new LinkedHashMap<>();
        data.put(CERTIFICATE, Pem.of(authorities.current().chain()));
        data.put(KEY, Pem.of(authorities.current().key()));
        data.put(TRUSTED, authorities.bundle());
        KeyedCertificate next = authorities.next();
        if (next != null) {
            data.put(NEXT_CERTIFICATE, Pem.of(next.chain()));
            data.put(NEXT_KEY, Pem.of(next.key()));
        }
        if (authorities.previous() != null) {
            data.put(PREVIOUS, Pem.of(java.util.List.of(authorities.previous())));
        }
        return data;
    }

    static Map<String, String> data(KeyedCertificate leaf, Authorities authorities) {
        Map<String, String> data = new LinkedHashMap<>();
        data.put(CERTIFICATE, Pem.of(leaf.chain()));
        data.put(KEY, Pem.of(leaf.key()));
        data.put(TRUSTED, authorities.bundle());
        return data;
    }

    /** The Secret as it is to be stored; {@code replaces} null when there is none yet. */
    static String secret(
            String namespace, String name, Map<String, String> data, @Nullable StoredCertificate replaces) {
        ObjectNode secret = WireJson.object();
        secret.put("apiVersion", "v1").put("kind", "Secret").put("type", "kubernetes.io/tls");
        ObjectNode metadata =
                secret.putObject("metadata").put("namespace", namespace).put("name", name);
        metadata.putObject("labels").put("app.kubernetes.io/managed-by", "osm-hub");
        if (replaces != null) {
            metadata.put("resourceVersion", replaces.resourceVersion());
        }
        ObjectNode values = secret.putObject("data");
        data.forEach((key, value) -> values.put(key, Base64.getEncoder().encodeToString(value.getBytes(UTF_8))));
        return WireJson.text(secret);
    }

    @Override
    public String toString() {
        return "StoredCertificate[" + resourceVersion + "]";
    }
}
