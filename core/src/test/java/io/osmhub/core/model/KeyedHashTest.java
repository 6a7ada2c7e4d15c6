package io.osmhub.core.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class KeyedHashTest {
    private static final Sensitive KEY = new Sensitive("key-1");

    private record Pair(@Nullable String left, @Nullable String right) {}

    private record Credential(String user, Sensitive password) {}

    private enum Letter {
        A,
        B
    }

    private static String hash(Object value) {
        return KeyedHash.hex(KEY, value);
    }

    @Test
    void differentValuesHaveDifferentHashes() {
        List<Object> values = List.of(
                "",
                "a",
                "1",
                1,
                1L,
                true,
                "true",
                Letter.A,
                Letter.B,
                List.of(),
                List.of(""),
                List.of("a", "b"),
                List.of("ab"),
                List.of(List.of("a"), "b"),
                new TreeSet<>(Set.of("a", "b", "c")),
                new TreeMap<>(Map.of("a", "b")),
                new Pair("a", "bc"),
                new Pair("ab", "c"),
                new Pair(null, "abc"),
                new Pair("", "abc"),
                new Pair("abc", null),
                Arrays.asList(null, null));

        assertThat(values.stream().map(KeyedHashTest::hash)).doesNotHaveDuplicates();
    }

    @Test
    void equalValuesHaveEqualHashes() {
        assertThat(hash(new TreeMap<>(Map.of("b", List.of(new Pair("x", "y")), "a", 1))))
                .isEqualTo(hash(new TreeMap<>(Map.of("a", 1, "b", List.of(new Pair("x", "y"))))));
    }

    @Test
    void credentialsCount() {
        assertThat(Stream.of("one", "two")
                        .map(password -> hash(new Credential("user", new Sensitive(password))))
                        .distinct())
                .hasSize(2);
    }

    @Test
    void isUnknownWithoutTheKey() {
        assertThat(KeyedHash.hex(new Sensitive("key-2"), "value")).isNotEqualTo(hash("value"));
    }

    @Test
    void rejectsWhatHasNoOrderOrNoKnownContentWithoutShowingIt() {
        for (Object value :
                List.of(new HashSet<>(Set.of("hidden")), Map.of("hidden", "hidden"), new AtomicReference<>("hidden"))) {
            assertThatThrownBy(() -> hash(List.of(value)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageNotContaining("hidden");
        }
    }
}
