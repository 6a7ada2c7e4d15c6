package io.osmhub.api.paging;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RowTableTest {
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void mergingChangesGivesWhatSortingGives(long seed) throws Exception {
        Random random = new Random(seed);
        RowTable<String, Thing> table = new RowTable<>(() -> 0);
        Map<String, Thing> rows = new HashMap<>();
        List<RowOrder<Thing>> orders = new ArrayList<>();
        for (String sort : List.of("name", "-weight,name", "weight,-namespace", "namespace,name")) {
            orders.add(Thing.sorts().resolveOrder(sort));
        }

        for (int round = 0; round < 60; round++) {
            for (int change = random.nextInt(40); change > 0; change--) {
                String name = "n" + random.nextInt(300);
                Thing row = random.nextInt(4) == 0 ? null : new Thing("t" + random.nextInt(5), name, random.nextInt(6));
                table.put(name, row);
                if (row == null) {
                    rows.remove(name);
                } else {
                    rows.put(name, row);
                }
            }
            RowOrder<Thing> order = orders.get(random.nextInt(orders.size()));

            List<Thing> sorted = new ArrayList<>(rows.values());
            sorted.sort(order.comparator());
            assertThat(table.sortRows(order).rows()).isEqualTo(sorted);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 50})
    void anArrangementThatWasHandedOutStaysAsItIs(int changes) throws Exception {
        RowTable<String, Thing> table = new RowTable<>(() -> 0);
        for (int i = 0; i < 100; i++) {
            table.put("n" + i, new Thing("t", "n" + i, i));
        }
        RowOrder<Thing> order = Thing.sorts().resolveOrder("-weight");
        List<Thing> before = table.sortRows(order).rows();
        List<Thing> copy = List.copyOf(before);

        for (int i = 0; i < changes; i++) {
            table.put("n" + i, i % 2 == 0 ? null : new Thing("t", "n" + i, -i));
        }

        assertThat(table.sortRows(order).rows()).hasSize(100 - changes / 2 - changes % 2);
        assertThat(before).isEqualTo(copy);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void theRowsOfFewTenantsAreFoundWithoutTheOthers(long seed) {
        Random random = new Random(seed);
        RowTable<String, Thing> table = new RowTable<>(() -> 0);
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
            List<Thing> few = table.few(some);
            if (wanted.size() * 16 <= table.all().size()) {
                assertThat(few).containsExactlyInAnyOrderElementsOf(wanted);
                found++;
            } else {
                assertThat(few).isNull();
            }
        }
        assertThat(found).isGreaterThan(50);
    }

    @Test
    void valuesThatChangeWhileRowsAreSortedByThemDoNoHarm() throws Exception {
        Random random = new Random(1);
        SortOrders<Thing> sorts = new SortOrders<Thing>("live", Comparator.comparing(Thing::key))
                .byLive("live", row -> random.nextInt(5));
        RowTable<String, Thing> table = new RowTable<>(() -> 0);
        for (int i = 0; i < 2000; i++) {
            table.put("n" + i, new Thing("t", "n" + i, i));
        }

        assertThat(table.sortRows(sorts.resolveOrder("live")).rows())
                .hasSize(2000)
                .doesNotHaveDuplicates();
        assertThat(table.sortRows(sorts.resolveOrder("-live")).rows())
                .hasSize(2000)
                .doesNotHaveDuplicates();
    }
}
