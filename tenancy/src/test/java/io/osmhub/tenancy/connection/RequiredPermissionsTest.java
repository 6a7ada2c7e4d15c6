package io.osmhub.tenancy.connection;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RequiredPermissionsTest {
    private static final Path MANIFEST =
            Path.of(System.getProperty("osmhub.root", ".."), "deploy/packaging/manifests/rbac-worker.yaml");

    private static final Path SCOPED_FETCH = MANIFEST.resolveSibling("rbac-worker-scoped-fetch.yaml");

    @Test
    void areExactlyWhatTheManifestGrants() throws IOException {
        // Machines are read for diagnosis only, so this permission is optional.
        List<Permission> needed = granted(MANIFEST).stream()
                .filter(permission -> !permission.resource().equals("machines"))
                .toList();
        assertThat(RequiredPermissions.list()).containsExactlyInAnyOrderElementsOf(needed);
    }

    @Test
    void ofScopedFetchAreExactlyWhatItsManifestGrants() throws IOException {
        assertThat(RequiredPermissions.ofScopedFetch()).containsExactlyInAnyOrderElementsOf(granted(SCOPED_FETCH));
    }

    /** One permission for each verb, group, resource and name of each role. */
    private static List<Permission> granted(Path manifest) throws IOException {
        List<Permission> all = new ArrayList<>();
        try (MappingIterator<JsonNode> documents =
                new YAMLMapper().readerFor(JsonNode.class).readValues(manifest.toFile())) {
            while (documents.hasNext()) {
                JsonNode object = documents.next();
                String kind = object.path("kind").asText();
                if (kind.equals("Role") || kind.equals("ClusterRole")) {
                    object.path("rules")
                            .forEach(rule -> add(
                                    all,
                                    rule,
                                    object.path("metadata").path("namespace").asText("")));
                }
            }
        }
        return all;
    }

    private static void add(List<Permission> all, JsonNode rule, String namespace) {
        List<String> names = new ArrayList<>();
        rule.path("resourceNames").forEach(name -> names.add(name.asText()));
        for (JsonNode verb : rule.path("verbs")) {
            for (JsonNode group : rule.path("apiGroups")) {
                for (JsonNode resource : rule.path("resources")) {
                    for (String name : names.isEmpty() ? List.of("") : names) {
                        all.add(new Permission(verb.asText(), group.asText(), resource.asText(), namespace, name));
                    }
                }
            }
        }
    }
}
