package io.osmhub.tenancy.concern;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.problem.MessageFormatter;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.Reason.SubjectKind;
import io.osmhub.core.problem.ReasonMessage;
import io.osmhub.tenancy.concern.HubProblemMonitor.HubProblem;
import io.osmhub.tenancy.lease.TenantSharding;
import io.osmhub.tenancy.renewal.RenewalLoop;
import io.osmhub.workersync.port.EventRecorder;
import io.osmhub.workersync.watch.RuntimeContext;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Monitors problems of the hub itself, across replicas. Once a second it detects local problems, publishes them to other replicas
 * in this replica's Lease, reads theirs, and records Events on the pod for new ones. Writes only with Lease renewals. Hides
 * resolved problems and those of stopped replicas.
 */
public final class HubProblemMonitor {
    private static final Duration LOOKING = Duration.ofSeconds(1);
    /** An Event that could not be written is repeated within this time, as one series. */
    private static final Duration TELLING = Duration.ofMinutes(5);
    /** Tenants are counted every so many checks. */
    private static final int COUNTING = 10;

    private static final Comparator<HubProblem> FIRST =
            Comparator.comparing(HubProblem::since).thenComparing(HubProblem::message);

    private final Supplier<List<DetectedProblem>> here;
    private final @Nullable TenantSharding shares;
    private final @Nullable LeaseProblemDetector leases;
    private final EventRecorder events;
    private final EventRecorder.Regarding pod;
    private final RuntimeContext around;

    private final AtomicLong changes = new AtomicLong();
    /** Accessed by one check at a time. */
    private final Map<HubProblem, Instant> told = new HashMap<>();

    private int looks;
    private volatile List<HubProblem> own = List.of();
    private volatile List<HubProblem> all = List.of();
    private final RenewalLoop loop;

    public record DetectedProblem(String object, Reason reason, String message) {}

    /**
     * @param here problems of this replica, except for its Lease
     * @param shares null for a single replica
     * @param tenants namespaces of all tenants
     * @param pod of this replica
     */
    public HubProblemMonitor(
            Supplier<List<DetectedProblem>> here,
            @Nullable TenantSharding shares,
            Supplier<? extends Collection<String>> tenants,
            EventRecorder events,
            EventRecorder.Regarding pod,
            RuntimeContext around) {
        this.here = here;
        this.shares = shares;
        this.leases = shares == null ? null : new LeaseProblemDetector(shares, tenants);
        this.events = events;
        this.pod = pod;
        this.around = around;
        this.loop = RenewalLoop.every(LOOKING, "Check for problems of the hub", this::refresh, around);
    }

    public void start() {
        loop.wakeAfter(LOOKING);
    }

    public void stop() {
        loop.stop();
    }

    /** Of this replica. */
    public List<HubProblem> own() {
        return own;
    }

    /** Of all replicas, without duplicates. */
    public List<HubProblem> all() {
        return all;
    }

    /** Increases with each change. */
    public long changes() {
        return changes.get();
    }

    private void refresh() {
        Instant now = around.scheduler().now();
        List<HubProblem> mine = findOwn(now);
        if (!mine.equals(own)) {
            own = mine;
        }
        Map<HubProblem, EventRecorder.Regarding> pods = new LinkedHashMap<>();
        mine.forEach(problem -> pods.put(problem, pod));
        List<HubProblem> known = new ArrayList<>(mine);
        if (shares != null && leases != null) {
            String published = ProblemsAnnotation.write(mine);
            shares.publishProblems(published);
            // As the other replicas read them.
            known = new ArrayList<>(ProblemsAnnotation.read(published));
            if (looks++ % COUNTING == 0) {
                leases.count();
            }
            others(shares, leases, known, pods, now);
        }
        if (!known.equals(all)) {
            all = List.copyOf(known);
            changes.incrementAndGet();
        }
        recordEvents(pods, now);
    }

    private List<HubProblem> findOwn(Instant now) {
        List<HubProblem> mine = new ArrayList<>();
        for (DetectedProblem found : here.get()) {
            HubProblem problem = new HubProblem(found.object(), found.reason(), found.message(), now);
            add(
                    mine,
                    own.stream()
                            .filter(problem::isSameAs)
                            .findFirst()
                            .map(before -> new HubProblem(
                                    problem.object(), problem.reason(), problem.message(), before.since()))
                            .orElse(problem));
        }
        if (leases != null) {
            leases.own(now).map(problem -> keepStartTime(problem, own)).ifPresent(problem -> add(mine, problem));
        }
        return List.copyOf(mine);
    }

