package io.osmhub.api.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.osmhub.api.access.Caller;
import io.osmhub.api.access.CallerAuthorizer;
import io.osmhub.api.access.VisibleTenants;
import io.osmhub.api.http.Call;
import io.osmhub.api.http.Reply;
import io.osmhub.api.problem.ApiProblem;
import io.osmhub.api.schema.ApiJson;
import io.osmhub.api.schema.StreamEvent;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.apiserver.Verb;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class EventStreamTest {
    private static final EventStream.StreamTimings PACE =
            new EventStream.StreamTimings(Duration.ofMillis(300), Duration.ZERO, Duration.ofMinutes(5));

    private final MemoryServer server = new MemoryServer();
    private final List<AutoCloseable> open = new ArrayList<>();
    private final Set<String> hidden = ConcurrentHashMap.newKeySet();
    /** Not there when it was asked what a caller may see. */
    private final Set<String> unknown = ConcurrentHashMap.newKeySet();

    @AfterEach
    void stop() throws Exception {
        for (AutoCloseable one : open) {
            one.close();
        }
        server.close();
    }

    /** Who may see everything but what is hidden at the moment. */
    private final class Seeing implements CallerAuthorizer {
        @Override
        public boolean isAllowed(Caller caller, Verb verb, Resource resource, String namespace, String name) {
            return !hidden.contains(namespace);
        }

        @Override
        public VisibleTenants findVisibleTenants(Caller caller, Verb verb, Resource resource) {
            Set<String> now = Set.copyOf(hidden);
            return new VisibleTenants() {
                @Override
                public boolean includesAll() {
                    return false;
                }

                @Override
                public boolean includes(String namespace) {
                    return covers(namespace) && !now.contains(namespace);
                }

                @Override
                public boolean covers(String namespace) {
                    return !unknown.contains(namespace);
                }
            };
        }
    }

    /** A client that reads a stream until it goes. */
    private static final class Client implements Reply.ReplySink, AutoCloseable {
        private final List<StreamEvent> events = new CopyOnWriteArrayList<>();
        private final List<Runnable> whenGone = new CopyOnWriteArrayList<>();
        private volatile boolean gone;

        @Override
        public boolean send(String text) {
            for (String line : text.split("\n", -1)) {
                if (line.startsWith("data: ")) {
                    try {
                        events.add(ApiJson.client().readValue(line.substring(6), StreamEvent.class));
                    } catch (IOException e) {
                        throw new IllegalStateException(e);
                    }
                }
            }
            return !gone;
        }

        @Override
        public boolean isClosed() {
            return gone;
        }

        @Override
        public void onClose(Runnable task) {
            whenGone.add(task);
        }

        @Override
        public void close() {
            gone = true;
            whenGone.forEach(Runnable::run);
        }

        List<String> told() {
            return events.stream()
                    .filter(event -> event.kind() != null)
                    .map(event -> event.type() + " " + event.tenant() + "/"
                            + (event.object() == null ? "" : event.object().name()))
                    .toList();
        }

        String lastId() {
            return events.getLast().id();
        }

        long count(StreamEvent.Type type) {
            return events.stream().filter(event -> event.type() == type).count();
        }
    }

    private static Call call(Map<String, String> headers, Map<String, List<String>> query) {
        Caller caller = new Caller("jane", "", List.of(), Map.of(), null);
        return (Call) Proxy.newProxyInstance(
                Call.class.getClassLoader(),
                new Class<?>[] {Call.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "caller" -> caller;
                    case "header" -> Optional.ofNullable(headers.get(String.valueOf(arguments[0])));
                    case "query" ->
                        Optional.ofNullable(query.get(String.valueOf(arguments[0])))
                                .map(List::getFirst);
                    case "queryList" -> query.getOrDefault(String.valueOf(arguments[0]), List.of());
                    default -> throw new UnsupportedOperationException(method.getName());
                });
    }

    private OneProcess process() {
        OneProcess process = new OneProcess(server);
        open.add(process);
        return process;
    }

    private EventOperations streams(OneProcess process) {
        return new EventOperations(process.journal(), new Seeing(), InstantSource.system(), PACE);
    }

    private Client follow(EventOperations streams, Map<String, String> headers, Map<String, List<String>> query)
            throws ApiProblem {
        Reply reply = streams.operations().getFirst().execute(call(headers, query));
        Client client = new Client();
        open.add(client);
        if (!(reply.body() instanceof Reply.StreamingReply streaming)) {
            throw new AssertionError("no stream");
        }
        Thread.ofVirtual().start(() -> {
            try {
                streaming.run(client);
            } catch (InterruptedException e) {
                client.close();
            }
        });
        return client;
    }

    private Client from(EventOperations streams, String id) throws ApiProblem {
        return follow(streams, Map.of("Last-Event-ID", id), Map.of());
    }

    private static void await(BooleanSupplier condition) {
        Awaitility.await().atMost(Duration.ofSeconds(90)).until(condition::getAsBoolean);
    }

    private void config(String tenant, String name, String newNodes) {
        server.put(Resource.OPERATING_SYSTEM_CONFIGS, tenant, name, Objects.config(name, newNodes));
    }

    @Test
    void aClientThatReconnectsToTheSameReplicaReceivesEveryChangeOnce() throws Exception {
        EventOperations streams = streams(process());
        Client one = follow(streams, Map.of(), Map.of());
        await(() -> one.count(StreamEvent.Type.BOOKMARK) > 0);
        config("t", "a", "Current");
        config("t", "b", "Current");
        await(() -> one.told().size() == 4);
        // Before it is closed: its stream notices that only with the next event.
        String last = one.lastId();
        one.close();
        config("t", "a", "Blocked");
        server.remove(Resource.OPERATING_SYSTEM_CONFIGS, "t", "b");

        Client two = from(streams, last);
        await(() -> two.told().size() == 4);
        config("t", "c", "Current");
        await(() -> two.told().size() == 6);

        assertThat(two.told())
                .containsExactly(
                        "MODIFIED t/a", "MODIFIED t/a", "DELETED t/b", "DELETED t/b", "ADDED t/c", "ADDED t/c");
        assertThat(two.count(StreamEvent.Type.RESET)).isZero();
    }

    @Test
    void aClientOfARestartedOrAnotherReplicaListsAgainAndThenFollows() throws Exception {
        Client one = follow(streams(process()), Map.of(), Map.of());
        await(() -> one.count(StreamEvent.Type.BOOKMARK) > 0);
        one.close();
        for (AutoCloseable process : List.copyOf(open)) {
            process.close();
        }
        config("t", "a", "Current");

        Client two = from(streams(process()), one.lastId());
        await(() -> two.count(StreamEvent.Type.RESET) > 0);
        config("t", "b", "Current");
        await(() -> two.told().size() == 2);

        assertThat(two.count(StreamEvent.Type.RESET)).isEqualTo(1);
        assertThat(two.events.getFirst().type()).isEqualTo(StreamEvent.Type.RESET);
        assertThat(two.told()).containsExactly("ADDED t/b", "ADDED t/b");
    }

    @Test
    void aClientListsAgainAfterTheHubHasToListAgain() throws Exception {
        Client client = follow(streams(process()), Map.of(), Map.of());
        await(() -> client.count(StreamEvent.Type.BOOKMARK) > 0);

        server.compact();
        server.expireWatches();
        await(() -> client.count(StreamEvent.Type.RESET) > 0);
        config("t", "b", "Current");

        await(() -> client.told().contains("ADDED t/b"));
    }

    @Test
    void whatACallerMayNotSeeIsNotToldAndThatMayChangeMeanwhile() throws Exception {
        Client client = follow(streams(process()), Map.of(), Map.of());
        await(() -> client.count(StreamEvent.Type.BOOKMARK) > 0);
        hidden.add("secret");
        config("secret", "a", "Current");
        config("open", "b", "Current");
        await(() -> client.told().size() == 2);

        hidden.clear();
        config("secret", "c", "Current");
        await(() -> client.told().size() == 4);

        assertThat(client.told()).noneMatch(text -> text.contains("secret/a")).contains("ADDED secret/c");
    }

    @Test
    void theFirstThatIsHeardOfATenantIsToldToWhoMaySeeIt() throws Exception {
        unknown.addAll(List.of("new", "secret"));
        hidden.add("secret");
        Client client = follow(streams(process()), Map.of(), Map.of());
        await(() -> client.count(StreamEvent.Type.BOOKMARK) > 0);

        config("secret", "a", "Current");
        config("new", "b", "Current");

        await(() -> client.told().size() == 2);
        assertThat(client.told()).containsExactly("ADDED new/b", "ADDED new/b");
    }

    @Test
    void onlyTheTenantAndTheKindsThatWereAskedForAreTold() throws Exception {
        Client client = follow(
                streams(process()),
                Map.of(),
                Map.of("namespace", List.of("t"), "kind", List.of("MachineDeployment", "Problem")));
        await(() -> client.count(StreamEvent.Type.BOOKMARK) > 0);
        config("other", "a", "Current");
        config("t", "b", "Current");
        server.put(
                Resource.WORKER_CLUSTERS, "t", "wc", Objects.workerCluster("Degraded", List.<String[]>of(new String[] {
                    "ProfileNotFound", "m"
                })));
        await(() -> client.told().size() == 2);

        assertThat(client.told()).containsExactly("ADDED t/b", "PROBLEM_OPENED t/m");
    }

    @Test
    void aSilentStreamSaysThatItLives() throws Exception {
        Client client = follow(streams(process()), Map.of(), Map.of());

        await(() -> client.count(StreamEvent.Type.BOOKMARK) >= 4);

        assertThat(client.events).allSatisfy(event -> assertThat(event.id()).isNotEmpty());
    }

    /** As with HEAD, and where the server has no place left: how many are followed, the server counts. */
    @Test
    void aStreamThatIsAskedForAndNeverReadTakesNoPlace() throws Exception {
        EventOperations streams = streams(process());

        for (int i = 0; i < 100; i++) {
            assertThat(streams.operations()
                            .getFirst()
                            .execute(call(Map.of(), Map.of()))
                            .body())
                    .isInstanceOf(Reply.StreamingReply.class);
        }
    }

    @Test
    void whatIsNoIdIsAMistakeOfTheRequest() {
        EventOperations streams = streams(process());

        assertThatThrownBy(() -> from(streams, "nonsense")).isInstanceOfSatisfying(ApiProblem.class, problem -> {
            assertThat(problem.status()).isEqualTo(400);
            assertThat(problem.mistakes().getFirst().pointer()).isEqualTo("Last-Event-ID");
        });
    }
}
