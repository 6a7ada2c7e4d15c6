package io.osmhub.deploy.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.workersync.watch.ObjectKey;
import java.util.Set;
import org.junit.jupiter.api.Test;

class NamespaceIndexTest {
    private final NamespaceIndex namespaces = new NamespaceIndex();

    @Test
    void aNamespaceIsKnownAsLongAsOneObjectIsThere() {
        namespaces.add(new ObjectKey("b", "one"));
        namespaces.add(new ObjectKey("b", "two"));
        namespaces.add(new ObjectKey("a", "one"));
        assertThat(namespaces.all()).containsExactly("a", "b");

        namespaces.remove(new ObjectKey("b", "one"));
        assertThat(namespaces.all()).containsExactly("a", "b");
        namespaces.remove(new ObjectKey("b", "two"));
        namespaces.remove(new ObjectKey("b", "two"));

        assertThat(namespaces.all()).containsExactly("a");
    }

    @Test
    void theSetIsTheSameObjectUntilANamespaceComesOrGoes() {
        namespaces.add(new ObjectKey("a", "one"));
        Set<String> known = namespaces.all();

        namespaces.add(new ObjectKey("a", "one"));
        namespaces.add(new ObjectKey("a", "two"));
        namespaces.remove(new ObjectKey("a", "one"));
        assertThat(namespaces.all()).isSameAs(known);

        namespaces.remove(new ObjectKey("a", "two"));
        assertThat(namespaces.all()).isEmpty();
        assertThat(known).containsExactly("a");
    }
}