    private void others(
            TenantSharding of,
            LeaseProblemDetector lost,
            List<HubProblem> known,
            Map<HubProblem, EventRecorder.Regarding> pods,
            Instant now) {
        // The first live replica reports for those that cannot.
        boolean tells = !of.members().isEmpty() && of.members().first().equals(of.lease());
        for (TenantSharding.OtherReplica other : of.otherReplicas()) {
            if (other.isLive()) {
                ProblemsAnnotation.read(other.problems()).forEach(problem -> add(known, problem));
            }
            lost.of(other, now).ifPresent(problem -> {
                add(known, problem);
                if (tells && of.canWrite()) {
                    pods.put(
                            problem,
                            new EventRecorder.Regarding(
                                    pod.apiVersion(),
                                    pod.kind(),
                                    pod.namespace(),
                                    other.replica(),
                                    other.podUid().isEmpty() ? null : other.podUid()));
                }
            });
        }
    }

    /** Keeps the first message, because its duration changes all the time. */
    private static HubProblem keepStartTime(HubProblem problem, List<HubProblem> before) {
        return before.stream().filter(problem::isSameAs).findFirst().orElse(problem);
    }

    /** Of the same problem keeps the one detected first, on every replica. */
    private static void add(List<HubProblem> known, HubProblem problem) {
        Optional<HubProblem> same = known.stream().filter(problem::isSameAs).findFirst();
        if (same.isEmpty()) {
            known.add(problem);
        } else if (FIRST.compare(problem, same.get()) < 0) {
            known.set(known.indexOf(same.get()), problem);
        }
    }

    private void recordEvents(Map<HubProblem, EventRecorder.Regarding> pods, Instant now) {
        Map<HubProblem, Instant> before = Map.copyOf(told);
        told.keySet().retainAll(pods.keySet());
        pods.forEach((problem, on) -> {
            Instant last = before.get(problem);
            if (last == null || !last.plus(TELLING).isAfter(now)) {
                told.put(problem, now);
                recordEvents(problem, on);
            }
        });
        // When a Lease was lost, the Event may have been lost for the same reason.
        before.keySet().stream()
                .filter(problem -> problem.reason() == Reason.LeaseLost && !pods.containsKey(problem))
                .filter(problem -> shares != null && problem.object().equals(shares.lease()))
                .forEach(problem -> recordEvents(problem, pod));
    }

    private void recordEvents(HubProblem problem, EventRecorder.Regarding on) {
        if (problem.reason().eventSubjects().contains(SubjectKind.HUB)) {
            events.recordEvent(on, null, new ReasonMessage(problem.reason(), problem.message()));
        }
    }

    /**
     * A problem of the hub itself.
     *
     * @param object the affected object, such as the name of a Lease
     * @param since when it was first detected; of a lost Lease of another replica, its last renewal
     */
    public record HubProblem(String object, Reason reason, String message, Instant since) {
        /** Whether both are the same problem, regardless of its message. */
        public boolean isSameAs(HubProblem other) {
            return reason == other.reason && object.equals(other.object);
        }
    }

    /** Detects replicas whose Lease was not renewed in time: this one, and others, reported by live ones. */
    static final class LeaseProblemDetector {
        /** Shorter gaps are normal and move no tenant. */
        private static final Duration PATIENCE = Duration.ofSeconds(10);
        /** A starting replica may have to wait for the Lease of a predecessor of the same name. */
        private static final Duration BEGINNING = Duration.ofSeconds(30);
        /** A replica that stays away for this long is ignored. */
        static final Duration FORGOTTEN = Duration.ofMinutes(15);

        private final TenantSharding shares;
        private final Supplier<? extends Collection<String>> tenants;
        private boolean held;
        private int served;

        /** @param tenants namespaces of all tenants */
        LeaseProblemDetector(TenantSharding shares, Supplier<? extends Collection<String>> tenants) {
            this.shares = shares;
            this.tenants = tenants;
        }

        Optional<HubProblem> own(Instant now) {
            if (shares.canWrite()) {
                held = true;
                return Optional.empty();
            }
            Duration age = shares.leaseAge();
            if (age.compareTo(held ? PATIENCE : BEGINNING) < 0) {
                return Optional.empty();
            }
            String failure = shares.lastFailure();
            return Optional.of(problem(
                    shares.lease(), age, failure.isEmpty() ? "another process holds it" : failure, served, now));
        }

