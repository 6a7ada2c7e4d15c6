package io.osmhub.sim.auth;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.sim.objects.JsonTrees;
import io.osmhub.sim.objects.ObjectOperations;
import io.osmhub.sim.objects.ResourceCatalog;
import io.osmhub.sim.objects.StoredObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Issues and verifies service account tokens: JWTs with the real claims, signed with a secret of the cluster instead of a key pair,
 * which only the issuer can notice.
 */
public final class ServiceAccountTokens {
    /** Default audience and issuer of tokens. */
    public static final String AUDIENCE = "https://kubernetes.default.svc.cluster.local";

    private static final String HEADER = "{\"alg\":\"HS256\",\"typ\":\"JWT\"}";

    private final ObjectOperations objects;
    private final byte[] key = new byte[32];

    public ServiceAccountTokens(ObjectOperations objects) {
        this.objects = objects;
        new SecureRandom().nextBytes(key);
    }

    /** A token for a TokenRequest; without audiences it is for the API server. */
    public String issue(StoredObject account, Duration life, List<String> audiences) {
        Instant now = objects.clock().instant();
        ObjectNode claims = claims(account, audiences.isEmpty() ? List.of(AUDIENCE) : audiences, now);
        claims.put("exp", now.plus(life).getEpochSecond());
        return sign(claims);
    }

    /** A token that does not expire, for a Secret of type {@code kubernetes.io/service-account-token}. */
    public String issueForSecret(StoredObject account, String secret) {
        ObjectNode claims = claims(account, List.of(), objects.clock().instant());
        JsonTrees.child(claims, "kubernetes.io").putObject("secret").put("name", secret);
        return sign(claims);
    }

    /** The token's account, if this cluster issued it and it is valid. */
    public Optional<UserIdentity> check(String token) {
        JsonNode claims = verified(token);
        if (claims == null) {
            return Optional.empty();
        }
        if (claims.has("exp")
                && objects.clock().instant().getEpochSecond()
                        >= claims.path("exp").asLong()) {
            return Optional.empty();
        }
        JsonNode bound = claims.path("kubernetes.io");
        String namespace = JsonTrees.text(bound, "namespace");
        String name = JsonTrees.text(bound, "serviceaccount", "name");
        String uid = JsonTrees.text(bound, "serviceaccount", "uid");
        StoredObject account = objects.store().get(ResourceCatalog.SERVICE_ACCOUNTS, namespace, name);
        if (account == null || !account.uid().equals(uid)) {
            return Optional.empty();
        }
        String secret = JsonTrees.text(bound, "secret", "name");
        if (!secret.isEmpty() && objects.store().get(ResourceCatalog.SECRETS, namespace, secret) == null) {
            return Optional.empty();
        }
        return Optional.of(UserIdentity.serviceAccount(namespace, name, uid));
    }

    /** The audiences of a token; the API server by default. */
    List<String> audiences(String token) {
        JsonNode claims = verified(token);
        List<String> named = claims == null ? List.of() : JsonTrees.texts(claims.path("aud"));
        return named.isEmpty() ? List.of(AUDIENCE) : named;
    }

    private static ObjectNode claims(StoredObject account, List<String> audiences, Instant now) {
        ObjectNode claims = JsonTrees.object();
        if (!audiences.isEmpty()) {
            claims.set("aud", JsonTrees.arrayOf(audiences));
        }
        claims.put("iat", now.getEpochSecond())
                .put("nbf", now.getEpochSecond())
                .put("iss", AUDIENCE)
                .put("jti", UUID.randomUUID().toString())
                .put("sub", "system:serviceaccount:%s:%s".formatted(account.namespace(), account.name()));
        ObjectNode bound = claims.putObject("kubernetes.io").put("namespace", account.namespace());
        bound.putObject("serviceaccount").put("name", account.name()).put("uid", account.uid());
        return claims;
    }

    private String sign(ObjectNode claims) {
        String signed = encode(HEADER.getBytes(StandardCharsets.UTF_8)) + "." + encode(JsonTrees.bytes(claims));
        return signed + "." + encode(mac(signed));
    }

    private @Nullable JsonNode verified(String token) {
        int dot = token.lastIndexOf('.');
        int first = token.indexOf('.');
        if (first < 0 || first == dot) {
            return null;
        }
        try {
            byte[] signature = Base64.getUrlDecoder().decode(token.substring(dot + 1));
            if (!MessageDigest.isEqual(signature, mac(token.substring(0, dot)))) {
                return null;
            }
            return JsonTrees.parse(Base64.getUrlDecoder().decode(token.substring(first + 1, dot)));
        } catch (IllegalArgumentException | IOException notOurs) {
            return null;
        }
    }

    private byte[] mac(String text) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("every Java runtime has HmacSHA256", impossible);
        }
    }

    private static String encode(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
