package io.osmhub.tenancy.concern;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.problem.MessageFormatter;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.ReasonDescription.SubjectKind;
import io.osmhub.core.resource.StoredProblem;
import io.osmhub.tenancy.concern.HubProblemMonitor.HubProblem;
import io.osmhub.tenancy.lease.TenantSharding;
import io.osmhub.tenancy.management.RenewalLoop;
import io.osmhub.workersync.port.EventRecorder;
import io.osmhub.workersync.watch.RuntimeContext;
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
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Monitors problems of the hub itself, across replicas. Once a second it detects local problems, publishes them to other replicas
 * in this replica's Lease, reads theirs, and records Events on the pod for new ones. Writes only with Lease renewals. Hides
 * resolved problems and those of stopped replicas.
 */
public final class HubProblemMonitor {
    private static final Logger LOG = LoggerFactory.getLogger(HubProblemMonitor.class);
    private static final Duration CHECK_INTERVAL = Duration.ofSeconds(1);
    /** An Event that could not be written is repeated within this time, as one series. */
    private static final Duration EVENT_INTERVAL = Duration.ofMinutes(5);
    /** Tenants are counted every so many checks. */
    private static final int CHECKS_PER_COUNT = 10;

    private static final Comparator<HubProblem> FIRST =
            Comparator.comparing(HubProblem::since).thenComparing(HubProblem::message);

    private final Supplier<List<DetectedProblem>> here;
    private final @Nullable TenantSharding tenantSharding;
    private final @Nullable LeaseProblemDetector leaseProblemDetector;
    private final EventRecorder events;
    private final EventRecorder.Regarding pod;
    private final RuntimeContext runtimeContext;

    /** Accessed by one check at a time. */
    private final Map<HubProblem, Instant> reported = new HashMap<>();

    private int checks;
    private volatile List<HubProblem> own = List.of();
    private volatile List<HubProblem> all = List.of();
    private final RenewalLoop renewalLoop;

    public record DetectedProblem(String object, Problem problem) {}

    /**
     * @param here problems of this replica, except for its Lease
     * @param tenantSharding null for a single replica
     * @param tenants namespaces of all tenants
     * @param pod of this replica
     */
    public HubProblemMonitor(
            Supplier<List<DetectedProblem>> here,
            @Nullable TenantSharding tenantSharding,
            Supplier<? extends Collection<String>> tenants,
            EventRecorder events,
            EventRecorder.Regarding pod,
            RuntimeContext runtimeContext) {
        this.here = here;
        this.tenantSharding = tenantSharding;
        this.leaseProblemDetector = tenantSharding == null ? null : new LeaseProblemDetector(tenantSharding, tenants);
        this.events = events;
        this.pod = pod;
        this.runtimeContext = runtimeContext;
        this.renewalLoop =
                RenewalLoop.every(CHECK_INTERVAL, "Check for problems of the hub", this::refresh, runtimeContext);
    }

    public void start() {
        renewalLoop.wakeAfter(CHECK_INTERVAL);
    }

    public void stop() {
        renewalLoop.stop();
    }

    /** Of this replica. */
    public List<HubProblem> own() {
        return own;
    }

    /** Of all replicas, without duplicates. */
    public List<HubProblem> all() {
        return all;
    }

    private void refresh() {
        Instant now = runtimeContext.scheduler().now();
        List<HubProblem> mine = findOwn(now);
        if (!mine.equals(own)) {
            own = mine;
        }
        Map<HubProblem, EventRecorder.Regarding> pods = new LinkedHashMap<>();
        mine.forEach(problem -> pods.put(problem, pod));
        List<HubProblem> known = new ArrayList<>(mine);
        if (tenantSharding != null && leaseProblemDetector != null) {
            String published = ProblemsAnnotation.write(mine);
            tenantSharding.publishProblems(published);
            // As the other replicas read them.
            known = new ArrayList<>(ProblemsAnnotation.read(published));
            if (checks++ % CHECKS_PER_COUNT == 0) {
                leaseProblemDetector.count();
            }
            others(tenantSharding, leaseProblemDetector, known, pods, now);
        }
        if (!known.equals(all)) {
            all = List.copyOf(known);
        }
        recordEvents(pods, now);
    }

