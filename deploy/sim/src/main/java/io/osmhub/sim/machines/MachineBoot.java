package io.osmhub.sim.machines;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.sim.auth.Authenticator;
import io.osmhub.sim.auth.AuthorizationAttributes;
import io.osmhub.sim.auth.Authorizer;
import io.osmhub.sim.auth.UserIdentity;
import io.osmhub.sim.json.JsonTrees;
import io.osmhub.sim.objects.ObjectOperations;
import io.osmhub.sim.resource.BuiltInResources;
import io.osmhub.sim.store.StoredObject;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Boots a machine on paper: everything that a real one needs on its way to the cluster is looked at, in the order in which it would be
 * needed. What would fail there fails here, with a reason.
 */
final class MachineBoot {
    private static final String NAMESPACE = "cloud-init-settings";
    private static final String REVISION = "k8c.io/machine-deployment-revision";
    private static final Pattern BEARER = Pattern.compile("Authorization:\\s*Bearer\\s+([^'\"\\s]+)");
    private static final Pattern FETCHED =
            Pattern.compile("/api/v1/namespaces/" + NAMESPACE + "/secrets/([a-z0-9.-]+)");
    private static final Pattern KUBELET_TOKEN =
            Pattern.compile("(?m)^\\s*token:\\s*[\"']?([A-Za-z0-9._-]{20,})[\"']?\\s*$");
    private static final Pattern KUBELET_CA = Pattern.compile("certificate-authority-data:\\s*([A-Za-z0-9+/=]+)");

    /** How far a machine came. */
    sealed interface BootResult {
        /** It joined the cluster. */
        record Joined() implements BootResult {}

        /** It did not: a word and a sentence. */
        record Stuck(String reason, String message) implements BootResult {}
    }

    private final ObjectOperations objects;
    private final Authenticator authenticator;
    private final Authorizer authorizer;
    private final String caPem;

    MachineBoot(ObjectOperations objects, Authenticator authenticator, Authorizer authorizer, String caPem) {
        this.objects = objects;
        this.authenticator = authenticator;
        this.authorizer = authorizer;
        this.caPem = caPem;
    }

    /** Boots a machine of a MachineDeployment at its current revision. */
    BootResult boot(String namespace, String name, String revision) {
        String bootstrapName = "%s-%s-bootstrap-config".formatted(name, namespace);
        StoredObject secret = objects.store().get(BuiltInResources.SECRETS, NAMESPACE, bootstrapName);
        if (secret == null) {
            return new BootResult.Stuck(
                    "BootstrapSecretMissing", "there is no Secret %s/%s yet".formatted(NAMESPACE, bootstrapName));
        }
        String found = JsonTrees.text(secret.tree(), "metadata", "annotations", REVISION);
        if (!found.equals(revision)) {
            return new BootResult.Stuck(
                    "BootstrapSecretOutdated",
                    "Secret %s is for revision \"%s\" of the MachineDeployment, which is at %s"
                            .formatted(bootstrapName, found, revision));
        }
        String text = cloudConfig(secret);
        if (!DecodedUserData.isKnownFormat(text)) {
            return new BootResult.Stuck(
                    "BootstrapSecretUnreadable",
                    "Secret %s holds neither cloud-config nor Ignition".formatted(bootstrapName));
        }
        DecodedUserData bootstrap = DecodedUserData.of(text);
        Optional<String> token = bootstrap.find(BEARER);
        return switch (fetch(bootstrap, token, bootstrapName, "cloud-config", "ProvisioningSecretMissing")) {
            case FetchResult.Nothing(BootResult.Stuck why) -> why;
            case FetchResult.Value(String secretName, String provisioning) ->
                provision(provisioning, secretName, token);
        };
    }

    /** @param kept the token that the bootstrap left on the machine */
    private BootResult provision(String text, String secretName, Optional<String> kept) {
        if (!DecodedUserData.isKnownFormat(text)) {
            return new BootResult.Stuck(
                    "ProvisioningSecretUnreadable",
                    "Secret %s holds neither cloud-config nor Ignition".formatted(secretName));
        }
        DecodedUserData provisioning = DecodedUserData.of(text);
        if (provisioning.find(KUBELET_TOKEN).isPresent()) {
            return join(provisioning, secretName);
        }
        // Most profiles store the kubelet's credential in a separate Secret, which the machine fetches too.
        if (provisioning.find(FETCHED).isEmpty()) {
            return new BootResult.Stuck(
                    "NoKubeletToken", "Secret %s gives the kubelet no token to join with".formatted(secretName));
        }
        Optional<String> token = provisioning.find(BEARER).or(() -> kept);
        return switch (fetch(provisioning, token, secretName, "kubeconfig", "KubeletSecretMissing")) {
            case FetchResult.Nothing(BootResult.Stuck why) -> why;
            case FetchResult.Value(String kubelet, String kubeconfig) -> join(DecodedUserData.of(kubeconfig), kubelet);
        };
    }

    /** What a machine gets when it runs the download that a document asks for. */
    private sealed interface FetchResult {
        record Value(String secretName, String text) implements FetchResult {}

        record Nothing(BootResult.Stuck why) implements FetchResult {}
    }

    private FetchResult fetch(
            DecodedUserData document, Optional<String> token, String documentName, String key, String missing) {
        Optional<String> name = document.find(FETCHED);
        if (name.isEmpty()) {
            return missing("NothingToFetch", "Secret %s does not say what to fetch next".formatted(documentName));
        }
        Optional<UserIdentity> reader = token.flatMap(authenticator::authenticateToken);
        if (reader.isEmpty()) {
            return missing("FetchTokenInvalid", "the token in Secret %s is not valid".formatted(documentName));
        }
        AuthorizationAttributes read = new AuthorizationAttributes("get", "", "secrets", "", NAMESPACE, name.get(), "");
        if (!authorizer.allows(reader.get(), read)) {
            return missing(
                    "FetchForbidden",
                    "%s may not read Secret %s".formatted(reader.get().name(), name.get()));
        }
        StoredObject secret = objects.store().get(BuiltInResources.SECRETS, NAMESPACE, name.get());
        if (secret == null) {
            return missing(missing, "there is no Secret %s/%s".formatted(NAMESPACE, name.get()));
        }
        return new FetchResult.Value(name.get(), decode(JsonTrees.text(secret.tree(), "data", key)));
    }

    private static FetchResult missing(String reason, String message) {
        return new FetchResult.Nothing(new BootResult.Stuck(reason, message));
    }

    private BootResult join(DecodedUserData kubeconfig, String name) {
        Optional<String> token = kubeconfig.find(KUBELET_TOKEN);
        if (token.isEmpty()) {
            return new BootResult.Stuck(
                    "NoKubeletToken", "Secret %s gives the kubelet no token to join with".formatted(name));
        }
        if (authenticator.authenticateToken(token.get()).isEmpty()) {
            return new BootResult.Stuck(
                    "KubeletTokenInvalid",
                    "the token that Secret %s gives the kubelet is unknown or has expired".formatted(name));
        }
        Optional<String> authority = kubeconfig.find(KUBELET_CA);
        if (authority.isPresent() && !decode(authority.get()).strip().equals(caPem.strip())) {
            return new BootResult.Stuck(
                    "KubeletTrustsAnother",
                    "the kubeconfig in Secret %s trusts another certificate authority than this cluster's"
                            .formatted(name));
        }
        return new BootResult.Joined();
    }

    private static String cloudConfig(StoredObject secret) {
        ObjectNode tree = secret.tree();
        return decode(JsonTrees.text(tree, "data", "cloud-config"));
    }

    private static String decode(String base64) {
        return new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8);
    }
}
