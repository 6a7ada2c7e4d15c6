package io.osmhub.core.render;

import io.osmhub.core.json.GoStructDecoder;
import io.osmhub.core.json.GoStructDecoder.JsonDecodeError;
import io.osmhub.core.json.RawJson;
import io.osmhub.core.model.UrlHost;
import io.osmhub.core.problem.ProblemFinding;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.render.CredentialRemover.CredentialPlaceholder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Credentials of image registries, by the name that the container runtime uses. */
public record RegistryCredentials(SortedMap<String, Credential> byRegistry) {
    public static final RegistryCredentials NONE = new RegistryCredentials(new TreeMap<>());

    private static final String DOCKER_CONFIG_TYPE = "kubernetes.io/dockerconfigjson";
    private static final String DOCKER_CONFIG_KEY = ".dockerconfigjson";
    private static final List<String> FIELDS = List.of("username", "password", "auth", "identitytoken");

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
     * @param secret its name in findings, for example {@code Secret cluster-1/registries}
     * @param type of the Secret
     * @param data decoded values by key
     * @throws TenantMistake {@code RegistryCredentialsInvalid}; no message contains a value
     */
    public static RegistryCredentials read(String secret, @Nullable String type, Map<String, String> data) {
        SortedMap<String, Credential> credentials = new TreeMap<>();
        if (!DOCKER_CONFIG_TYPE.equals(type)) {
            new TreeMap<>(data)
                    .forEach((registry, json) -> credentials.put(
                            runtimeName(registry), credential(secret, registry, parse(secret, registry, json))));
            return new RegistryCredentials(credentials);
        }
        RawJson config = parse(secret, DOCKER_CONFIG_KEY, data.getOrDefault(DOCKER_CONFIG_KEY, ""));
        List<JsonDecodeError> mistakes = new ArrayList<>();
        GoStructDecoder reader = new GoStructDecoder("DockerConfigJSON", "", List.of("auths"), mistakes);
        SortedMap<String, Credential> byName = new TreeMap<>();
        reader.read(config, "DockerConfigJSON", (field, auths) -> {
            if (auths instanceof RawJson.RawObject object) {
                object.members()
                        .forEach(member ->
                                byName.put(member.name(), credential(secret, DOCKER_CONFIG_KEY, member.value())));
            } else {
                reader.isObject(field, auths, "map[string]AuthConfig");
            }
        });
        raise(secret, DOCKER_CONFIG_KEY, mistakes);
        byName.forEach((name, credential) -> credentials.put(runtimeName(name), credential));
        return new RegistryCredentials(credentials);
    }

    private static RawJson parse(String secret, String key, String json) {
        try {
            return RawJson.parse(json);
        } catch (RawJson.MalformedJsonException e) {
            // The parser's message may show part of the value.
            throw invalid(secret, key, "is not valid JSON");
        }
    }

    private static Credential credential(String secret, String key, RawJson json) {
        String[] values = {"", "", "", ""};
        List<JsonDecodeError> mistakes = new ArrayList<>();
        GoStructDecoder reader = new GoStructDecoder("AuthConfig", "", FIELDS, mistakes);
        reader.read(json, "AuthConfig", (field, value) -> {
            int index = FIELDS.indexOf(field);
            values[index] = reader.string(field, value, values[index]);
        });
        raise(secret, key, mistakes);
        return new Credential(values[0], values[1], values[2], values[3]);
    }

    private static void raise(String secret, String key, List<JsonDecodeError> mistakes) {
        for (JsonDecodeError mistake : mistakes) {
            if (!mistake.unknownField()) {
                throw invalid(secret, key, mistake.what());
            }
        }
    }

    private static TenantMistake invalid(String secret, String key, String what) {
        return new TenantMistake(new ProblemFinding(
                "RegistryCredentialsInvalid",
                secret,
                "key " + key,
                what,
                "expected .dockerconfigjson with auths, or one JSON object for each registry"));
    }

    /** The host of a name that is a URL, else the name. */
    private static String runtimeName(String name) {
        UrlHost host = UrlHost.parse(name);
        return host == null || host.hostAndPort().isEmpty() ? name : host.hostAndPort();
    }
}
