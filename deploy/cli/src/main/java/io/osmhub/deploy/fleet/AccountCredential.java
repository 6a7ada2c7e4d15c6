package io.osmhub.deploy.fleet;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.model.Sensitive;
import io.osmhub.tenancy.certificate.HubIssuedCertificate;
import io.osmhub.tenancy.management.WireJson;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.apiserver.Verb;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Tokens of a ServiceAccount, requested with the permissions of the kubeconfig's user. The kubeconfig's own credential is never sent
 * to the hub, which could use it elsewhere and rejects it by default; the hub gets a token for its audience only. Thread-safe.
 */
final class AccountCredential implements AutoCloseable {
    /** Name of the account that {@code hub login} creates in the hub's namespace. */
    static final String VIEWER = "osm-hub-viewer";

    static final String ELSEWHERE = ", or use the API's URL with --server";

    /** The default of {@code api.audiences}. */
    private static final String AUDIENCE = "osm-hub";

    private static final String WEBHOOKS = "osm-hub";
    private static final Duration TOKEN_LIFETIME = Duration.ofHours(1);
    private static final Duration RENEWED_BEFORE_END = Duration.ofMinutes(10);

    private static final String LABELS = "\"labels\": {\"app.kubernetes.io/name\": \"osm-hub\"}";
    /** As of the ClusterRole osmhub.io:viewer, which only the chart installs. */
    static final String ROLE = """
            {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRole",
             "metadata": {"name": "osm-hub-viewer", %s},
             "rules": [
              {"apiGroups": ["osmhub.io"], "resources": ["workerclusters", "operatingsystemprofileextensions"], "verbs": ["get", "list", "watch"]},
              {"apiGroups": ["operatingsystemmanager.k8c.io"],
               "resources": ["operatingsystemprofiles", "operatingsystemconfigs"], "verbs": ["get", "list", "watch"]},
              {"apiGroups": ["events.k8s.io"], "resources": ["events"], "verbs": ["get", "list", "watch"]}]}""".formatted(LABELS);

    private final ManagementClient management;
    private final String namespace;
    private final String name;
    private @Nullable Sensitive sensitiveToken;
    private Instant renewAt = Instant.MIN;

    /** @param account {@code NAMESPACE/NAME} */
    AccountCredential(ManagementClient management, String account) {
        if (!account.matches("[^/]+/[^/]+")) {
            throw CommandFailure.unusable("--service-account " + account + ": expected NAMESPACE/NAME");
        }
        this.management = management;
        this.namespace = account.substring(0, account.indexOf('/'));
        this.name = account.substring(account.indexOf('/') + 1);
    }

    /** The account, for messages. */
    @Override
    public String toString() {
        return "ServiceAccount " + namespace + "/" + name;
    }

    /** Renewed in time for commands that follow changes. */
    synchronized Sensitive token() {
        Sensitive known = sensitiveToken;
        if (known != null && Instant.now().isBefore(renewAt)) {
            return known;
        }
        ObjectNode request = WireJson.object();
        request.put("apiVersion", "authentication.k8s.io/v1").put("kind", "TokenRequest");
        ObjectNode spec = request.putObject("spec").put("expirationSeconds", TOKEN_LIFETIME.toSeconds());
        spec.putArray("audiences").add(AUDIENCE);
        try {
            JsonNode status = WireJson.read(management
                            .management()
                            .send(new ApiRequest(
                                    Verb.CREATE,
                                    Resource.SERVICE_ACCOUNTS,
                                    namespace,
                                    name,
                                    "token",
                                    new TreeMap<>(),
                                    ApiRequest.JSON,
                                    WireJson.text(request))))
                    .path("status");
            Sensitive issued = new Sensitive(status.path("token").asText());
            if (issued.reveal().isEmpty()) {
                throw new IOException("no token");
            }
            sensitiveToken = issued;
            renewAt = Instant.now().plus(TOKEN_LIFETIME).minus(RENEWED_BEFORE_END);
            return issued;
        } catch (ApiFailure e) {
            throw explain(e, management, "request tokens of " + this);
        } catch (IOException e) {
            throw CommandFailure.unreachable("unexpected response from " + management.describe() + ": no token");
        }
    }

    /** Creates the read-only account unless it exists; returns whether it did not. Its permissions are created first. */
    boolean create() {
        try {
            token();
            return false;
        } catch (CommandFailure e) {
            if (e.kind() != CommandFailure.CommandFailureKind.NOT_FOUND) {
                throw e;
            }
        }
        create(Resource.CLUSTER_ROLES, "", ROLE);
        create(Resource.CLUSTER_ROLE_BINDINGS, "", """
                {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRoleBinding",
                 "metadata": {"name": "osm-hub-viewer:%1$s", %2$s},
                 "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "osm-hub-viewer"},
                 "subjects": [{"kind": "ServiceAccount", "namespace": "%1$s", "name": "osm-hub-viewer"}]}""".formatted(namespace, LABELS));
        create(Resource.SERVICE_ACCOUNTS, namespace, """
                {"apiVersion": "v1", "kind": "ServiceAccount", "automountServiceAccountToken": false,
                 "metadata": {"name": "osm-hub-viewer", "namespace": "%s", %s}}""".formatted(namespace, LABELS));
        token();
        return true;
    }

    private void create(Resource kind, String in, String object) {
        try {
            management.management().send(ApiRequest.create(kind, in, object));
        } catch (ApiFailure e) {
            if (!e.isAlreadyExists()) {
                throw explain(e, management, "create " + this + " with its ClusterRole and ClusterRoleBinding");
            }
        }
    }

    /**
     * The certificate authority of the hub as the management cluster knows it, in PEM: that of its webhooks. Empty if it may not be
     * read.
     */
    String authorities() {
        return authorities(
                ApiRequest.get(Resource.VALIDATING_WEBHOOK_CONFIGURATIONS, "", WEBHOOKS),
                "/webhooks/0/clientConfig/caBundle");
    }

    /** Like {@link #authorities}, also of a hub without webhooks. */
    String storedAuthorities(String hubNamespace) {
        String ofWebhooks = authorities();
        return ofWebhooks.isEmpty()
                ? authorities(
                        ApiRequest.get(Resource.SECRETS, hubNamespace, HubIssuedCertificate.SECRET), "/data/ca.crt")
                : ofWebhooks;
    }

    private String authorities(ApiRequest request, String pointer) {
        KubeApi api = management.management();
        try {
            String bundle = WireJson.read(api.send(request)).at(pointer).asText();
            return new String(Base64.getMimeDecoder().decode(bundle), StandardCharsets.US_ASCII);
        } catch (ApiFailure e) {
            if (e.isForbidden() || e.isNotFound()) {
                return "";
            }
            throw FailureMessages.of(e, management.describe());
        } catch (IOException | IllegalArgumentException e) {
            return "";
        }
    }

    /** @param purpose what the user needs permission for */
    static CommandFailure explain(ApiFailure failure, ManagementClient management, String purpose) {
        CommandFailure plain = FailureMessages.of(failure, management.describe());
        if (failure.isForbidden()) {
            return new CommandFailure(plain.kind(), failure.text() + "; ask for permission to " + purpose + ELSEWHERE);
        }
        return failure.isNotFound()
                ? new CommandFailure(
                        plain.kind(),
                        failure.text() + "; check --service-account and --hub-namespace, or create the default account"
                                + " with hub login" + ELSEWHERE)
                : plain;
    }

    @Override
    public void close() {
        management.close();
    }
}
