package io.osmhub.deploy.profiles.matrix;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Random;

/** Credentials that can be told from anything else, to see where in a document they come out. */
enum CanaryCredential {
    /** As long as what an API server gives for a TokenRequest, since the size of the bootstrap document depends on it. */
    FETCH_TOKEN(jwt()),
    BOOTSTRAP_TOKEN("canary.0bootstrap0token"),
    REGISTRY_PASSWORD("canary-registry-p4ss"),
    PROXY_PASSWORD("canary-proxy-p4ss"),
    RHEL_PASSWORD("canary-rhel-p4ss"),
    RHSM_TOKEN("canary-rhsm-offline-t0ken"),
    RHEL_ACTIVATION_KEY("canary-activation-k3y");

    private final String text;

    CanaryCredential(String text) {
        this.text = text;
    }

    String text() {
        return text;
    }

    /** Whether a text holds it, as it is or in base64. */
    boolean isIn(String content) {
        return traces().stream().anyMatch(content::contains);
    }

    /** Base64 of a text inside another one has three forms, by where it begins; what depends on the neighbours is cut off. */
    private List<String> traces() {
        List<String> traces = new ArrayList<>(List.of(text));
        for (int shift = 0; shift < 3; shift++) {
            String encoded = Base64.getEncoder().encodeToString(("#".repeat(shift) + text).getBytes(UTF_8));
            traces.add(encoded.substring(shift == 0 ? 0 : shift + 1, encoded.length() - 4));
        }
        return traces;
    }

    private static String jwt() {
        String account = "system:serviceaccount:cloud-init-settings:";
        String header = "{\"alg\":\"RS256\",\"kid\":\"" + "k".repeat(43) + "\"}";
        String claims =
                "{\"aud\":[\"https://kubernetes.default.svc.cluster.local\"],\"exp\":1795000000,\"iat\":1794990000,"
                        + "\"iss\":\"https://kubernetes.default.svc.cluster.local\",\"jti\":\"0f4b8a52-2c5f-4e7e-9a53-0123456789ab\","
                        + "\"kubernetes.io\":{\"namespace\":\"cloud-init-settings\",\"serviceaccount\":{\"name\":\"osm-hub-fetch-workers\","
                        + "\"uid\":\"5d0f1b1c-6f9e-4a53-8b3d-0123456789ab\"}},\"nbf\":1794990000,\"sub\":\"" + account
                        + "osm-hub-fetch-workers\"}";
        byte[] signature = new byte[256];
        new Random(6).nextBytes(signature);
        Base64.Encoder encoder = Base64.getUrlEncoder().withoutPadding();
        return encoder.encodeToString(header.getBytes(UTF_8)) + "." + encoder.encodeToString(claims.getBytes(UTF_8))
                + "." + encoder.encodeToString(signature);
    }
}
