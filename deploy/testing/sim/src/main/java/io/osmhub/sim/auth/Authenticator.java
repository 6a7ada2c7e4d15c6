package io.osmhub.sim.auth;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.sim.objects.JsonTrees;
import io.osmhub.sim.objects.ObjectOperations;
import io.osmhub.sim.objects.ResourceCatalog;
import io.osmhub.sim.objects.StoredObject;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;

/** Identifies callers by static tokens, tokens of service accounts, bootstrap tokens and client certificates. */
public final class Authenticator {
    private static final Pattern BOOTSTRAP = Pattern.compile("[a-z0-9]{6}\\.[a-z0-9]{16}");

    private final Map<String, UserIdentity> staticTokens = new ConcurrentHashMap<>();
    /** Audiences of static tokens that are not for the API server. */
    private final Map<String, String> audiences = new ConcurrentHashMap<>();

    private final ServiceAccountTokens accountTokens;
    private final ObjectOperations objects;

    public Authenticator(ObjectOperations objects, ServiceAccountTokens accountTokens) {
        this.objects = objects;
        this.accountTokens = accountTokens;
    }

    /** Accepts a token from now on. */
    public void accept(String token, UserIdentity identity) {
        staticTokens.put(token, identity);
    }

    /** Accepts a token with another audience than the API server. */
    public void accept(String token, UserIdentity identity, String audience) {
        audiences.put(token, audience);
        staticTokens.put(token, identity);
    }

    /** The audiences of a valid token. */
    public List<String> audiences(String token) {
        String other = audiences.get(token);
        return other == null ? accountTokens.audiences(token) : List.of(other);
    }

    public void revoke(String token) {
        staticTokens.remove(token);
    }

    /** The holder of this token; empty if it is invalid or expired. */
    public Optional<UserIdentity> authenticateToken(String token) {
        UserIdentity known = staticTokens.get(token);
        if (known != null) {
            return Optional.of(known);
        }
        return BOOTSTRAP.matcher(token).matches() ? byBootstrapToken(token) : accountTokens.check(token);
    }

    /** The subject of a certificate that TLS has verified; empty if it has expired by this cluster's clock. */
    public Optional<UserIdentity> authenticateCertificate(X509Certificate certificate) {
        Instant now = objects.clock().instant();
        if (now.isAfter(certificate.getNotAfter().toInstant())) {
            return Optional.empty();
        }
        String user = "";
        List<String> groups = new ArrayList<>();
        try {
            for (Rdn part : new LdapName(certificate.getSubjectX500Principal().getName()).getRdns()) {
                if (part.getType().equals("CN")) {
                    user = part.getValue().toString();
                } else if (part.getType().equals("O")) {
                    groups.add(part.getValue().toString());
                }
            }
        } catch (InvalidNameException unreadable) {
            return Optional.empty();
        }
        return user.isEmpty() ? Optional.empty() : Optional.of(UserIdentity.authenticated(user, "", groups));
    }

    private Optional<UserIdentity> byBootstrapToken(String token) {
        String id = token.substring(0, 6);
        StoredObject secret = objects.store().get(ResourceCatalog.SECRETS, "kube-system", "bootstrap-token-" + id);
        if (secret == null) {
            return Optional.empty();
        }
        ObjectNode tree = secret.tree();
        boolean valid = JsonTrees.text(tree, "type").equals("bootstrap.kubernetes.io/token")
                && data(tree, "token-id").equals(id)
                && data(tree, "token-secret").equals(token.substring(7))
                && data(tree, "usage-bootstrap-authentication").equals("true")
                && !isPast(data(tree, "expiration"));
        if (!valid) {
            return Optional.empty();
        }
        List<String> groups = new ArrayList<>(List.of("system:bootstrappers"));
        Arrays.stream(data(tree, "auth-extra-groups").split(","))
                .filter(each -> !each.isBlank())
                .forEach(groups::add);
        return Optional.of(UserIdentity.authenticated("system:bootstrap:" + id, "", groups));
    }

    private boolean isPast(String expiration) {
        if (expiration.isEmpty()) {
            return false;
        }
        try {
            return !OffsetDateTime.parse(expiration)
                    .toInstant()
                    .isAfter(objects.clock().instant());
        } catch (DateTimeParseException unreadable) {
            return true;
        }
    }

    private static String data(ObjectNode secret, String key) {
        return new String(Base64.getDecoder().decode(JsonTrees.text(secret, "data", key)), StandardCharsets.UTF_8);
    }
}
