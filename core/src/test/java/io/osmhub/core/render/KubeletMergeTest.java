package io.osmhub.core.render;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.Test;

class KubeletMergeTest {
    private static final String TEXT = "kind: KubeletConfiguration\nmaxPods: 110\n";

    @Test
    void aRememberedResultIsOnlyForTheSameTextAndTheSameChanges() {
        String first = KubeletMerge.merge(TEXT, maxPods(50));

        assertThat(first).isEqualTo("kind: KubeletConfiguration\nmaxPods: 50\n");
        assertThat(KubeletMerge.merge(TEXT, maxPods(50))).isSameAs(first);
        assertThat(KubeletMerge.merge(TEXT, maxPods(60))).isEqualTo("kind: KubeletConfiguration\nmaxPods: 60\n");
        assertThat(KubeletMerge.merge(TEXT + "podsPerCore: 10\n", maxPods(50)))
                .isEqualTo("kind: KubeletConfiguration\nmaxPods: 50\npodsPerCore: 10\n");
    }

    private static ObjectNode maxPods(int count) {
        return JsonNodeFactory.instance.objectNode().put("maxPods", count);
    }
}
