package io.osmhub.sim.controllers;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.sim.auth.Authenticator;
import io.osmhub.sim.auth.Authorizer;
import io.osmhub.sim.auth.Authorizer.AuthorizationAttributes;
import io.osmhub.sim.auth.UserIdentity;
import io.osmhub.sim.objects.JsonTrees;
import io.osmhub.sim.objects.ObjectOperations;
import io.osmhub.sim.objects.ResourceCatalog;
import io.osmhub.sim.objects.StoredObject;
import java.net.URLDecoder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Simulates the boot of a machine: reads everything that a real one needs on its way to the cluster, in the same order, and fails with a
 * reason where the real boot would fail.
 */
record MachineBoot(ObjectOperations objects, Authenticator authenticator, Authorizer authorizer, String caPem) {
    private static final String NAMESPACE = "cloud-init-settings";
    private static final String REVISION = "k8c.io/machine-deployment-revision";

    /**
     * Operating systems that machine-controller is documented to support, by cloud provider: its reference "Operating Systems" of March
     * 2026 (docs.kubermatic.com/machine-controller/main/references/operating-systems); KubeVirt's also by SupportedOS in the types of its
     * provider. A provider that is not listed there gets any.
     */
    private static final Map<String, Set<String>> OPERATING_SYSTEMS = Map.ofEntries(
            Map.entry("aws", Set.of("ubuntu", "flatcar", "rhel", "amzn2", "rockylinux")),
            Map.entry("azure", Set.of("ubuntu", "flatcar", "rhel", "rockylinux")),
            Map.entry("digitalocean", Set.of("ubuntu", "rockylinux")),
            Map.entry("equinixmetal", Set.of("ubuntu", "flatcar", "rockylinux")),
            Map.entry("gce", Set.of("ubuntu", "flatcar")),
            Map.entry("hetzner", Set.of("ubuntu", "rockylinux")),
            Map.entry("kubevirt", Set.of("ubuntu", "flatcar", "rhel", "rockylinux")),
            Map.entry("nutanix", Set.of("ubuntu")),
            Map.entry("openstack", Set.of("ubuntu", "flatcar", "rhel", "rockylinux")),
            Map.entry("vmware-cloud-director", Set.of("ubuntu", "flatcar")),
            Map.entry("vsphere", Set.of("ubuntu", "flatcar", "rhel", "rockylinux")));

    private static final Pattern BEARER = Pattern.compile("Authorization:\\s*Bearer\\s+([^'\"\\s]+)");
    private static final Pattern FETCHED =
            Pattern.compile("/api/v1/namespaces/" + NAMESPACE + "/secrets/([a-z0-9.-]+)");
    private static final Pattern KUBELET_TOKEN =
            Pattern.compile("(?m)^\\s*token:\\s*[\"']?([A-Za-z0-9._-]{20,})[\"']?\\s*$");
    private static final Pattern KUBELET_CA = Pattern.compile("certificate-authority-data:\\s*([A-Za-z0-9+/=]+)");

    /** Why a machine did not join: a word and a sentence. */
    static final class Stuck extends Exception {
        private final String reason;

        Stuck(String reason, String message) {
            super(message, null, false, false);
            this.reason = reason;
        }

        String reason() {
            return reason;
        }
    }

    /** Boots a machine of a MachineDeployment at its current revision; returns when it has joined the cluster. */
    void boot(String namespace, String name, String revision, StoredObject machine) throws Stuck {
        JsonNode provider = JsonTrees.at(machine.tree(), "spec", "providerSpec", "value");
        requireSupported(provider);
        String bootstrapName = "%s-%s-bootstrap-config".formatted(name, namespace);
        ObjectNode secret = secret(bootstrapName, "BootstrapSecretMissing");
        String found = JsonTrees.text(secret, "metadata", "annotations", REVISION);
        if (!found.equals(revision)) {
            throw new Stuck(
                    "BootstrapSecretOutdated",
                    "Secret %s is for revision \"%s\" of the MachineDeployment, which is at %s"
                            .formatted(bootstrapName, found, revision));
        }
        ProviderUserData passed = ProviderUserData.of(
                document(secret, bootstrapName, "BootstrapSecretUnreadable"), machine.name(), provider);
        if (passed.isTooLarge()) {
            throw new Stuck(
                    "UserDataTooLarge",
                    "the provider accepts user-data of %d B, and Secret %s has %d B"
                            .formatted(passed.limitBytes(), bootstrapName, passed.passedBytes()));
        }
        DecodedUserData bootstrap = DecodedUserData.of(passed.document());
        Optional<String> token = bootstrap.find(BEARER);
        String provisioningName = fetchedBy(bootstrap, bootstrapName);
        ObjectNode fetched = fetch(provisioningName, token, bootstrapName, "ProvisioningSecretMissing");
        DecodedUserData provisioning =
                DecodedUserData.of(document(fetched, provisioningName, "ProvisioningSecretUnreadable"));
        if (provisioning.find(KUBELET_TOKEN).isPresent()) {
            join(provisioning, provisioningName);
            return;
        }
        // Most profiles store the kubelet's credential in a separate Secret, which the machine fetches too.
        if (provisioning.find(FETCHED).isEmpty()) {
            throw noKubeletToken(provisioningName);
        }
        String kubeletName = fetchedBy(provisioning, provisioningName);
        Optional<String> ownToken = provisioning.find(BEARER).or(() -> token);
        ObjectNode kubelet = fetch(kubeletName, ownToken, provisioningName, "KubeletSecretMissing");
        join(DecodedUserData.of(decode(JsonTrees.text(kubelet, "data", "kubeconfig"))), kubeletName);
    }

