package io.osmhub.tenancy.settings;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.core.resource.ShippedDefinition;
import io.osmhub.tenancy.management.WireJson;
import io.osmhub.tenancy.settings.ReferencedObjectCache.SecretReference;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class SecretReferenceTest {
    private static JsonNode json(String text) {
        try {
            return WireJson.read(text.replace('\'', '"').getBytes(java.nio.charset.StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void knowsEveryReferenceOfTheSchema() {
        Set<String> found = new TreeSet<>();
        JsonNode spec = ShippedDefinition.WORKER_CLUSTERS.schema().at("/properties/spec");

        collect("", spec, found);

        assertThat(found).isNotEmpty();
        for (String field : found) {
            String[] path = field.split("\\.");
            String text = "{'name':'x'}";
            for (int i = path.length - 1; i >= 0; i--) {
                text = "{'" + path[i] + "':" + text + "}";
            }
            assertThat(SecretReference.changed(json("{}"), json(text)))
                    .containsExactly(new SecretReference(field, "x"));
        }
    }

    private static void collect(String path, JsonNode schema, Set<String> found) {
        JsonNode inside = schema.has("items") ? schema.get("items") : schema.path("additionalProperties");
        if (inside.isObject()) {
            Set<String> there = new TreeSet<>();
            collect(path + "[]", inside, there);
            assertThat(there)
                    .as("SecretReference and the webhook compare single fields only")
                    .isEmpty();
        }
        schema.path("properties").properties().forEach(field -> {
            String at = path.isEmpty() ? field.getKey() : path + "." + field.getKey();
            if (field.getKey().toLowerCase(java.util.Locale.ROOT).matches(".*secret(key)?ref")) {
                found.add(at);
            }
            collect(at, field.getValue(), found);
        });
    }

    @Test
    void namesWhatIsNewOrHasAnotherKeyAndNotWhatStays() {
        JsonNode before = json("{'kubeconfigSecretRef':{'name':'k'},"
                + "'provisioning':{'proxy':{'httpProxySecretRef':{'name':'p','key':'url'}}}}");

        assertThat(SecretReference.changed(before, before)).isEmpty();
        assertThat(SecretReference.changed(before, json("{}"))).isEmpty();
        assertThat(SecretReference.changed(
                        before,
                        json("{'kubeconfigSecretRef':{'name':'k','key':'other'},"
                                + "'provisioning':{'proxy':{'httpProxySecretRef':{'name':'p','key':'url'}},"
                                + "'cloudCredentialsSecretRef':{'name':''}}}")))
                .isEqualTo(List.of(new SecretReference("kubeconfigSecretRef", "k")));
    }
}
