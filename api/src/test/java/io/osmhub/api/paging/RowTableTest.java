package io.osmhub.api.paging;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RowTableTest {
    @Test
    void rowsThatWereReadStayAsTheyAre() {
        RowTable<String, Thing> table = new RowTable<>();
        table.put("a", new Thing("t", "a", 1));
        List<Thing> before = table.all();

        table.put("a", null);
        table.put("b", new Thing("t", "b", 1));

        assertThat(before).extracting(Thing::name).containsExactly("a");
        assertThat(table.all()).extracting(Thing::name).containsExactly("b");
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void theRowsOfFewTenantsAreFoundWithoutTheOthers(long seed) {
        Random random = new Random(seed);
        RowTable<String, Thing> table = new RowTable<>();
        int found = 0;
        for (int round = 0; round < 200; round++) {
            for (int change = random.nextInt(40); change > 0; change--) {
                String name = "n" + random.nextInt(600);
                table.put(
                        name,
                        random.nextInt(4) == 0 ? null : new Thing("t" + random.nextInt(50), name, random.nextInt(6)));
            }
            Set<String> some = Set.of("t" + random.nextInt(25), "t" + (25 + random.nextInt(25)), "nowhere");

            List<Thing> wanted = table.all().stream()
                    .filter(row -> some.contains(row.namespace()))
                    .toList();
            assertThat(table.of(some)).containsExactlyInAnyOrderElementsOf(wanted);
            found += wanted.size();
        }
        assertThat(found).isGreaterThan(50);
    }
}
