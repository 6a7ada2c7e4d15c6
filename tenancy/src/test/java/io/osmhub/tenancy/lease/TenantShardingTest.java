package io.osmhub.tenancy.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.fake.FakeApiServer;
import io.osmhub.workersync.fake.VirtualTime;
import io.osmhub.workersync.watch.RuntimeContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class TenantShardingTest {
    private static final int TENANTS = 60;

    private final VirtualTime time = new VirtualTime();
    private final FakeApiServer server = new FakeApiServer(time);
    private final RuntimeContext around = new RuntimeContext(time, time, new Random(1));
    private final List<Replica> replicas = new ArrayList<>();

    /** A replica whose connection to the API server can be cut. */
    private final class Replica implements KubeApi {
        final TenantSharding shares;
        boolean cut;

        Replica(String name) {
            shares = new TenantSharding(
                    this, LeaseConfig.ofMember("osm-hub", name, name + "_1", "", "uid-of-" + name), () -> {}, around);
        }

        @Override
        public byte[] send(ApiRequest request) throws ApiFailure {
            if (cut) {
                throw ApiFailure.withoutResponse(ApiFailure.ApiFailureKind.TIMED_OUT, "cut off");
            }
            return server.send(request);
        }

        @Override
        public Watch watch(ApiRequest request, WatchLineHandler lines) {
            return server.watch(request, new WatchLineHandler() {
                @Override
                public void onOpened() {
                    lines.onOpened();
                }

                @Override
                public void onLine(byte[] json, UnaryOperator<String> redactor) {
                    if (!cut) {
                        lines.onLine(json, redactor);
                    }
                }

                @Override
                public void onEnded() {
                    lines.onEnded();
                }

                @Override
                public void onFailed(ApiFailure failure) {
                    lines.onFailed(failure);
                }
            });
        }
    }

    private Replica start(String name) {
        Replica replica = new Replica(name);
        replicas.add(replica);
        replica.shares.start();
        return replica;
    }

    /** Number of replicas that serve each tenant. */
    private Map<String, Integer> served() {
        Map<String, Integer> served = new HashMap<>();
        for (int i = 0; i < TENANTS; i++) {
            String tenant = "tenant-" + i;
            served.put(tenant, (int) replicas.stream()
                    .filter(replica -> replica.shares.serves(tenant))
                    .count());
        }
        return served;
    }

    private void pass(Duration duration) {
        for (long millis = 0; millis < duration.toMillis(); millis += 250) {
            time.pass(Duration.ofMillis(250));
            assertThat(served().values()).allMatch(count -> count <= 1);
        }
    }

    @Test
    void aLoneReplicaServesAll() {
        start("a");
        pass(Duration.ofSeconds(3));

        assertThat(served().values()).containsOnly(1);
    }

    @Test
    void eachKnowsByNameWhoServesATenant() {
        start("a");
        start("b");
        start("c");
        pass(Duration.ofMinutes(2));

        for (int i = 0; i < TENANTS; i++) {
            String tenant = "tenant-" + i;
            Set<String> named = new HashSet<>();
            Set<String> serving = new HashSet<>();
            for (int each = 0; each < 3; each++) {
                TenantSharding shares = replicas.get(each).shares;
                named.add(shares.servedBy(tenant));
                if (shares.serves(tenant)) {
                    serving.add(List.of("a", "b", "c").get(each));
                }
            }
            assertThat(named).hasSize(1).isEqualTo(serving);
        }
    }

    @Test
    void threeShareAndEachHasAboutAThird() {
        List.of("a", "b", "c").forEach(this::start);
        pass(Duration.ofSeconds(10));

        assertThat(served().values()).containsOnly(1);
        for (Replica replica : replicas) {
            long own = served().keySet().stream().filter(replica.shares::serves).count();
            assertThat(own).isBetween(TENANTS / 6L, TENANTS / 2L);
        }
    }

    @Test
    void whoStopsIsFollowedWithinSeconds() {
        List.of("a", "b", "c").forEach(this::start);
        pass(Duration.ofSeconds(10));

        replicas.removeFirst().shares.stop();
        pass(Duration.ofSeconds(2));

        assertThat(served().values()).containsOnly(1);
    }

    @Test
    void whoIsCutOffIsFollowedWhenItsLeaseHasEnded() {
        List.of("a", "b", "c").forEach(this::start);
        pass(Duration.ofSeconds(10));

        replicas.getFirst().cut = true;
        pass(Duration.ofSeconds(30));
        assertThat(served().values()).containsOnly(1);
        assertThat(served().keySet()).noneMatch(replicas.getFirst().shares::serves);

        replicas.getFirst().cut = false;
        pass(Duration.ofSeconds(150));
        assertThat(served().values()).containsOnly(1);
        assertThat(served().keySet()).anyMatch(replicas.getFirst().shares::serves);
    }

    @Test
    void whateverHappensNoTenantIsServedTwice() {
        Random random = new Random(11);
        List.of("a", "b", "c").forEach(this::start);
        int named = 0;
        for (int step = 0; step < 150; step++) {
            Replica one = replicas.get(random.nextInt(replicas.size()));
            switch (random.nextInt(5)) {
                case 0 -> one.cut = true;
                case 1, 2 -> one.cut = false;
                case 3 -> {
                    if (replicas.size() > 1) {
                        replicas.remove(one);
                        one.shares.stop();
                    }
                }
                default -> {
                    if (replicas.size() < 5) {
                        start("more-" + named++);
                    }
                }
            }
            pass(Duration.ofMillis(250L * random.nextInt(40)));
        }
        replicas.forEach(replica -> replica.cut = false);
        pass(Duration.ofSeconds(200));
        assertThat(served().values()).containsOnly(1);
    }
}