    /** As machine-controller, before it looks for a Secret. */
    private static void requireSupported(JsonNode providerSpec) throws Stuck {
        String provider = providerSpec.path("cloudProvider").asText();
        String operatingSystem = providerSpec.path("operatingSystem").asText();
        Set<String> supported = OPERATING_SYSTEMS.get(provider);
        if (supported != null && !operatingSystem.isEmpty() && !supported.contains(operatingSystem)) {
            throw new Stuck(
                    "InvalidConfiguration",
                    "machine-controller does not support operating system \"%s\" on %s"
                            .formatted(operatingSystem, provider));
        }
    }

    private ObjectNode secret(String name, String missing) throws Stuck {
        StoredObject found = objects.store().get(ResourceCatalog.SECRETS, NAMESPACE, name);
        if (found == null) {
            throw new Stuck(missing, "there is no Secret %s/%s".formatted(NAMESPACE, name));
        }
        return found.tree();
    }

    private static String document(ObjectNode secret, String name, String unreadable) throws Stuck {
        String text = decode(JsonTrees.text(secret, "data", "cloud-config"));
        if (!DecodedUserData.isKnownFormat(text)) {
            throw new Stuck(unreadable, "Secret %s holds neither cloud-config nor Ignition".formatted(name));
        }
        return text;
    }

    /** The name of the Secret that a document downloads. */
    private static String fetchedBy(DecodedUserData document, String documentName) throws Stuck {
        return document.find(FETCHED)
                .orElseThrow(() -> new Stuck(
                        "NothingToFetch", "Secret %s does not name the Secret to fetch next".formatted(documentName)));
    }

    private ObjectNode fetch(String name, Optional<String> token, String documentName, String missing) throws Stuck {
        UserIdentity reader = token.flatMap(authenticator::authenticateToken)
                .orElseThrow(() ->
                        new Stuck("FetchTokenInvalid", "the token in Secret %s is not valid".formatted(documentName)));
        if (!authorizer.allows(reader, new AuthorizationAttributes("get", "", "secrets", "", NAMESPACE, name, ""))) {
            throw new Stuck("FetchForbidden", "%s may not read Secret %s".formatted(reader.name(), name));
        }
        return secret(name, missing);
    }

    private void join(DecodedUserData kubeconfig, String name) throws Stuck {
        String token = kubeconfig.find(KUBELET_TOKEN).orElseThrow(() -> noKubeletToken(name));
        if (authenticator.authenticateToken(token).isEmpty()) {
            throw new Stuck(
                    "KubeletTokenInvalid",
                    "the kubelet's token in Secret %s is unknown or has expired".formatted(name));
        }
        Optional<String> authority = kubeconfig.find(KUBELET_CA);
        if (authority.isPresent() && !decode(authority.get()).strip().equals(caPem.strip())) {
            throw new Stuck(
                    "KubeletTrustsAnother",
                    "the kubeconfig in Secret %s trusts another certificate authority than this cluster's"
                            .formatted(name));
        }
    }

    private static Stuck noKubeletToken(String name) {
        return new Stuck("NoKubeletToken", "Secret %s has no token for the kubelet to join with".formatted(name));
    }

    private static String decode(String base64) {
        return new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8);
    }

    /** User-data with all of its encoded parts decoded: cloud-config's base64 and Ignition's data URLs. */
    static final class DecodedUserData {
        private static final Pattern BASE64 = Pattern.compile("[A-Za-z0-9+/]{24,}={0,2}");
        private static final Pattern DATA_URL = Pattern.compile("data:[^,\"\\s]*,([^\"\\s]*)");
        private static final int MAX_DEPTH = 4;

        private final List<String> texts = new ArrayList<>();

        private DecodedUserData() {}

        static DecodedUserData of(String text) {
            DecodedUserData found = new DecodedUserData();
            found.collect(text, 0);
            return found;
        }

        /** Whether it is cloud-config, a script or Ignition. */
        static boolean isKnownFormat(String text) {
            String start = text.stripLeading();
            return start.startsWith("#cloud-config")
                    || start.startsWith("#!")
                    || (start.startsWith("{") && text.contains("\"ignition\""));
        }

        /** The first match of a pattern's first group in any decoded part. */
        Optional<String> find(Pattern pattern) {
            for (String text : texts) {
                Matcher matcher = pattern.matcher(text);
                if (matcher.find()) {
                    return Optional.of(matcher.group(1));
                }
            }
            return Optional.empty();
        }

        private void collect(String text, int depth) {
            texts.add(text);
            if (depth == MAX_DEPTH) {
                return;
            }
            Matcher base64 = BASE64.matcher(text);
            while (base64.find()) {
                decode(base64.group()).ifPresent(decoded -> collect(decoded, depth + 1));
            }
            Matcher url = DATA_URL.matcher(text);
            while (url.find()) {
                String plain = URLDecoder.decode(url.group(1).replace("+", "%2B"), StandardCharsets.UTF_8);
                collect(plain, depth + 1);
            }
        }

        // Not everything that looks like base64 is; what does not decode to text is ignored.
        private static Optional<String> decode(String candidate) {
            try {
                byte[] bytes = Base64.getDecoder().decode(candidate);
                return Optional.of(StandardCharsets.UTF_8
                        .newDecoder()
                        .decode(java.nio.ByteBuffer.wrap(bytes))
                        .toString());
            } catch (IllegalArgumentException | CharacterCodingException notText) {
                return Optional.empty();
            }
        }
    }
}
