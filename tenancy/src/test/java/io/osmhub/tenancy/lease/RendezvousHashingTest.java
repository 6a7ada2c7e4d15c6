package io.osmhub.tenancy.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.tenancy.lease.TenantSharding.RendezvousHashing;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RendezvousHashingTest {
    private static final int TENANTS = 1000;

    @Test
    void nobodyOwnsAnythingWithoutMembers() {
        assertThat(RendezvousHashing.owner("tenant", List.of())).isEmpty();
    }

    @Test
    void noMemberHasAQuarterMoreThanItsShareOfAThousandTenants() {
        for (int count = 2; count <= 5; count++) {
            List<String> members = members(count);
            Map<String, Integer> owned = new HashMap<>();
            for (int i = 0; i < TENANTS; i++) {
                owned.merge(RendezvousHashing.owner("cluster-" + i, members), 1, Integer::sum);
            }

            assertThat(owned).hasSize(count);
            int most = owned.values().stream().mapToInt(Integer::intValue).max().orElseThrow();
            assertThat(most).isLessThan(TENANTS * 5 / (4 * count));
        }
    }

    @Test
    void whoGoesLeavesTheOthersWhatTheyHave() {
        List<String> members = members(4);
        List<String> others = new ArrayList<>(members);
        String gone = others.remove(2);

        for (int i = 0; i < TENANTS; i++) {
            String before = RendezvousHashing.owner("cluster-" + i, members);
            String after = RendezvousHashing.owner("cluster-" + i, others);
            if (before.equals(gone)) {
                assertThat(after).isIn(others);
            } else {
                assertThat(after).isEqualTo(before);
            }
        }
    }

    @Test
    void theOrderInWhichMembersAreKnownDoesNotMatter() {
        List<String> members = members(5);
        for (int i = 0; i < TENANTS; i++) {
            assertThat(RendezvousHashing.owner("cluster-" + i, members.reversed()))
                    .isEqualTo(RendezvousHashing.owner("cluster-" + i, members));
        }
    }

    private static List<String> members(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> "osm-hub-7c9d5b6f4-" + (char) ('a' + i) + "x2v" + i)
                .toList();
    }
}
