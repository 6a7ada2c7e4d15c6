package io.osmhub.core.bootstrap;

import io.osmhub.core.model.Sensitive;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/** A token with which kubelets join. {@code id} is public, {@code secret} is not. */
public record BootstrapToken(String id, Sensitive secret, Instant expiration) {
    public static final String SECRET_TYPE = "bootstrap.kubernetes.io/token";
    /** The value is {@link ObjectNames#key()}. */
    public static final String LABEL = "machinedeployment.k8s.io/name";

    public static final String SECRET_NAME_PREFIX = "bootstrap-token-";
    public static final String ID = "token-id";
    public static final String SECRET = "token-secret";
    public static final String EXPIRATION = "expiration";
    public static final String AUTHENTICATION = "usage-bootstrap-authentication";
    public static final String GROUPS = "auth-extra-groups";
    /** Members may request a node certificate. */
    public static final String NODE_GROUP = "system:bootstrappers:machine-controller:default-node-token";

    private static final String ALPHABET = "bcdfghjklmnpqrstvwxz2456789";
    private static final int ID_LENGTH = 6;
    private static final int SECRET_LENGTH = 16;

    /** Creates a token. {@code random} must be cryptographically secure: the token admits nodes. */
    public static BootstrapToken generate(RandomGenerator random, Instant now, Duration life) {
        return new BootstrapToken(
                letters(random, ID_LENGTH), new Sensitive(letters(random, SECRET_LENGTH)), now.plus(life));
    }

    private static String letters(RandomGenerator random, int length) {
        StringBuilder text = new StringBuilder(length);
        for (int i = 0; i < length; i++) {
            text.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
        }
        return text.toString();
    }

    public String secretName() {
        return SECRET_NAME_PREFIX + id;
    }

    /** What a kubelet presents: ID and secret. */
    public Sensitive text() {
        return new Sensitive(id + "." + secret.reveal());
    }

    /** RFC 3339 in UTC with whole seconds, as the cluster's token controllers read it. */
    public static String expirationText(Instant expiration) {
        return expiration.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    /** The Secret's data, not base64-encoded. */
    public SortedMap<String, Sensitive> secretData(ObjectNames names) {
        SortedMap<String, Sensitive> data = new TreeMap<>();
        data.put("description", new Sensitive("bootstrap token for " + names.key()));
        data.put(ID, new Sensitive(id));
        data.put(SECRET, secret);
        data.put(EXPIRATION, new Sensitive(expirationText(expiration)));
        data.put(AUTHENTICATION, new Sensitive("true"));
        data.put("usage-bootstrap-signing", new Sensitive("true"));
        data.put(GROUPS, new Sensitive(NODE_GROUP));
        return data;
    }
}
