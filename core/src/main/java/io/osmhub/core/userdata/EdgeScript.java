package io.osmhub.core.userdata;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.osmhub.core.model.Sensitive;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.ProblemObject;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.TenantMistake;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;

/**
 * The shell script that turns a machine of provider {@code edge} into a node. Such a machine is not created by a controller and has
 * no user-data: an operator runs this script on it as root. It fetches the bootstrap secret, passes its document to cloud-init and
 * starts the bootstrap service.
 *
 * <p>Unlike OSM's script it verifies the API server with the cluster's CA, keeps the token out of the process list, retries with
 * backoff, validates the response before use, needs no jq, and supports both orders of cloud-init's arguments.
 *
 * @param serverUrl of the API server as the machine reaches it, {@code https} only
 * @param token may read the secret
 * @param secretName of the bootstrap secret in namespace {@code cloud-init-settings}
 * @param caPem the API server's CA certificates; blank to use the machine's trust store
 */
public record EdgeScript(String serverUrl, Sensitive token, String secretName, String caPem) {
    private static final String END_OF_CA = "END_OF_CA";

    private static final String SCRIPT = readScript();

    /** The key of such a secret, as in OSM; its only one. */
    public static final String SECRET_KEY = "fetch-bootstrap-script";

    private static String readScript() {
        try (InputStream script = EdgeScript.class.getResourceAsStream("edge-script.sh")) {
            return new String(Objects.requireNonNull(script).readAllBytes(), UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("a part of this program", e);
        }
    }

    /**
     * Returns the script.
     *
     * @throws io.osmhub.core.problem.TenantMistake if it cannot represent the URL, token or CA
     */
    public String text() {
        if (!serverUrl.matches("https://[a-zA-Z0-9._~:/\\[\\]%-]*")) {
            throw unusable(
                    Reason.APIServerEndpointMissing,
                    "the API server's URL is not a plain https URL",
                    "check the server in the cluster-info ConfigMap");
        }
        if (!token.reveal().matches("[!-~]*")) {
            throw unusable(
                    Reason.GetterTokenMissing,
                    "the token has blanks or control characters",
                    "let the token controller recreate the token");
        }
        String ca = caPem.strip();
        if (!ca.isEmpty() && (!ca.startsWith("-----BEGIN ") || ca.contains(END_OF_CA))) {
            throw unusable(
                    Reason.ClusterInfoInvalid, "the CA is not in PEM form", "check the cluster's CA certificate");
        }
        return SCRIPT.replace(
                        "@SERVER@",
                        serverUrl.endsWith("/") ? serverUrl.substring(0, serverUrl.length() - 1) : serverUrl)
                .replace("@SECRET@", secretName)
                .replace(
                        "@CACERT@",
                        ca.isEmpty()
                                ? "# no CA is given: the machine's own list of CAs decides"
                                : "cacert = \"ca.crt\"")
                .replace(
                        "@CA@",
                        ca.isEmpty()
                                ? ""
                                : "cat >\"$work/ca.crt\" <<'" + END_OF_CA + "'\n" + ca + "\n" + END_OF_CA + "\n")
                .replace("@TOKEN@", token.reveal().replace("\\", "\\\\").replace("\"", "\\\""));
    }

    private static TenantMistake unusable(Reason reason, String what, String cure) {
        return new TenantMistake(new Problem(reason, ProblemObject.input("edge provider script"), "", what, cure));
    }
}
