package io.osmhub.tenancy.certificate;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.tenancy.certificate.CertificateKeyPair.CertificatePem;
import io.osmhub.tenancy.certificate.HubIssuedCertificate.TrustedAuthorities;
import io.osmhub.tenancy.wire.WireJson;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A stored Secret of the hub. Its {@code toString} omits values. */
record StoredSecret(String resourceVersion, Map<String, String> data) {
    private static final String CERTIFICATE = "tls.crt";
    private static final String KEY = "tls.key";
    private static final String TRUSTED = "ca.crt";
    private static final String NEXT_CERTIFICATE = "next.crt";
    private static final String NEXT_KEY = "next.key";
    private static final String PREVIOUS = "previous.crt";

    StoredSecret {
        data = Map.copyOf(data);
    }

    static StoredSecret of(JsonNode secret) {
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
        return new StoredSecret(secret.path("metadata").path("resourceVersion").asText(), data);
    }

    /** @throws GeneralSecurityException if it contains no valid authority */
    TrustedAuthorities authorities() throws GeneralSecurityException {
        String previous = value(PREVIOUS);
        CertificateKeyPair current = CertificateKeyPair.read(value(CERTIFICATE), value(KEY));
        if (current.certificate().getBasicConstraints() < 0) {
            throw new GeneralSecurityException("the certificate is not a CA certificate");
        }
        return new TrustedAuthorities(
                current,
                data.containsKey(NEXT_KEY) ? CertificateKeyPair.read(value(NEXT_CERTIFICATE), value(NEXT_KEY)) : null,
                previous.isEmpty()
                        ? null
                        : CertificatePem.readCertificates(previous).getFirst());
    }

    /** @throws GeneralSecurityException if it contains no certificate with a matching key */
    CertificateKeyPair leaf() throws GeneralSecurityException {
        return CertificateKeyPair.read(value(CERTIFICATE), value(KEY));
    }

    private String value(String key) {
        return data.getOrDefault(key, "");
    }

    static Map<String, String> data(TrustedAuthorities authorities) {
        Map<String, String> data = new LinkedHashMap<>();
        data.put(CERTIFICATE, CertificatePem.encode(authorities.current().chain()));
        data.put(KEY, CertificatePem.encode(authorities.current().key()));
        data.put(TRUSTED, authorities.bundle());
        CertificateKeyPair next = authorities.next();
        if (next != null) {
            data.put(NEXT_CERTIFICATE, CertificatePem.encode(next.chain()));
            data.put(NEXT_KEY, CertificatePem.encode(next.key()));
        }
        if (authorities.previous() != null) {
            data.put(PREVIOUS, CertificatePem.encode(java.util.List.of(authorities.previous())));
        }
        return data;
    }

    static Map<String, String> data(CertificateKeyPair leaf, TrustedAuthorities authorities) {
        Map<String, String> data = new LinkedHashMap<>();
        data.put(CERTIFICATE, CertificatePem.encode(leaf.chain()));
        data.put(KEY, CertificatePem.encode(leaf.key()));
        data.put(TRUSTED, authorities.bundle());
        return data;
    }

    /** The Secret to store; {@code replaces} is null if there is none yet. */
    static String manifest(
            String namespace, String name, String type, Map<String, String> data, @Nullable StoredSecret replaces) {
        ObjectNode secret = WireJson.object();
        secret.put("apiVersion", "v1").put("kind", "Secret").put("type", type);
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
        return "StoredSecret[" + resourceVersion + "]";
    }
}
