package io.osmhub.tenancy.concern;

import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.Reason.SubjectKind;
import io.osmhub.core.problem.ReasonMessage;
import io.osmhub.tenancy.lease.TenantSharding;
import io.osmhub.workersync.port.EventRecorder;
import io.osmhub.workersync.port.Scheduler;
import io.osmhub.workersync.watch.RuntimeContext;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
    private volatile Scheduler.@Nullable ScheduledTask next;
    private volatile boolean stopped;

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
    }

    public void start() {
        next = around.scheduler()
                .schedule(LOOKING, () -> around.blockingExecutor().execute(() -> {
                    try {
                        refresh();
                    } finally {
                        if (!stopped) {
                            start();
                        }
                    }
                }));
    }

    public void stop() {
        stopped = true;
        Scheduler.ScheduledTask alarm = next;
        if (alarm != null) {
            alarm.cancel();
        }
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
        if (stopped) {
            return;
        }
        Instant now = around.scheduler().now();
        List<HubProblem> mine = findOwn(now);
        if (!mine.equals(own)) {
            own = mine;
        }
        Map<HubProblem, EventRecorder.Regarding> pods = new LinkedHashMap<>();
        List<HubProblem> known = new ArrayList<>();
        for (HubProblem problem : mine) {
            add(known, problem);
            pods.put(problem, pod);
        }
        if (shares != null && leases != null) {
            shares.publishProblems(ProblemsAnnotation.write(mine));
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
            lost.of(other, now).map(problem -> keepStartTime(problem, all)).ifPresent(problem -> {
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

    private static void add(List<HubProblem> known, HubProblem problem) {
        if (known.stream().noneMatch(problem::isSameAs)) {
            known.add(problem);
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
}