        /** Counts this replica's tenants now, because it cannot once it has lost its Lease. */
        void count() {
            if (shares.canWrite()) {
                served = (int) tenants.get().stream().filter(shares::serves).count();
            }
        }

        /** Depends on the Lease alone, not on when this replica detects it, so that all replicas show the same. */
        Optional<HubProblem> of(TenantSharding.OtherReplica other, Instant now) {
            if (other.isLive() || !other.renewedAt().isAfter(now.minus(FORGOTTEN))) {
                return Optional.empty();
            }
            return Optional.of(problem(
                    other.lease(),
                    other.duration(),
                    "it stopped without releasing its Lease, or cannot reach the management cluster",
                    shares.countTenants(other.lease(), tenants.get()),
                    other.renewedAt()));
        }

        private static HubProblem problem(String lease, Duration age, String cause, int tenants, Instant since) {
            return new HubProblem(
                    lease,
                    Reason.LeaseLost,
                    Reason.LeaseLost.with(
                                    "lease",
                                    lease,
                                    "duration",
                                    age.toSeconds() + " s",
                                    "cause",
                                    cause,
                                    "n",
                                    Integer.toString(tenants))
                            .message(),
                    since);
        }
    }

    /**
     * A replica's problems as an annotation of its Lease, for other replicas: a JSON array of few and short entries. Any writer of
     * Leases in the hub's namespace can change it, so it is read as untrusted text with the same limits.
     */
    public static final class ProblemsAnnotation {
        static final int MOST = 16;
        static final int LONGEST_OBJECT = 253;
        static final int LONGEST_MESSAGE = 512;
        /** Limit for reading; this program writes no longer ones. */
        static final int LONGEST_TEXT = 32 * 1024;

        private static final ObjectMapper MAPPER = JsonMapper.builder().build();

        private ProblemsAnnotation() {}

        /** Empty for no problems. */
        public static String write(List<HubProblem> problems) {
            if (problems.isEmpty()) {
                return "";
            }
            ArrayNode all = MAPPER.createArrayNode();
            problems.stream().limit(MOST).forEach(problem -> {
                ObjectNode one = all.addObject();
                one.put("object", cut(problem.object(), LONGEST_OBJECT));
                one.put("reason", problem.reason().wireName());
                one.put("message", cut(problem.message(), LONGEST_MESSAGE));
                one.put("since", problem.since().toString());
            });
            return all.toString();
        }

        /** Skips invalid entries; empty for an invalid text. */
        public static List<HubProblem> read(String text) {
            List<HubProblem> problems = new ArrayList<>();
            if (text.isEmpty() || text.length() > LONGEST_TEXT) {
                return problems;
            }
            JsonNode all;
            try {
                all = MAPPER.readTree(text.getBytes(UTF_8));
            } catch (IOException e) {
                return problems;
            }
            for (JsonNode one : all) {
                if (problems.size() < MOST) {
                    one(one).ifPresent(problems::add);
                }
            }
            return problems;
        }

        private static Optional<HubProblem> one(JsonNode json) {
            String object = clean(json.path("object").asText(), LONGEST_OBJECT);
            String message = clean(json.path("message").asText(), LONGEST_MESSAGE);
            // A newer replica may send unknown reasons.
            return Reason.of(json.path("reason").asText())
                    .filter(reason ->
                            reason.conditionTargets().stream().anyMatch(place -> place.subject() == SubjectKind.HUB))
                    .filter(reason -> !object.isEmpty() && !message.isEmpty())
                    .flatMap(reason -> since(json).map(since -> new HubProblem(object, reason, message, since)));
        }

        private static Optional<Instant> since(JsonNode json) {
            try {
                return Optional.of(Instant.parse(json.path("since").asText()));
            } catch (DateTimeException e) {
                return Optional.empty();
            }
        }

        /** A single line; its messages are escaped already. */
        private static String clean(String text, int longest) {
            return MessageFormatter.visible(cut(text, longest)).strip();
        }

        private static String cut(String text, int longest) {
            if (text.length() <= longest) {
                return text;
            }
            boolean splits = Character.isHighSurrogate(text.charAt(longest - 1));
            return text.substring(0, splits ? longest - 1 : longest);
        }
    }
}
