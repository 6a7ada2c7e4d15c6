package io.osmhub.deploy.render;

import io.osmhub.core.bootstrap.ApiServer;
import io.osmhub.core.bootstrap.ApiServerDiscovery;
import io.osmhub.core.bootstrap.ObjectNames;
import io.osmhub.core.cluster.ClusterObjects;
import io.osmhub.core.document.SourceText;
import io.osmhub.core.model.Sensitive;
import io.osmhub.core.problem.Finding;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.render.Placeholder;
import io.osmhub.core.render.RenderInput;
import io.osmhub.core.settings.TenantSettings.Bootstrap;
import io.osmhub.core.settings.TenantSettings.ServiceAccountName;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How machines get in: API server and tokens, from files; a stand-in with a note for each that is not given. */
final class AccessInput {
    /** Reserved for addresses that lead nowhere. */
    static final String STAND_IN_SERVER = "https://api.example.invalid:6443";

    private final RenderRequest request;
    private final Manifests manifests;
    private final Mistakes mistakes;
    private final List<String> notes;
    private int placeholders;

    AccessInput(RenderRequest request, Manifests manifests, Mistakes mistakes, List<String> notes) {
        this.request = request;
        this.manifests = manifests;
        this.mistakes = mistakes;
        this.notes = notes;
    }

    /** How many placeholders stand for tokens. */
    int placeholders() {
        return placeholders;
    }

    /** The API server as nodes reach it; {@code ca} is empty to take the one that is found with it. */
    ApiServer apiServer(Bootstrap settings, ClusterObjects objects, String ca) {
        String clusterInfo =
                request.clusterInfo() == null ? objects.clusterInfo() : manifests.text(request.clusterInfo());
        String override = settings.apiServerUrl();
        if (clusterInfo == null && objects.endpointSlices().isEmpty() && override.isEmpty()) {
            if (request.clusterInfo() == null) {
                notes.add(STAND_IN_SERVER + " stands for the API server; give --cluster-info, or set"
                        + " provisioning.bootstrap.apiServerURL");
            }
            override = STAND_IN_SERVER;
        }
        ApiServerDiscovery.Sources sources = new ApiServerDiscovery.Sources(clusterInfo, objects.endpointSlices(), ca);
        try {
            ApiServer found = ApiServerDiscovery.find(sources, override);
            if (found.server().isEmpty()) {
                mistakes.add(new Mistake(
                        request.clusterInfo() == null ? "--objects" : InputFiles.nameOf(request.clusterInfo()),
                        "clusters[0].cluster.server",
                        "is missing",
                        "write the URL with which nodes reach the API server"));
            }
            return found;
        } catch (TenantMistake e) {
            addClusterInfo(e.findings(), clusterInfo);
            return ApiServerDiscovery.find(new ApiServerDiscovery.Sources(null, List.of(), ca), STAND_IN_SERVER);
        }
    }

    private void addClusterInfo(List<Finding> findings, @Nullable String clusterInfo) {
        if (request.clusterInfo() == null || clusterInfo == null) {
            mistakes.add(findings, "--objects");
            return;
        }
        String file = InputFiles.nameOf(request.clusterInfo());
        try {
            List<SourceText> sources = SourceText.read(file, clusterInfo, "");
            for (Finding finding : findings) {
                mistakes.add(sources.isEmpty() ? Mistake.of(file, finding) : Mistake.in(sources.getFirst(), finding));
            }
        } catch (TenantMistake e) {
            // No YAML: then the finding says so and has the line itself.
            findings.forEach(finding -> mistakes.add(Mistake.of(file, finding)));
        }
    }

    RenderInput.Access access(ApiServer apiServer, Bootstrap settings, ObjectNames names, ClusterObjects objects) {
        return new RenderInput.Access(
                apiServer,
                orPlaceholder(
                        token(request.bootstrapToken()),
                        () -> bootstrapToken(settings.serviceAccount(), names, objects),
                        "--bootstrap-token-file",
                        Placeholder.BOOTSTRAP_TOKEN,
                        "the token with which kubelets join"),
                orPlaceholder(
                        token(request.fetchToken()),
                        objects::fetchToken,
                        "--fetch-token-file",
                        Placeholder.FETCH_TOKEN,
                        "the token with which machines fetch their provisioning secret"));
    }

    /** A token that may not be there. */
    @FunctionalInterface
    private interface Lookup {
        @Nullable Sensitive token();
    }

    private Sensitive orPlaceholder(
            @Nullable Sensitive given, Lookup lookup, String option, Placeholder placeholder, String what) {
        Sensitive token = given != null ? given : lookup.token();
        if (token == null) {
            placeholders++;
            notes.add(placeholder.text() + " stands for " + what + "; give " + option);
            return new Sensitive(placeholder.text());
        }
        return token;
    }

    private @Nullable Sensitive token(@Nullable String file) {
        String text = file == null ? null : manifests.text(file);
        if (file == null || text == null) {
            return null;
        }
        String token = text.strip();
        if (token.isEmpty() || token.chars().anyMatch(Character::isISOControl)) {
            mistakes.add(new Mistake(
                    InputFiles.nameOf(file),
                    "",
                    token.isEmpty() ? "is empty" : "holds more than one line",
                    "write the token alone, as plain text"));
            return null;
        }
        return new Sensitive(token);
    }

    private @Nullable Sensitive bootstrapToken(
            @Nullable ServiceAccountName account, ObjectNames names, ClusterObjects objects) {
        if (account != null) {
            return objects.serviceAccountToken(account);
        }
        List<Sensitive> tokens = objects.bootstrapTokens(names);
        if (tokens.size() > 1) {
            mistakes.add(new Mistake(
                    "--objects",
                    "",
                    "has " + tokens.size() + " bootstrap tokens for " + names.namespace() + "/" + names.name(),
                    "keep the Secret that is used"));
        }
        return tokens.isEmpty() ? null : tokens.getFirst();
    }
}
