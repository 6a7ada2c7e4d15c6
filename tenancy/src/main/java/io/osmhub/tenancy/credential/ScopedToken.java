package io.osmhub.tenancy.credential;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.authentication.TokenRequest;
import io.fabric8.kubernetes.api.model.authentication.TokenRequestBuilder;
import io.fabric8.kubernetes.api.model.authentication.TokenRequestStatus;
import io.osmhub.core.model.Sensitive;
import io.osmhub.tenancy.kubeconfig.ValidatedKubeconfig;
import io.osmhub.tenancy.management.WireJson;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.KubeApi;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** A token of the hub's account in a worker cluster. */
public record ScopedToken(WorkerServiceAccount account, Sensitive token, Instant expiresAt) {
    /**
     * Requests a token from the worker cluster; blocks.
     *
     * @throws ApiFailure also if the response contains none
     */
    public static ScopedToken request(KubeApi worker, WorkerServiceAccount account) throws ApiFailure {
        TokenRequest request = new TokenRequestBuilder()
                .withNewSpec()
                .withExpirationSeconds(account.lifetime().toSeconds())
                .endSpec()
                .build();
        TokenRequestStatus status = WireJson.present(
                        worker.<@Nullable TokenRequest>call(client -> client.serviceAccounts()
                                .inNamespace(account.namespace())
                                .withName(account.name())
                                .tokenRequest(request)),
                        "a TokenRequest")
                .getStatus();
        if (status == null || status.getToken() == null || status.getToken().isEmpty()) {
            throw WireJson.unexpected("a token");
        }
        if (status.getExpirationTimestamp() == null) {
            throw WireJson.unexpected("a TokenRequest");
        }
        try {
            return new ScopedToken(
                    account, new Sensitive(status.getToken()), Instant.parse(status.getExpirationTimestamp()));
        } catch (DateTimeParseException e) {
            throw WireJson.unexpected("a TokenRequest");
        }
    }

    /** Creates a kubeconfig for the same server with this token. */
    public Sensitive kubeconfig(ValidatedKubeconfig from) {
        ObjectNode cluster = WireJson.object().put("server", from.server().toString());
        String authorities = from.certificateAuthorityPem();
        if (authorities != null) {
            cluster.put(
                    "certificate-authority-data",
                    Base64.getEncoder().encodeToString(authorities.getBytes(StandardCharsets.US_ASCII)));
        }
        if (from.insecureSkipTlsVerify()) {
            cluster.put("insecure-skip-tls-verify", true);
        }
        if (from.proxy() != null) {
            cluster.put("proxy-url", from.proxy().toString());
        }
        String name = WireJson.quote(account.name());
        return new Sensitive("""
                apiVersion: v1
                kind: Config
                clusters:
                - name: worker
                  cluster: %s
                users:
                - name: %s
                  user: {token: %s}
                contexts:
                - name: worker
                  context: {cluster: worker, user: %s}
                current-context: worker
                """.formatted(WireJson.text(cluster), name, WireJson.quote(token.reveal()), name));
    }
}
