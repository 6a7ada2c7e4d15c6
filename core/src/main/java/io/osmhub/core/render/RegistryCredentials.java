package io.osmhub.core.render;

import io.osmhub.core.golang.CallFailure;
import io.osmhub.core.golang.Str;
import io.osmhub.core.golang.url.GoUrl;
import io.osmhub.core.json.GoStructReader;
import io.osmhub.core.json.JsonMistake;
import io.osmhub.core.json.RawJson;
import io.osmhub.core.problem.Finding;
import io.osmhub.core.problem.TenantMistake;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Credentials of image registries, by the name under which the container runtime looks them up. */
public record RegistryCredentials(SortedMap<String, Credential> byRegistry) {
    public static final RegistryCredentials NONE = new RegistryCredentials(new TreeMap<>());

    private static final String DOCKER_CONFIG_TYPE = "kubernetes.io/dockerconfigjson";
    private static final String DOCKER_CONFIG_KEY = ".dockerconfigjson";
    private static final List<String> FIELDS = List.of("username", "password", "auth", "identitytoken");

    public RegistryCredentials {
        byRegistry = Collections.unmodifiableSortedMap(new TreeMap<>(byRegistry));
    }

    /** One registry's credential; each part is empty when it is left out. */
    public record Credential(String username, String password, String auth, String identityToken) {
        @Override
        public String toString() {
            return "<redacted>";
        }

        Credential redacted() {
            Placeholder placeholder = Placeholder.REGISTRY_CREDENTIALS;
            return new Credential(
                    placeholder.of(username),
                    placeholder.of(password),
                    placeholder.of(auth),
                    placeholder.of(identityToken));
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
     * @param secret what findings call it, for example {@code Secret cluster-1/registries}
     * @param type of the Secret
     * @param data decoded values by key
     * @throws TenantMistake {@code RegistryCredentialsInvalid}; no message holds a value
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
        List<JsonMistake> mistakes = new ArrayList<>();
        GoStructReader reader = new GoStructReader("DockerConfigJSON", "", List.of("auths"), mistakes);
        SortedMap<String, Credential> byName = new TreeMap<>();
        reader.read(config, "DockerConfigJSON", (field, auths) -> {
            if (auths instanceof RawJson.Obj object) {
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
        } catch (RawJson.Malformed e) {
            // The parser's text may show part of the value.
            throw invalid(secret, key, "is not valid JSON");
        }
    }

    private static Credential credential(String secret, String key, RawJson json) {
        String[] values = {"", "", "", ""};
        List<JsonMistake> mistakes = new ArrayList<>();
        GoStructReader reader = new GoStructReader("AuthConfig", "", FIELDS, mistakes);
        reader.read(json, "AuthConfig", (field, value) -> {
            int index = FIELDS.indexOf(field);
            values[index] = reader.string(field, value, values[index]);
        });
        raise(secret, key, mistakes);
        return new Credential(values[0], values[1], values[2], values[3]);
    }

    private static void raise(String secret, String key, List<JsonMistake> mistakes) {
        for (JsonMistake mistake : mistakes) {
            if (!mistake.unknownField()) {
                throw invalid(secret, key, mistake.what());
            }
        }
    }

    private static TenantMistake invalid(String secret, String key, String what) {
        return new TenantMistake(new Finding(
                "RegistryCredentialsInvalid",
                secret,
                "key " + key,
                what,
                "expected .dockerconfigjson with auths, or one JSON object for each registry"));
    }

    /** The host of a name that is a URL, else the name. */
    private static String runtimeName(String name) {
        try {
            String host = GoUrl.parse(Str.bytes(name)).host();
            return host.isEmpty() ? name : Str.text(host);
        } catch (CallFailure e) {
            return name;
        }
    }
}
