package io.osmhub.api.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.api.journal.ChangeJournal.JournalEvent;
import io.osmhub.api.schema.StreamEvent;
import io.osmhub.workersync.apiserver.Resource;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.BooleanSupplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChangeJournalTest {
    private final MemoryServer server = new MemoryServer();
    private final List<OneProcess> processes = new ArrayList<>();

    @AfterEach
    void stop() {
        processes.forEach(OneProcess::close);
        server.close();
    }

    private OneProcess started() throws Exception {
        return started(Duration.ZERO);
    }

    private OneProcess started(Duration replacement) throws Exception {
        OneProcess process = new OneProcess(server, replacement);
        processes.add(process);
        await(() ->
                process.journal().checkPosition(process.journal().endPosition()) == ChangeJournal.PositionState.KNOWN);
        return process;
    }

    private static void await(BooleanSupplier condition) {
        Awaitility.await().atMost(Duration.ofMinutes(1)).until(condition::getAsBoolean);
    }

    private static String says(StreamEvent told) {
        var object = java.util.Objects.requireNonNull(told.object(), "these events are of objects");
        return told.type() + " " + told.kind() + " " + told.tenant() + " "
                + object.kind() + " " + object.name() + " " + told.state() + " " + told.newNodes() + " "
                + (told.problem() == null ? "" : told.problem().id());
    }

    /** Everything that a client gets that continues from a position. */
    private static List<JournalEvent> follow(ChangeJournal journal, long from) throws Exception {
        assertThat(journal.checkPosition(from)).isEqualTo(ChangeJournal.PositionState.KNOWN);
        List<JournalEvent> all = new ArrayList<>();
        List<JournalEvent> next = journal.awaitNext(from, Duration.ZERO);
        while (!next.isEmpty()) {
            all.addAll(next);
            next = journal.awaitNext(next.getLast().number(), Duration.ZERO);
        }
        return all;
    }

    private void change(Random random) {
        String tenant = "t" + random.nextInt(3);
        switch (random.nextInt(6)) {
            case 0 -> server.remove(Resource.OPERATING_SYSTEM_CONFIGS, tenant, "c" + random.nextInt(4));
            case 1 -> {
                if (random.nextInt(3) == 0) {
                    server.remove(Resource.WORKER_CLUSTERS, tenant, "wc");
                }
            }
            case 2 ->
                server.put(
                        Resource.OPERATING_SYSTEM_PROFILES,
                        tenant,
                        "p" + random.nextInt(2),
                        Objects.profile(random.nextBoolean()));
            case 3 -> {
                List<String[]> problems = new ArrayList<>();
                for (int i = random.nextInt(4); i > 0; i--) {
                    problems.add(new String[] {random.nextBoolean() ? "UserDataTooLarge" : "ProfileNotFound", "m" + i});
                }
                server.put(
                        Resource.WORKER_CLUSTERS,
                        tenant,
                        "wc",
                        Objects.workerCluster(problems.isEmpty() ? "Synced" : "Degraded", problems));
            }
            default ->
                server.put(
                        Resource.OPERATING_SYSTEM_CONFIGS,
                        tenant,
                        "c" + random.nextInt(4),
                        Objects.config("m" + random.nextInt(4), random.nextBoolean() ? "Current" : "Blocked"));
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void aReaderThatContinuesFromAnyEventGetsTheRest(long seed) throws Exception {
        Random random = new Random(seed);
        for (int i = 0; i < 20; i++) {
            change(random);
        }
        ChangeJournal journal = started().journal();
        long begin = journal.endPosition();
        for (int i = 0; i < 60; i++) {
            change(random);
        }
        server.settle();
        List<JournalEvent> whole = follow(journal, begin);

        assertThat(whole).hasSizeGreaterThan(60);
        for (int i = 0; i < whole.size(); i += 1 + random.nextInt(3)) {
            String id = whole.get(i).event().id();
            assertThat(follow(journal, journal.positionOf(id).orElseThrow()))
                    .isEqualTo(whole.subList(i + 1, whole.size()));
        }
    }

    @Test
    void theIdOfAnotherProcessIsLost() throws Exception {
        ChangeJournal one = started().journal();
        server.put(Resource.OPERATING_SYSTEM_CONFIGS, "t", "c", Objects.config("m", "Blocked"));
        ChangeJournal other = started().journal();

        long position = other.positionOf(one.idOf(one.endPosition())).orElseThrow();

        assertThat(other.checkPosition(position)).isEqualTo(ChangeJournal.PositionState.LOST);
        assertThat(other.checkPosition(other.endPosition() + 1)).isEqualTo(ChangeJournal.PositionState.LOST);
    }

    @Test
    void whatHappenedLastIsToldOnceAndTheNewestFirst() throws Exception {
        server.put(Resource.WORKER_CLUSTERS, "t", "wc", Objects.workerCluster("Synced", List.of()));
        OneProcess one = started();
        List<String[]> problem = List.<String[]>of(new String[] {"UserDataTooLarge", "m1"});
        server.put(Resource.WORKER_CLUSTERS, "t", "wc", Objects.workerCluster("Degraded", problem));
        for (int i = 0; i < 30; i++) {
            server.put(Resource.WORKER_CLUSTERS, "t", "wc", Objects.workerCluster("Degraded", problem));
        }
        server.put(Resource.WORKER_CLUSTERS, "other", "wc", Objects.workerCluster("Synced", List.of()));
        server.put(Resource.OPERATING_SYSTEM_CONFIGS, "t", "c1", Objects.config("m1", "Blocked"));
        server.settle();
        await(() -> one.journal().findLatest(told -> true, 50).stream()
                .anyMatch(happened -> says(happened).contains("c1")));

        List<String> latest = one.journal().findLatest(told -> "t".equals(told.tenant()), 50).stream()
                .map(happened -> says(happened).replaceAll(" [0-9a-f]{16}$", " ID"))
                .toList();

        assertThat(latest)
                .filteredOn(line -> line.startsWith("MODIFIED WORKER_CLUSTER"))
                .hasSize(1);
        assertThat(latest).filteredOn(line -> line.startsWith("PROBLEM_OPENED")).hasSize(1);
        assertThat(latest).anyMatch(line -> line.startsWith("ADDED MACHINE_DEPLOYMENT"));
        assertThat(one.journal().findLatest(told -> "t".equals(told.tenant()), 1))
                .hasSize(1);
    }

    @Test
    void anObjectThatIsReplacedIsModified() throws Exception {
        server.put(Resource.OPERATING_SYSTEM_CONFIGS, "t", "c1", Objects.config("m1", "Current"));
        server.put(Resource.OPERATING_SYSTEM_CONFIGS, "t", "c2", Objects.config("m2", "Current"));
        ChangeJournal journal = started(Duration.ofSeconds(1)).journal();
        long begin = journal.endPosition();

        server.remove(Resource.OPERATING_SYSTEM_CONFIGS, "t", "c1");
        server.put(Resource.OPERATING_SYSTEM_CONFIGS, "t", "c1", Objects.config("m1", "Blocked"));
        server.remove(Resource.OPERATING_SYSTEM_CONFIGS, "t", "c2");

        assertThat(events(journal, begin)).containsExactly("MODIFIED c1", "MODIFIED m1");
        long changed = journal.endPosition();
        assertThat(events(journal, changed)).containsExactly("DELETED c2", "DELETED m2");
    }

    private static List<String> events(ChangeJournal journal, long from) throws Exception {
        return journal.awaitNext(from, Duration.ofMinutes(1)).stream()
                .map(ChangeJournalTest::formatEvent)
                .toList();
    }

    private static String formatEvent(JournalEvent event) {
        var object = java.util.Objects.requireNonNull(event.event().object(), "an event of an object");
        return event.event().type() + " " + object.name();
    }

    @Test
    void anEarlierPositionIsLostAfterTheKindIsListedAgain() throws Exception {
        OneProcess one = started();
        server.put(Resource.OPERATING_SYSTEM_CONFIGS, "t", "c", Objects.config("m", "Blocked"));
        server.settle();
        long at = one.journal().endPosition();
        server.compact();
        server.expireWatches();
        server.put(Resource.OPERATING_SYSTEM_CONFIGS, "t", "c2", Objects.config("m", "Blocked"));

        await(() -> one.journal().checkPosition(at) != ChangeJournal.PositionState.KNOWN);

        assertThat(one.journal().checkPosition(at)).isEqualTo(ChangeJournal.PositionState.LOST);
    }

    @Test
    void aProblemIsOpenedOnceAndResolvedOnce() throws Exception {
        OneProcess one = started();
        long begin = one.journal().endPosition();
        List<String[]> both = List.of(new String[] {"ProfileNotFound", "a"}, new String[] {"UserDataTooLarge", "b"});
        server.put(Resource.WORKER_CLUSTERS, "t", "wc", Objects.workerCluster("Degraded", both));
        server.put(Resource.WORKER_CLUSTERS, "t", "wc", Objects.workerCluster("Degraded", both));
        server.put(Resource.WORKER_CLUSTERS, "t", "wc", Objects.workerCluster("Degraded", both.subList(0, 1)));
        server.remove(Resource.WORKER_CLUSTERS, "t", "wc");
        server.settle();

        List<StreamEvent.Type> problems = new ArrayList<>();
        one.journal().awaitNext(begin, Duration.ZERO).stream()
                .filter(step -> step.event().problem() != null)
                .forEach(step -> problems.add(step.event().type()));

        assertThat(problems)
                .containsExactly(
                        StreamEvent.Type.PROBLEM_OPENED,
                        StreamEvent.Type.PROBLEM_OPENED,
                        StreamEvent.Type.PROBLEM_RESOLVED,
                        StreamEvent.Type.PROBLEM_RESOLVED);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "x", "eyJ3IjoxMjM0fQ", "0123456789abcdef-", "0123456789abcdef--1", "0123456789abcde-1", "🙂"
            })
    void whatIsNoIdIsRefused(String text) {
        assertThat(new ChangeJournal(InstantSource.system()).positionOf(text)).isEmpty();
    }
}
