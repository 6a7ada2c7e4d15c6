package io.osmhub.tenancy.credential;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.model.Sensitive;
import io.osmhub.tenancy.kubeconfig.ValidatedKubeconfig;
import io.osmhub.tenancy.wire.WireJson;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.apiserver.Verb;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Base64;
import java.util.TreeMap;

/** A token of the hub's account in a worker cluster. */
public record ScopedToken(WorkerServiceAccount account, Sensitive token, Instant expiresAt) {
    /**
     * Requests a token from the worker cluster; blocks.
     *
     * @throws ApiFailure also if the response contains none
     */
    public static ScopedToken request(KubeApi worker, WorkerServiceAccount account) throws ApiFailure {
        ObjectNode request = WireJson.object();
        request.put("apiVersion", "authentication.k8s.io/v1").put("kind", "TokenRequest");
        request.putObject("spec").put("expirationSeconds", account.lifetime().toSeconds());
        byte[] answer = worker.send(new ApiRequest(
                Verb.CREATE,
                Resource.SERVICE_ACCOUNTS,
                account.namespace(),
                account.name(),
                "token",
                new TreeMap<>(),
                ApiRequest.JSON,
                WireJson.text(request)));
        try {
            JsonNode status = WireJson.response(answer, "a TokenRequest").path("status");
            String token = status.path("token").asText();
            if (token.isEmpty()) {
                throw WireJson.unexpected("a token");
            }
            return new ScopedToken(
                    account,
                    new Sensitive(token),
                    Instant.parse(status.path("expirationTimestamp").asText()));
        } catch (DateTimeParseException e) {
            throw WireJson.unexpected("a TokenRequest");
        }
    }

    /** Creates a kubeconfig for the same server with this token. */
    public Sensitive kubeconfig(ValidatedKubeconfig from) {
        StringBuilder text = new StringBuilder(4096);
        text.append("apiVersion: v1\nkind: Config\nclusters:\n- name: worker\n  cluster:\n    server: ")
                .append(WireJson.quote(from.server().toString()))
                .append('\n');
        String authorities = from.certificateAuthorityPem();
        if (authorities != null) {
            text.append("    certificate-authority-data: ")
                    .append(Base64.getEncoder().encodeToString(authorities.getBytes(StandardCharsets.US_ASCII)))
                    .append('\n');
        }
        if (from.insecureSkipTlsVerify()) {
            text.append("    insecure-skip-tls-verify: true\n");
        }
        if (from.proxy() != null) {
            text.append("    proxy-url: ")
                    .append(WireJson.quote(from.proxy().toString()))
                    .append('\n');
        }
        text.append("users:\n- name: ")
                .append(WireJson.quote(account.name()))
                .append("\n  user:\n    token: ")
                .append(WireJson.quote(token.reveal()))
                .append("\ncontexts:\n- name: worker\n  context: {cluster: worker, user: ")
                .append(WireJson.quote(account.name()))
                .append("}\ncurrent-context: worker\n");
        return new Sensitive(text.toString());
    }
}
