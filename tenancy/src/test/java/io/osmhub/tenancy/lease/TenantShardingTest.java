package io.osmhub.tenancy.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.tenancy.lease.TenantSharding.RendezvousHashing;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.KubeApi.Watch;
import io.osmhub.workersync.apiserver.KubeApi.WatchLineHandler;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.fake.ServerHandler;
import io.osmhub.workersync.fake.SimulatedServer;
import io.osmhub.workersync.fake.VirtualTime;
import io.osmhub.workersync.port.Scheduler;
import io.osmhub.workersync.watch.RuntimeContext;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TenantShardingTest {
    private static final int TENANTS = 60;

    private final VirtualTime time = new VirtualTime();
    private final SimulatedServer server = new SimulatedServer(time);
    private final List<Replica> replicas = new ArrayList<>();

    /** A replica whose process can be stopped, whose connection to the API server can fail, and whose clock may be wrong. */
    private final class Replica implements ServerHandler, Scheduler, Executor {
        final TenantSharding shares;
        final InFlightWrites inFlight = new InFlightWrites();
        private final Duration clockError;
        private final Deque<Runnable> heldTasks = new ArrayDeque<>();
        private final Deque<Runnable> heldLines = new ArrayDeque<>();
        private boolean cut;
        /** Requests arrive, responses do not. */
        boolean deaf;

        private boolean paused;
        boolean ready = true;
        /** Runs once while the members are updated, after the Leases were read. */
        private Runnable duringUpdate = () -> {};
        /** Members at each change. */
        private final List<SortedSet<String>> changes = new ArrayList<>();

        Replica(String name, Duration clockError) {
            this.clockError = clockError;
            shares = new TenantSharding(
                    this.api(),
                    LeaseConfig.ofMember("osm-hub", name, name + "_1", server.podUid("osm-hub", name)),
                    this::recordChange,
                    inFlight,
                    new RuntimeContext(this, this, new Random(1)));
        }

        private void recordChange() {
            changes.add(shares.members());
        }

        private boolean isReady() {
            Runnable once = duringUpdate;
            duringUpdate = () -> {};
            once.run();
            return ready;
        }

        /** SIGSTOP. */
        void pause() {
            paused = true;
        }

        /** SIGCONT: what was due runs in any order, but a connection delivers in its own. */
        void resume(Random random) {
            paused = false;
            List<Runnable> tasks = new ArrayList<>(heldTasks);
            Collections.shuffle(tasks, random);
            heldTasks.clear();
            heldTasks.addAll(tasks);
            while (!heldTasks.isEmpty() || !heldLines.isEmpty() && !cut) {
                boolean line = heldTasks.isEmpty() || !heldLines.isEmpty() && !cut && random.nextBoolean();
                time.execute(line ? heldLines.remove() : heldTasks.remove());
            }
        }

        /** Nothing passes; what the server sends meanwhile arrives after {@link #reconnect}. */
        void cutOff() {
            cut = true;
        }

        void reconnect() {
            cut = false;
            while (!paused && !heldLines.isEmpty()) {
                time.execute(heldLines.remove());
            }
        }

        private void run(Runnable task) {
            if (paused) {
                heldTasks.add(task);
            } else {
                task.run();
            }
        }

        private void deliver(Runnable line) {
            if (paused || cut) {
                heldLines.add(line);
            } else {
                line.run();
            }
        }

        @Override
        public void execute(Runnable task) {
            time.execute(() -> run(task));
        }

        @Override
        public ScheduledTask schedule(Duration delay, Runnable task) {
            return time.schedule(delay, () -> run(task));
        }

        @Override
        public Instant now() {
            return time.now().plus(clockError);
        }

        @Override
        public long nanoTime() {
            return time.nanoTime();
        }

        @Override
        public byte[] send(ApiRequest request) throws ApiFailure {
            if (cut) {
                throw ApiFailure.withoutResponse(ApiFailure.ApiFailureKind.TIMED_OUT, "cut off");
            }
            byte[] response = server.send(request);
            if (deaf) {
                throw ApiFailure.withoutResponse(ApiFailure.ApiFailureKind.TIMED_OUT, "no response");
            }
            return response;
        }

        @Override
        public Watch watch(ApiRequest request, WatchLineHandler lines) {
            return server.watch(request, new WatchLineHandler() {
                @Override
                public void onOpened() {
                    deliver(lines::onOpened);
                }

                @Override
                public void onLine(byte[] json, UnaryOperator<String> redactor) {
                    deliver(() -> lines.onLine(json, redactor));
                }

                @Override
                public void onEnded() {
                    deliver(lines::onEnded);
                }

                @Override
                public void onFailed(ApiFailure failure) {
                    deliver(() -> lines.onFailed(failure));
                }
            });
        }
    }

    private Replica start(String name) {
        return start(name, Duration.ZERO);
    }

    private Replica start(String name, Duration clockError) {
        Replica replica = new Replica(name, clockError);
        replicas.add(replica);
        replica.shares.start(replica::isReady);
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
    void eachKnowsWhereTheOthersAreReached() {
        start("a");
        start("b");
        pass(Duration.ofSeconds(10));
        assertThat(replicas.getFirst().shares.otherReplicas())
                .extracting(other -> other.lease().url())
                .containsExactly("");

        replicas.getLast().shares.publishUrl("https://[2001:db8::1]:8443");
        pass(Duration.ofSeconds(1));

        assertThat(replicas.getFirst().shares.otherReplicas())
                .extracting(other -> other.lease().url())
                .containsExactly("https://[2001:db8::1]:8443");
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
    void tenantsAreTransferredOnceTheirWritesAreAnswered() {
        Replica before = start("a");
        pass(Duration.ofSeconds(10));
        served().keySet().forEach(tenant -> beginWrite(before, tenant));

        Replica joining = start("b");
        pass(Duration.ofSeconds(4));
        assertThat(before.changes.getLast()).hasSize(2);
        assertThat(served().keySet())
                .noneMatch(joining.shares::serves)
                .anyMatch(tenant -> !before.shares.serves(tenant));

        served().keySet().forEach(before.inFlight::end);
        pass(Duration.ofSeconds(1));

        assertThat(served().values()).containsOnly(1);
        assertThat(served().keySet()).anyMatch(joining.shares::serves);
    }

    @Test
    void writesThatContinueDoNotDelayTheTransferOfOtherTenants() {
        Replica before = start("a");
        pass(Duration.ofSeconds(10));
        Replica joining = start("b");
        pass(Duration.ofSeconds(4));
        String kept = served().keySet().stream()
                .filter(before.shares::serves)
                .findFirst()
                .orElseThrow();
        joining.shares.stop();
        replicas.remove(joining);
        pass(Duration.ofSeconds(4));
        beginWrite(before, kept);

        start("b");
        pass(Duration.ofSeconds(3));

        assertThat(served().values()).containsOnly(1);
    }

    @Test
    void aWriteThatIsNeverAnsweredDelaysTheTransferForSeconds() {
        Replica before = start("a");
        pass(Duration.ofSeconds(10));
        served().keySet().forEach(tenant -> beginWrite(before, tenant));

        Replica joining = start("b");
        pass(Duration.ofSeconds(8));

        assertThat(served().values()).containsOnly(1);
        assertThat(served().keySet()).anyMatch(joining.shares::serves);
    }

    private static void beginWrite(Replica replica, String tenant) {
        assertThat(replica.shares.startServing(tenant)).isTrue();
        replica.inFlight.begin(tenant);
    }

    @Test
    void whoIsCutOffIsFollowedWhenItsLeaseHasEnded() {
        List.of("a", "b", "c").forEach(this::start);
        pass(Duration.ofSeconds(10));

        replicas.getFirst().cutOff();
        pass(Duration.ofSeconds(30));
        assertThat(served().values()).containsOnly(1);
        assertThat(served().keySet()).noneMatch(replicas.getFirst().shares::serves);

        replicas.getFirst().reconnect();
        pass(Duration.ofSeconds(150));
        assertThat(served().values()).containsOnly(1);
        assertThat(served().keySet()).anyMatch(replicas.getFirst().shares::serves);
    }

    @Test
    void whoseClockIsWrongTakesPart() {
        start("a", Duration.ofSeconds(30));
        start("b", Duration.ofSeconds(-30));
        start("c");
        pass(Duration.ofSeconds(10));
        assertThat(served().values()).containsOnly(1);
        assertThat(replicas).allMatch(replica -> served().keySet().stream().anyMatch(replica.shares::serves));

        replicas.get(1).cutOff();
        pass(Duration.ofSeconds(20));
        assertThat(served().values()).containsOnly(1);
        assertThat(served().keySet()).noneMatch(replicas.get(1).shares::serves);
    }

    @ParameterizedTest
    @ValueSource(ints = {9, 11, 14, 16, 60})
    void whoIsStoppedForSecondsResumesWithoutTenantsOfOthers(int seconds) {
        for (int seed = 0; seed < 8; seed++) {
            List.of("a-" + seed, "b-" + seed, "c-" + seed).forEach(this::start);
            pass(Duration.ofSeconds(10));

            Replica stopped = replicas.getFirst();
            stopped.pause();
            pass(Duration.ofSeconds(seconds));
            if (seconds > 16) {
                assertThat(served().values()).containsOnly(1);
            }
            time.afterEachTask(() -> assertThat(served().values()).allMatch(count -> count <= 1));
            stopped.resume(new Random(seed));
            pass(Duration.ofSeconds(10));

            assertThat(served().values()).containsOnly(1);
            assertThat(served().keySet()).anyMatch(stopped.shares::serves);
            time.afterEachTask(() -> {});
            replicas.forEach(replica -> replica.shares.stop());
            replicas.clear();
            pass(Duration.ofSeconds(2));
        }
    }

    @Test
    void whoIsNotReadyLeavesTenantsWithOthers() {
        start("a");
        pass(Duration.ofSeconds(3));
        Replica starting = new Replica("b", Duration.ZERO);
        replicas.add(starting);
        starting.ready = false;
        starting.shares.start(() -> starting.ready);

        pass(Duration.ofMinutes(1));
        assertThat(served().keySet()).allMatch(replicas.getFirst().shares::serves);

        starting.ready = true;
        pass(Duration.ofSeconds(2));
        assertThat(served().values()).containsOnly(1);
        assertThat(served().keySet()).anyMatch(starting.shares::serves);
    }

    @Test
    void whoNeverReportsDoesNotKeepOthersFromTenants() {
        keepLeaseOnly("silent", "");
        List.of("a", "b").forEach(this::start);
        pass(Duration.ofSeconds(3));

        assertThat(served().values()).containsOnly(1);

        replicas.removeFirst().shares.stop();
        pass(Duration.ofSeconds(3));
        assertThat(served().values()).containsOnly(1);
    }

    @Test
    void whoseReportIsOutdatedKeepsOnlyWhatItClaims() {
        SortedSet<String> view = new TreeSet<>(
                List.of("osm-hub-member-a", "osm-hub-member-b", "osm-hub-member-c", "osm-hub-member-stuck"));
        keepLeaseOnly("stuck", String.join(",", view));
        List.of("a", "b", "c").forEach(this::start);
        pass(Duration.ofSeconds(3));

        // Nothing shows yet that it is stuck: its view is the current one.
        Replica dead = replicas.getFirst();
        dead.cutOff();
        pass(Duration.ofSeconds(15 + 2));
        served().forEach((tenant, count) -> {
            String next = RendezvousHashing.owner(tenant, remaining(view, "osm-hub-member-a"));
            assertThat(count).isEqualTo(next.equals("osm-hub-member-stuck") ? 0 : 1);
        });

        pass(Duration.ofSeconds(15));
        served().forEach((tenant, count) -> {
            String claimedBy = RendezvousHashing.owner(tenant, view);
            assertThat(count).isEqualTo(claimedBy.equals("osm-hub-member-stuck") ? 0 : 1);
        });
    }

    @Test
    void onlyWhatWasStartedIsKeptWhenAnotherClaimsIt() {
        TenantSharding shares = start("a").shares;
        time.pass(Duration.ofSeconds(3));
        List<String> own = served().keySet().stream()
                .filter(tenant -> RendezvousHashing.owner(tenant, List.of("osm-hub-member-a", "osm-hub-member-b"))
                        .equals("osm-hub-member-a"))
                .toList();
        assertThat(own).hasSizeGreaterThan(2).allMatch(shares::serves);
        assertThat(shares.startServing(own.getFirst())).isTrue();

        // It claims all of them.
        keepLeaseOnly("b", "osm-hub-member-b");
        time.pass(Duration.ofSeconds(3));

        assertThat(shares.members()).hasSize(2);
        assertThat(own.stream().filter(shares::serves)).containsExactly(own.getFirst());
    }

    @Test
    void aLeaseThatVanishesDuringAnUpdateDoesNotInterruptIt() {
        Replica replica = start("a");
        time.pass(Duration.ofSeconds(3));
        replica.duringUpdate = () -> {
            server.remove(Resource.LEASES, "osm-hub", "osm-hub-member-b");
            time.settle();
        };
        server.put(
                Resource.LEASES,
                "{\"metadata\":{\"namespace\":\"osm-hub\",\"name\":\"osm-hub-member-b\",\"labels\":"
                        + "{\"osmhub.io/member\":\"true\"},\"annotations\":{\"osmhub.io/member-view\":"
                        + "\"osm-hub-member-b\"}},\"spec\":{\"holderIdentity\":\"b_1\",\"leaseDurationSeconds\":15,"
                        + "\"renewTime\":\"2026-11-21T10:00:00.000000Z\"}}",
                "b");
        time.pass(Duration.ofSeconds(3));

        assertThat(replica.changes)
                .containsSubsequence(
                        new TreeSet<>(List.of("osm-hub-member-a", "osm-hub-member-b")),
                        new TreeSet<>(List.of("osm-hub-member-a")));
    }

    @Test
    void aLateReportIsAccepted() {
        LeaseRenewalLoop late = keepLeaseOnly("late", "");
        List.of("a", "b").forEach(this::start);
        pass(Duration.ofMinutes(1));

        late.stop();
        start("late");
        pass(Duration.ofSeconds(5));

        assertThat(served().values()).containsOnly(1);
        assertThat(served().keySet()).anyMatch(replicas.getLast().shares::serves);
    }

    private static SortedSet<String> remaining(SortedSet<String> members, String without) {
        SortedSet<String> others = new TreeSet<>(members);
        others.remove(without);
        return others;
    }

    /** A replica that renews its Lease but does nothing else. */
    private LeaseRenewalLoop keepLeaseOnly(String name, String view) {
        LeaseConfig terms = LeaseConfig.ofMember("osm-hub", name, name + "_0", server.podUid("osm-hub", name));
        LeaseRenewalLoop loop = new LeaseRenewalLoop(
                server::api,
                view.isEmpty() ? terms : terms.with(Map.of(TenantSharding.MemberLease.VIEW, view)),
                () -> {},
                new RuntimeContext(time, time, new Random(1)));
        loop.start();
        return loop;
    }

    @ParameterizedTest
    @ValueSource(ints = {11, 12, 13, 14})
    void whateverHappensNoTenantIsServedTwice(int seed) {
        Random random = new Random(seed);
        List.of("a", "b", "c").forEach(this::start);
        int named = 0;
        for (int step = 0; step < 150; step++) {
            Replica one = replicas.get(random.nextInt(replicas.size()));
            switch (random.nextInt(8)) {
                case 0 -> one.cutOff();
                case 1, 2 -> one.reconnect();
                case 3 -> one.deaf = !one.deaf;
                case 4 -> one.pause();
                case 5 -> one.resume(random);
                case 6 -> {
                    if (replicas.size() > 1) {
                        replicas.remove(one);
                        one.resume(random);
                        one.shares.stop();
                    }
                }
                default -> {
                    if (replicas.size() < 5) {
                        start("more-" + named++, Duration.ofSeconds(random.nextInt(-30, 31)));
                    }
                }
            }
            pass(Duration.ofMillis(250L * random.nextInt(40)));
        }
        replicas.forEach(replica -> {
            replica.deaf = false;
            replica.resume(random);
            replica.reconnect();
        });
        pass(Duration.ofSeconds(200));
        assertThat(served().values()).containsOnly(1);
    }
}
