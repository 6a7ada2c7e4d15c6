package io.osmhub.tenancy.concern;

import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.Subject;
import io.osmhub.tenancy.lease.Shares;
import io.osmhub.workersync.port.EventSink;
import io.osmhub.workersync.port.Timers;
import io.osmhub.workersync.watch.Surroundings;
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
 * What is wrong with the hub itself, whichever replica has it. Once a second this looks at what is wrong here, says it to the other
 * replicas by this one's Lease, reads theirs, and tells by an Event on the pod what has begun. Nothing is written beside the
 * renewals of the Lease. What is over, or was said by a replica that is gone, is not shown any more.
 */
public final class HubProblems {
    private static final Duration LOOKING = Duration.ofSeconds(1);
    /** Within this an Event that could not be written is told again; it is one series with the first. */
    private static final Duration TELLING = Duration.ofMinutes(5);
    /** Tenants are counted in every so many looks. */
    private static final int COUNTING = 10;

    private final Supplier<List<Found>> here;
    private final @Nullable Shares shares;
    private final @Nullable LeaseProblems leases;
    private final EventSink events;
    private final EventSink.Regarding pod;
    private final Surroundings around;

    private final AtomicLong changes = new AtomicLong();
    /** Only touched by the one look at a time. */
    private final Map<HubProblem, Instant> told = new HashMap<>();

    private int looks;
    private volatile List<HubProblem> own = List.of();
    private volatile List<HubProblem> all = List.of();
    private volatile Timers.@Nullable Timer next;
    private volatile boolean stopped;

    /** Something that is wrong at this moment. */
    public record Found(String object, Reason reason, String message) {}

    /**
     * Problems that nobody has looked at yet.
     *
     * @param here what is wrong with this replica, but for its Lease
     * @param shares null for a replica without others
     * @param tenants namespaces of all tenants
     * @param pod of this replica
     */
    public HubProblems(
            Supplier<List<Found>> here,
            @Nullable Shares shares,
            Supplier<? extends Collection<String>> tenants,
            EventSink events,
            EventSink.Regarding pod,
            Surroundings around) {
        this.here = here;
        this.shares = shares;
        this.leases = shares == null ? null : new LeaseProblems(shares, tenants);
        this.events = events;
        this.pod = pod;
        this.around = around;
    }

    /** Begins to look. */
    public void start() {
        next = around.timers().after(LOOKING, () -> around.waiting().execute(() -> {
            try {
                look();
            } finally {
                if (!stopped) {
                    start();
                }
            }
        }));
    }

    /** Looks no more. */
    public void stop() {
        stopped = true;
        Timers.Timer alarm = next;
        if (alarm != null) {
            alarm.cancel();
        }
    }

    /** Of this replica. */
    public List<HubProblem> own() {
        return own;
    }

    /** Of all replicas, each once. */
    public List<HubProblem> all() {
        return all;
    }

    /** Another number after each change. */
    public long changes() {
        return changes.get();
    }

    private void look() {
        if (stopped) {
            return;
        }
        Instant now = around.timers().now();
        List<HubProblem> mine = mine(now);
        if (!mine.equals(own)) {
            own = mine;
        }
        Map<HubProblem, EventSink.Regarding> pods = new LinkedHashMap<>();
        List<HubProblem> known = new ArrayList<>();
        for (HubProblem problem : mine) {
            add(known, problem);
            pods.put(problem, pod);
        }
        if (shares != null && leases != null) {
            shares.say(ToldProblems.text(mine));
            if (looks++ % COUNTING == 0) {
                leases.count();
            }
            others(shares, leases, known, pods, now);
        }
        if (!known.equals(all)) {
            all = List.copyOf(known);
            changes.incrementAndGet();
        }
        tell(pods, now);
    }

    private List<HubProblem> mine(Instant now) {
        List<HubProblem> mine = new ArrayList<>();
        for (Found found : here.get()) {
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
            leases.own(now).map(problem -> asBefore(problem, own)).ifPresent(problem -> add(mine, problem));
        }
        return List.copyOf(mine);
    }

    private void others(
            Shares of,
            LeaseProblems lost,
            List<HubProblem> known,
            Map<HubProblem, EventSink.Regarding> pods,
            Instant now) {
        // One tells for who cannot; the first of those who live.
        boolean tells = !of.members().isEmpty() && of.members().first().equals(of.lease());
        for (Shares.Other other : of.others()) {
            if (other.isLive()) {
                ToldProblems.read(other.problems()).forEach(problem -> add(known, problem));
            }
            lost.of(other, now).map(problem -> asBefore(problem, all)).ifPresent(problem -> {
                add(known, problem);
                if (tells && of.mayWrite()) {
                    pods.put(
                            problem,
                            new EventSink.Regarding(
                                    pod.apiVersion(),
                                    pod.kind(),
                                    pod.namespace(),
                                    other.replica(),
                                    other.podUid().isEmpty() ? null : other.podUid()));
                }
            });
        }
    }

    /** In the words in which it was first told, since how long it lasts changes all the time. */
    private static HubProblem asBefore(HubProblem problem, List<HubProblem> before) {
        return before.stream().filter(problem::isSameAs).findFirst().orElse(problem);
    }

    private static void add(List<HubProblem> known, HubProblem problem) {
        if (known.stream().noneMatch(problem::isSameAs)) {
            known.add(problem);
        }
    }

    private void tell(Map<HubProblem, EventSink.Regarding> pods, Instant now) {
        Map<HubProblem, Instant> before = Map.copyOf(told);
        told.keySet().retainAll(pods.keySet());
        pods.forEach((problem, on) -> {
            Instant last = before.get(problem);
            if (last == null || !last.plus(TELLING).isAfter(now)) {
                told.put(problem, now);
                tell(problem, on);
            }
        });
        // While a Lease was lost the way to the management cluster may have been, and with it the Event.
        before.keySet().stream()
                .filter(problem -> problem.reason() == Reason.LeaseLost && !pods.containsKey(problem))
                .filter(problem -> shares != null && problem.object().equals(shares.lease()))
                .forEach(problem -> tell(problem, pod));
    }

    private void tell(HubProblem problem, EventSink.Regarding on) {
        if (problem.reason().events().contains(Subject.HUB)) {
            events.tell(on, null, problem.reason(), action(problem.reason()), problem.message());
        }
    }

    /** The step of the hub that it concerns. */
    private static EventSink.Action action(Reason reason) {
        return switch (reason) {
            case LeaseLost, WebhookCertificateExpiring -> EventSink.Action.RENEW;
            case CRDForeignManaged -> EventSink.Action.ADOPT;
            case WebhookBundleNotPatched -> EventSink.Action.PUBLISH;
            default -> EventSink.Action.CONNECT;
        };
    }
}