    private List<HubProblem> findOwn(Instant now) {
        List<HubProblem> mine = new ArrayList<>();
        for (DetectedProblem found : here.get()) {
            HubProblem problem = new HubProblem(found.object(), found.problem(), now);
            add(
                    mine,
                    own.stream()
                            .filter(problem::isSameAs)
                            .findFirst()
                            .map(before -> new HubProblem(problem.object(), problem.problem(), before.since()))
                            .orElse(problem));
        }
        if (leaseProblemDetector != null) {
            leaseProblemDetector
                    .own(now)
                    .map(problem -> keepStartTime(problem, own))
                    .ifPresent(problem -> add(mine, problem));
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
                ProblemsAnnotation.read(other.lease().problems()).forEach(problem -> add(known, problem));
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
                                    other.lease().replica(),
                                    other.lease().podUid().isEmpty()
                                            ? null
                                            : other.lease().podUid()));
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
        Map<HubProblem, Instant> before = Map.copyOf(reported);
        reported.keySet().retainAll(pods.keySet());
        pods.forEach((problem, on) -> {
            Instant last = before.get(problem);
            if (last == null || !last.plus(EVENT_INTERVAL).isAfter(now)) {
                reported.put(problem, now);
                recordEvents(problem, on);
            }
        });
        // When a Lease was lost, the Event may have been lost for the same reason.
        before.keySet().stream()
                .filter(problem -> problem.reason() == Reason.LeaseLost && !pods.containsKey(problem))
                .filter(problem -> tenantSharding != null && problem.object().equals(tenantSharding.lease()))
                .forEach(problem -> recordEvents(problem, pod));
    }

    private void recordEvents(HubProblem problem, EventRecorder.Regarding on) {
        if (problem.reason().description().eventSubjects().contains(SubjectKind.HUB)) {
            events.recordEvent(on, null, problem.problem());
        }
    }

    /**
     * A problem of the hub itself.
     *
     * @param object the affected object, such as the name of a Lease
     * @param since when it was first detected; of a lost Lease of another replica, its last renewal
     */
    public record HubProblem(String object, Problem problem, Instant since) {
        public Reason reason() {
            return problem.reason();
        }

        public String message() {
            return problem.message();
        }

        /** Whether both are the same problem, regardless of its message. */
        public boolean isSameAs(HubProblem other) {
            return reason() == other.reason() && object.equals(other.object);
        }
    }

    /** Detects replicas whose Lease was not renewed in time: this one, and others, reported by live ones. */
    static final class LeaseProblemDetector {
        /** Shorter gaps are normal and move no tenant. */
        private static final Duration PATIENCE = Duration.ofSeconds(10);
        /** A starting replica may have to wait for the Lease of a predecessor of the same name. */
        private static final Duration START_PATIENCE = Duration.ofSeconds(30);
        /** A replica that stays away for this long is ignored. */
        static final Duration FORGOTTEN = Duration.ofMinutes(15);

        private final TenantSharding tenantSharding;
        private final Supplier<? extends Collection<String>> tenants;
        private boolean held;
        private int served;

        /** @param tenants namespaces of all tenants */
        LeaseProblemDetector(TenantSharding tenantSharding, Supplier<? extends Collection<String>> tenants) {
            this.tenantSharding = tenantSharding;
            this.tenants = tenants;
        }

        Optional<HubProblem> own(Instant now) {
            if (tenantSharding.canWrite()) {
                held = true;
                return Optional.empty();
            }
            Duration age = tenantSharding.leaseAge();
            if (age.compareTo(held ? PATIENCE : START_PATIENCE) < 0) {
                return Optional.empty();
            }
            String failure = tenantSharding.lastFailure();
            return Optional.of(problem(
                    tenantSharding.lease(),
                    age,
                    failure.isEmpty() ? "another process holds it" : failure,
                    served,
                    now));
        }

        /** Counts this replica's tenants now, because it cannot once it has lost its Lease. */
        void count() {
            if (tenantSharding.canWrite()) {
                served = (int)
                        tenants.get().stream().filter(tenantSharding::serves).count();
            }
        }

        /** Depends on the Lease alone, not on when this replica detects it, so that all replicas show the same. */
        Optional<HubProblem> of(TenantSharding.OtherReplica other, Instant now) {
            TenantSharding.MemberLease lease = other.lease();
            if (other.isLive() || !lease.renewedAt().isAfter(now.minus(FORGOTTEN))) {
                return Optional.empty();
            }
            return Optional.of(problem(
                    lease.name(),
                    lease.duration(),
                    "it stopped without releasing its Lease, or cannot reach the management cluster",
                    tenantSharding.countTenants(lease.name(), tenants.get()),
                    lease.renewedAt()));
        }

        private static HubProblem problem(String lease, Duration age, String cause, int tenants, Instant since) {
            return new HubProblem(
                    lease,
                    Reason.LeaseLost.with(
                            "lease",
                            lease,
                            "duration",
                            age.toSeconds() + " s",
                            "cause",
                            cause,
                            "n",
                            Integer.toString(tenants)),
                    since);
        }
    }

    /**
     * A replica's problems as an annotation of its Lease, for other replicas: a JSON array of few entries. Any writer of Leases in the
     * hub's namespace can change it, so it is read as untrusted text with the same limits.
     */
    public static final class ProblemsAnnotation {
        static final int MOST = 16;
        static final int LONGEST_OBJECT = 253;
        /** An annotation has at most 256 KiB. */
        static final int LONGEST_TEXT = 64 * 1024;

        private static final ObjectMapper MAPPER = JsonMapper.builder().build();

        private ProblemsAnnotation() {}

        /** Empty for no problems. */
        public static String write(List<HubProblem> problems) {
            ArrayNode entries = MAPPER.createArrayNode();
            int length = 2;
            for (HubProblem problem : problems) {
                ObjectNode entry = MAPPER.createObjectNode()
                        .put("object", cut(problem.object()))
                        .put("since", problem.since().toString());
                entry.set(
                        "details",
                        MAPPER.valueToTree(StoredProblem.of(problem.problem().sanitized())));
                length += entry.toString().length() + 1;
                if (entries.size() == MOST || length > LONGEST_TEXT) {
                    break;
                }
                entries.add(entry);
            }
            return entries.isEmpty() ? "" : entries.toString();
        }

        /** Skips invalid entries; empty for an invalid text. */
        public static List<HubProblem> read(String text) {
            List<HubProblem> problems = new ArrayList<>();
            if (text.isEmpty() || text.length() > LONGEST_TEXT) {
                return problems;
            }
            try {
                for (JsonNode entry : MAPPER.readTree(text)) {
                    HubProblem problem = problems.size() < MOST ? problem(entry) : null;
                    if (problem != null) {
                        problems.add(problem);
                    }
                }
            } catch (JsonProcessingException e) {
                LOG.debug("Problems of another replica cannot be read", e);
            }
            return problems;
        }

        private static @Nullable HubProblem problem(JsonNode entry) {
            try {
                StoredProblem stored = MAPPER.treeToValue(entry.path("details"), StoredProblem.class);
                String object = MessageFormatter.visible(
                                cut(entry.path("object").asText()))
                        .strip();
                // A newer replica may send unknown reasons.
                Reason reason =
                        stored == null ? null : Reason.of(stored.reason()).orElse(null);
                boolean isOfHub = reason != null
                        && reason.description().conditionTargets().stream()
                                .anyMatch(place -> place.subject() == SubjectKind.HUB);
                return stored == null || reason == null || !isOfHub || object.isEmpty()
                        ? null
                        : new HubProblem(
                                object,
                                stored.toProblem(reason, Problem.Scope.HUB).sanitized(),
                                Instant.parse(entry.path("since").asText()));
            } catch (JsonProcessingException | IllegalArgumentException | DateTimeException e) {
                return null;
            }
        }

        private static String cut(String text) {
            if (text.length() <= LONGEST_OBJECT) {
                return text;
            }
            boolean splits = Character.isHighSurrogate(text.charAt(LONGEST_OBJECT - 1));
            return text.substring(0, splits ? LONGEST_OBJECT - 1 : LONGEST_OBJECT);
        }
    }
}
