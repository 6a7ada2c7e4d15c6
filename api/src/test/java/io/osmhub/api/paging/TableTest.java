package io.osmhub.api.paging;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TableTest {
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void mergingChangesGivesWhatSortingGives(long seed) throws Exception {
        Random random = new Random(seed);
        Table<String, Thing> table = new Table<>(() -> 0);
        Map<String, Thing> rows = new HashMap<>();
        List<Order<Thing>> orders = new ArrayList<>();
        for (String sort : List.of("name", "-weight,name", "weight,-namespace", "namespace,name")) {
            orders.add(Thing.sorts().order(sort));
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
            Order<Thing> order = orders.get(random.nextInt(orders.size()));

            List<Thing> sorted = new ArrayList<>(rows.values());
            sorted.sort(order.comparator());
            assertThat(table.arranged(order).rows()).isEqualTo(sorted);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 50})
    void anArrangementThatWasHandedOutStaysAsItIs(int changes) throws Exception {
        Table<String, Thing> table = new Table<>(() -> 0);
        for (int i = 0; i < 100; i++) {
            table.put("n" + i, new Thing("t", "n" + i, i));
        }
        Order<Thing> order = Thing.sorts().order("-weight");
        List<Thing> before = table.arranged(order).rows();
        List<Thing> copy = List.copyOf(before);

        for (int i = 0; i < changes; i++) {
            table.put("n" + i, i % 2 == 0 ? null : new Thing("t", "n" + i, -i));
        }

        assertThat(table.arranged(order).rows()).hasSize(100 - changes / 2 - changes % 2);
        assertThat(before).isEqualTo(copy);
    }
}
