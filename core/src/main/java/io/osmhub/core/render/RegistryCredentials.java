package io.osmhub.core.render;

import io.osmhub.core.document.DocumentNode;
import io.osmhub.core.document.FindingsCollector;
import io.osmhub.core.document.ObjectFieldReader;
import io.osmhub.core.document.SourceDocument;
import io.osmhub.core.model.UrlHost;
import io.osmhub.core.problem.ProblemObject;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.SourcePosition;
import io.osmhub.core.render.CredentialRemover.CredentialPlaceholder;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Credentials of image registries, by the name that the container runtime uses. */
public record RegistryCredentials(SortedMap<String, Credential> byRegistry) {
    public static final RegistryCredentials NONE = new RegistryCredentials(new TreeMap<>());

    private static final DocumentNode NOTHING = new DocumentNode.Fields(List.of(), SourcePosition.NONE);
    private static final String DOCKER_CONFIG_TYPE = "kubernetes.io/dockerconfigjson";
    private static final String DOCKER_CONFIG_KEY = ".dockerconfigjson";

    public RegistryCredentials {
        byRegistry = Collections.unmodifiableSortedMap(new TreeMap<>(byRegistry));
    }

    /** One registry's credential; missing parts are empty. */
    public record Credential(String username, String password, String auth, String identityToken) {
        @Override
        public String toString() {
            return "<redacted>";
        }

        Credential redacted() {
            CredentialPlaceholder placeholder = CredentialPlaceholder.REGISTRY_CREDENTIALS;
            return new Credential(
                    placeholder.redact(username),
                    placeholder.redact(password),
                    placeholder.redact(auth),
                    placeholder.redact(identityToken));
        }
    }

    /** The same registries with placeholders. */
    RegistryCredentials redacted() {
        SortedMap<String, Credential> redacted = new TreeMap<>();
        byRegistry.forEach((registry, credential) -> redacted.put(registry, credential.redacted()));
        return new RegistryCredentials(redacted);
    }

    /**
     * Reads a Secret: a Docker configuration, or one JSON object for each registry.
     *
     * @param secret its namespace and name, for findings
     * @param type of the Secret
     * @param data decoded values by key
     * @throws io.osmhub.core.problem.TenantMistake {@code RegistryCredentialsInvalid}; no message contains a value
     */
    public static RegistryCredentials read(String secret, @Nullable String type, Map<String, String> data) {
        FindingsCollector mistakes =
                new FindingsCollector(ProblemObject.of("Secret", secret), Reason.RegistryCredentialsInvalid);
        SortedMap<String, Credential> credentials = new TreeMap<>();
        if (DOCKER_CONFIG_TYPE.equals(type)) {
            String key = "key " + DOCKER_CONFIG_KEY;
            ObjectFieldReader config = reader(data.getOrDefault(DOCKER_CONFIG_KEY, ""), key, mistakes);
            new TreeMap<>(config.map("auths", (auth, at) -> ObjectFieldReader.ofGoJson(auth, key, mistakes)))
                    .forEach((registry, auth) -> credentials.put(runtimeName(registry), credential(auth)));
        } else {
            new TreeMap<>(data).forEach((registry, json) -> {
                ObjectFieldReader auth = reader(json, "key " + registry, mistakes);
                credentials.put(runtimeName(registry), credential(auth));
            });
        }
        mistakes.throwIfAny();
        return new RegistryCredentials(credentials);
    }

    private static ObjectFieldReader reader(String json, String path, FindingsCollector mistakes) {
        DocumentNode node = SourceDocument.parseJson(json);
        if (node == null) {
            mistakes.add(
                    path,
                    "is not valid JSON",
                    "expected .dockerconfigjson with auths, or one JSON object for each registry");
        }
        return ObjectFieldReader.ofGoJson(node == null ? NOTHING : node, path, mistakes);
    }

    private static Credential credential(ObjectFieldReader auth) {
        return new Credential(
                auth.text("username", ""),
                auth.text("password", ""),
                auth.text("auth", ""),
                auth.text("identitytoken", ""));
    }

    /** The host of a name that is a URL, else the name. */
    private static String runtimeName(String name) {
        UrlHost host = UrlHost.parse(name);
        return host == null || host.hostAndPort().isEmpty() ? name : host.hostAndPort();
    }
}
