package io.osmhub.core.resource;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The two kinds that OSM defines: its schema, the additions of the contract, and nothing else. */
class PeerCrdsTest {
    private static final Pattern FRAGMENT = Pattern.compile("```yaml\\n# crd: (\\w+)\\n(.*?)```", Pattern.DOTALL);

    /** Wider than OSM's on purpose: names that its consumers' copies of the schema or our own profiles use. */
    private static final Pattern WIDENED = Pattern.compile(".*\\.(osName|name)\\.enum: .*");

    /** Conditions are those of WorkerCluster, which say more than the fragment. */
    private static final Pattern CONDITION_FORM =
            Pattern.compile(".*\\.conditions\\.items\\.properties\\.(type|reason)\\.pattern: .*");

    static Stream<Arguments> kinds() {
        return Stream.of(
                Arguments.of("osp", ShippedDefinition.OPERATING_SYSTEM_PROFILES),
                Arguments.of("osc", ShippedDefinition.OPERATING_SYSTEM_CONFIGS));
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void holdsThePeersSchema(String kind, ShippedDefinition definition) {
        assertThat(Trees.missing(peer(kind), definition.manifest())).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void holdsTheAdditions(String kind, ShippedDefinition definition) {
        assertThat(Trees.missing(additions(kind), definition.manifest())).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void holdsNothingElse(String kind, ShippedDefinition definition) {
        JsonNode expected = withoutDescriptions(Trees.merge(peer(kind), additions(kind)));
        ObjectNode ours = (ObjectNode) withoutDescriptions(definition.manifest());
        ((ObjectNode) ours.get("metadata")).retain("name");

        List<String> differences = Trees.differences(expected, ours);

        assertThat(differences)
                .allMatch(line -> WIDENED.matcher(line).matches()
                        || CONDITION_FORM.matcher(line).matches());
    }

    private static JsonNode peer(String kind) {
        return YamlText.documents("/contracts/peer-crds.yaml").getFirst().get(kind);
    }

    /** The fragments share anchors, so they are read as one document. */
    private static JsonNode additions(String kind) {
        StringBuilder document = new StringBuilder();
        Matcher fragment = FRAGMENT.matcher(YamlText.text("/contracts/osp-osc-additions.md"));
        while (fragment.find()) {
            document.append(fragment.group(1))
                    .append(":\n")
                    .append(fragment.group(2).indent(2));
        }
        JsonNode all = YamlText.parse(document.toString()).getFirst();
        return Trees.merge(all.get("both"), all.get(kind));
    }

    private static JsonNode withoutDescriptions(JsonNode node) {
        JsonNode copy = node.deepCopy();
        // A field called description would be below "properties" and an object; there is none.
        copy.findParents("description").forEach(parent -> ((ObjectNode) parent).remove("description"));
        return copy;
    }
}
