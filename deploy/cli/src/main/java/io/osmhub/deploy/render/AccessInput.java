package io.osmhub.deploy.render;

import io.osmhub.core.bootstrap.ApiServerDiscovery;
import io.osmhub.core.bootstrap.ApiServerEndpoint;
import io.osmhub.core.bootstrap.ObjectNames;
import io.osmhub.core.cluster.ClusterSnapshot;
import io.osmhub.core.document.SourceDocument;
import io.osmhub.core.model.Sensitive;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.render.CredentialRemover.CredentialPlaceholder;
import io.osmhub.core.render.Renderer.RenderInput;
import io.osmhub.core.settings.TenantSettings.Bootstrap;
import io.osmhub.core.settings.TenantSettings.ServiceAccountName;
import io.osmhub.deploy.config.InputError;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** API server and tokens from files; a placeholder with a note for each that is missing. */
final class AccessInput {
    /** A reserved, unresolvable address. */
    static final String STAND_IN_SERVER = "https://api.example.invalid:6443";

    private final OfflineRenderRequest request;
    private final RenderInputs inputs;
    private int placeholders;

    AccessInput(OfflineRenderRequest request, RenderInputs inputs) {
        this.request = request;
        this.inputs = inputs;
    }

    /** Number of placeholders for tokens. */
    int placeholders() {
        return placeholders;
    }

    /** The API server's endpoint for nodes; an empty {@code ca} uses the discovered one. */
    ApiServerEndpoint apiServer(Bootstrap settings, ClusterSnapshot objects, String ca) {
        String clusterInfo = request.clusterInfo == null ? objects.clusterInfo() : inputs.text(request.clusterInfo);
        String override = settings.apiServerUrl();
        if (clusterInfo == null && objects.endpointSlices().isEmpty() && override.isEmpty()) {
            if (request.clusterInfo == null) {
                inputs.addNote(STAND_IN_SERVER + " is a placeholder for the API server; use --cluster-info or set"
                        + " provisioning.bootstrap.apiServerURL");
            }
            override = STAND_IN_SERVER;
        }
        ApiServerDiscovery.Sources sources = new ApiServerDiscovery.Sources(clusterInfo, objects.endpointSlices(), ca);
        try {
            ApiServerEndpoint found = ApiServerDiscovery.find(sources, override);
            if (found.server().isEmpty()) {
                inputs.add(new InputError(
                        request.clusterInfo == null ? "--objects" : RenderInputs.nameOf(request.clusterInfo),
                        "clusters[0].cluster.server",
                        "is missing",
                        "set the URL of the API server for nodes"));
            }
            return found;
        } catch (TenantMistake e) {
            addClusterInfo(e.findings(), clusterInfo);
            return ApiServerDiscovery.find(new ApiServerDiscovery.Sources(null, List.of(), ca), STAND_IN_SERVER);
        }
    }

    private void addClusterInfo(List<Problem> findings, @Nullable String clusterInfo) {
        if (request.clusterInfo == null || clusterInfo == null) {
            inputs.add(findings, "--objects");
            return;
        }
        String file = RenderInputs.nameOf(request.clusterInfo);
        try {
            List<SourceDocument> sources = SourceDocument.readAll(file, clusterInfo, Reason.ClusterInfoInvalid);
            for (Problem finding : findings) {
                inputs.add(
                        sources.isEmpty()
                                ? InputError.of(file, finding)
                                : InputError.ofDocument(sources.getFirst(), finding));
            }
        } catch (TenantMistake e) {
            // Not valid YAML: the finding itself has the position.
            findings.forEach(finding -> inputs.add(InputError.of(file, finding)));
        }
    }

    RenderInput.BootstrapAccess access(
            ApiServerEndpoint apiServer, Bootstrap settings, ObjectNames names, ClusterSnapshot objects) {
        return new RenderInput.BootstrapAccess(
                apiServer,
                orPlaceholder(
                        token(request.bootstrapToken),
                        () -> bootstrapToken(settings.serviceAccount(), names, objects),
                        "--bootstrap-token-file",
                        CredentialPlaceholder.BOOTSTRAP_TOKEN,
                        "the kubelets' bootstrap token"),
                orPlaceholder(
                        token(request.fetchToken),
                        objects::fetchToken,
                        "--fetch-token-file",
                        CredentialPlaceholder.FETCH_TOKEN,
                        "the token for fetching provisioning secrets"));
    }

    /** Looks up an optional token. */
    @FunctionalInterface
    private interface Lookup {
        @Nullable Sensitive token();
    }

    private Sensitive orPlaceholder(
            @Nullable Sensitive given, Lookup lookup, String option, CredentialPlaceholder placeholder, String what) {
        Sensitive token = given != null ? given : lookup.token();
        if (token == null) {
            placeholders++;
            inputs.addNote(placeholder.text() + " is a placeholder for " + what + "; use " + option);
            return new Sensitive(placeholder.text());
        }
        return token;
    }

    private @Nullable Sensitive token(@Nullable String file) {
        String text = file == null ? null : inputs.text(file);
        if (file == null || text == null) {
            return null;
        }
        String token = text.strip();
        if (token.isEmpty() || token.chars().anyMatch(Character::isISOControl)) {
            inputs.add(new InputError(
                    RenderInputs.nameOf(file),
                    "",
                    token.isEmpty() ? "is empty" : "contains more than one line",
                    "store only the token, as plain text"));
            return null;
        }
        return new Sensitive(token);
    }

    private @Nullable Sensitive bootstrapToken(
            @Nullable ServiceAccountName account, ObjectNames names, ClusterSnapshot objects) {
        if (account != null) {
            return objects.serviceAccountToken(account);
        }
        List<Sensitive> tokens = objects.bootstrapTokens(names);
        if (tokens.size() > 1) {
            inputs.add(new InputError(
                    "--objects",
                    "",
                    "has " + tokens.size() + " bootstrap tokens for " + names.namespace() + "/" + names.name(),
                    "keep only the Secret in use"));
        }
        return tokens.isEmpty() ? null : tokens.getFirst();
    }
}
