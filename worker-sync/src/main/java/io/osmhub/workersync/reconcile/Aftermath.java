package io.osmhub.workersync.reconcile;

import io.osmhub.core.bootstrap.ObjectNames;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.osc.OperatingSystemConfigStatus;
import io.osmhub.core.osc.OperatingSystemConfigStatus.NewNodes;
import io.osmhub.core.plan.Change;
import io.osmhub.core.plan.Decision;
import io.osmhub.core.plan.Diagnosis;
import io.osmhub.core.plan.Facts;
import io.osmhub.core.plan.StoredConfig;
import io.osmhub.core.problem.Actor;
import io.osmhub.core.problem.Message;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.Severity;
import io.osmhub.core.resource.Copies;
import io.osmhub.core.status.Circumstances;
import io.osmhub.core.status.Patience;
import io.osmhub.core.status.Report;
import io.osmhub.core.status.Run;
import io.osmhub.core.workercluster.WorkerClusterStatus.OpenProblem;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.port.ConfigStore;
import io.osmhub.workersync.port.SyncObserver;
import io.osmhub.workersync.port.SyncObserver.Result;
import io.osmhub.workersync.port.TenantInputs;
import io.osmhub.workersync.port.Timers;
import io.osmhub.workersync.queue.Next;
import io.osmhub.workersync.watch.ObjectKey;
import io.osmhub.workersync.write.Written;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What follows from a run, once for every path: when to run again, state, Events, metrics and log lines. */
final class Aftermath {
    private static final Duration NO_TIME = Duration.ZERO;
    /** A token with less left is a problem. */
    private static final Duration LEAST_VALIDITY = Duration.ofMinutes(20);

    private static final Logger LOG = LoggerFactory.getLogger(Aftermath.class);

    private final ConfigStore configs;
    private final Teller teller;
    private final DriftLoops drift;
    private final SyncObserver observer;
    private final Timers timers;
    private final Map<ObjectKey, State> states = new ConcurrentHashMap<>();
    private final Map<ObjectKey, Patience> patience = new ConcurrentHashMap<>();
    /** Problems that an earlier process wrote Events of, while they last. */
    private final Map<ObjectKey, Set<String>> toldBefore;

    private volatile Circumstances circumstances = Circumstances.NORMAL;

    /** What a run was for. */
    record Asked(
            ObjectKey key,
            String reconcileId,
            RunNotes notes,
            TenantInputs inputs,
            int failures,
            Triggers.@Nullable Asked by) {}

    /**
     * What follows.
     *
     * @param next when it is tried again because something is wrong, or not at all
     * @param again when it wants to be looked at even if nothing changes
     */
    record Follow(Next next, @Nullable Duration again) {}

    Aftermath(Runs.Management management, Teller teller, DriftLoops drift, SyncObserver observer, Timers timers) {
        this.configs = management.configs();
        this.toldBefore = management.problems().stream()
                .filter(problem -> "MachineDeployment".equals(problem.kind()))
                .collect(Collectors.groupingByConcurrent(
                        problem -> new ObjectKey(String.valueOf(problem.namespace()), String.valueOf(problem.name())),
                        Collectors.mapping(Aftermath::text, Collectors.toUnmodifiableSet())));
        this.teller = teller;
        this.drift = drift;
        this.observer = observer;
        this.timers = timers;
    }

    /** What concerns every MachineDeployment alike is another now. */
    void circumstances(Circumstances now) {
        circumstances = now;
        if (now.connected() && now.credentialsGood()) {
            // The next runs tell.
            return;
        }
        for (State state : List.copyOf(states.values())) {
            if (state.newNodes() == NewNodes.CURRENT) {
                states.replace(state.key(), state, state.with(NewNodes.AT_RISK, state.problems(), state.lastRun()));
                StoredConfig stored = configs.find(state.config());
                if (stored != null && stored.status() != null) {
                    configs.offerStatus(stored.name(), atRisk(stored.status()));
                }
            }
        }
    }

    private static OperatingSystemConfigStatus atRisk(OperatingSystemConfigStatus status) {
        return new OperatingSystemConfigStatus(
                status.observedGeneration(),
                status.conditions(),
                NewNodes.AT_RISK,
                status.source(),
                status.wanted(),
                status.secrets(),
                status.history());
    }

    Map<ObjectKey, State> states() {
        return states;
    }

    Follow after(Asked asked, Reconciler.Outcome outcome) {
        return switch (outcome) {
            case Reconciler.Outcome.Gone() -> gone(asked);
            case Reconciler.Outcome.Unknown(ApiFailure failure) -> unknown(asked, failure);
            case Reconciler.Outcome.Waits waits -> waits(asked, waits);
            case Reconciler.Outcome.Fights fights -> fights(asked, fights);
            case Reconciler.Outcome.Decided decided -> decided(asked, decided);
        };
    }

    /** The run itself failed: a fault of the hub. Nothing is lost, and people are told. */
    Follow bug(Asked asked, RuntimeException failure) {
        RunLog.bug(asked, failure, "The run failed; it will be tried again", LOG);
        observer.ran(Result.HUB_BUG, Duration.ZERO, Duration.ZERO, Duration.ZERO);
        asked.notes().came(Result.HUB_BUG, "", true);
        State before = states.get(asked.key());
        if (before != null) {
            Diagnosis told = Report.internalError(
                    asked.inputs().namespace(), "MachineDeployment", asked.key().toString(), asked.reconcileId());
            put(before.with(before.newNodes(), List.of(told), timers.now()));
        }
        return retry(Actor.HUB, null, null);
    }

    private Follow gone(Asked asked) {
        states.remove(asked.key());
        toldBefore.remove(asked.key());
        patience.remove(asked.key());
        return new Follow(new Next.Done(), null);
    }

    private Follow unknown(Asked asked, ApiFailure failure) {
        observer.ran(Result.UNREACHABLE, Duration.ZERO, Duration.ZERO, Duration.ZERO);
        asked.notes().came(Result.UNREACHABLE, "", false);
        int repeats = losePatience(asked).failures();
        RunLog.unknown(asked, failure, repeats, LOG);
        return retry(Actor.HUB, failure.retryAfter(), null);
    }

    private Follow waits(Asked asked, Reconciler.Outcome.Waits waits) {
        observer.budgetWaited(waits.forSoLong());
        tellAndPut(asked, run(asked, waits.facts(), waits.decision(), List.of(), null, "the write budget", NO_TIME));
        return new Follow(new Next.Later(waits.forSoLong()), null);
    }

    private Follow fights(Asked asked, Reconciler.Outcome.Fights fights) {
        Diagnosis loop = loop(asked, fights.loop());
        tellAndPut(asked, run(asked, fights.facts(), fights.decision(), List.of(), loop, null, NO_TIME));
        return new Follow(new Next.Later(fights.forSoLong()), null);
    }

    private Run run(
            Asked asked,
            Facts facts,
            Decision decision,
            List<Change> done,
            @Nullable Diagnosis failure,
            @Nullable String waiting,
            Duration took) {
        String config = ObjectNames.of(facts.machineDeployment()).operatingSystemConfig();
        return new Run(
                asked.reconcileId(),
                facts,
                decision,
                done,
                failure,
                waiting,
                took,
                configs.find(config),
                new Circumstances(
                        circumstances.connected(),
                        circumstances.credentialsGood(),
                        asked.inputs().paused()));
    }

    private Diagnosis loop(Asked asked, DriftLoops.Loop loop) {
        Target target = Target.of(loop.change());
        return new Diagnosis(
                Reason.DriftLoop,
                Message.of(
                        Reason.DriftLoop,
                        Map.of(
                                "tenant", asked.inputs().namespace(),
                                "kind", target.kind(),
                                "name", target.fullName(),
                                "manager", Objects.requireNonNullElse(target.lastWriter(), "somebody"),
                                "n", Integer.toString(loop.repairs()),
                                "field", target.lastWriter() == null ? "the whole object" : "data or annotations")));
    }

    private Follow decided(Asked asked, Reconciler.Outcome.Decided decided) {
        Decision decision = decided.decision();
        if (decision.outcome() instanceof Decision.Outcome.NotOurs) {
            return gone(asked);
        }
        Facts facts = decided.facts();
        Written written = decided.written();
        if (decision.outcome() instanceof Decision.Outcome.Failed(RuntimeException cause)) {
            RunLog.bug(asked, cause, "Rendering failed in the hub", LOG);
        }
        DriftLoops.Loop loop = made(asked, facts.machineDeployment(), written.done());
        Diagnosis failure = loop == null ? null : loop(asked, loop);
        Written.Failed failed = written.failed();
        if (failed != null) {
            failure = failed(asked, failed);
        } else {
            patience.remove(asked.key());
        }
        List<Change> done = written.done().stream().map(Written.Done::change).toList();
        String waiting = failed != null && failure == null ? "another try" : null;
        Report report = tellAndPut(
                asked,
                run(
                        asked,
                        facts,
                        decision,
                        done,
                        failure,
                        waiting,
                        decided.times().write()));
        Result result = RunMetrics.of(decided, report.problems(), asked.by(), sinceAsked(asked), observer);
        asked.notes()
                .came(
                        result,
                        done.isEmpty() ? "" : done.getFirst().why().because(),
                        report.problems().stream()
                                .anyMatch(problem -> problem.reason().severity() == Severity.ERROR));
        return follow(asked, decided, report.problems(), loop != null);
    }

    private DriftLoops.@Nullable Loop made(Asked asked, MachineDeployment machineDeployment, List<Written.Done> done) {
        DriftLoops.Loop loop = null;
        teller.changes(asked.inputs(), machineDeployment, done, sinceAsked(asked));
        for (Written.Done one : done) {
            Change change = one.change();
            RunLog.changed(asked, machineDeployment, one, LOG);
            if (DriftLoops.isRepair(change)) {
                observer.driftRepaired(Target.of(change).shortKind());
            }
            DriftLoops.Loop made = drift.made(change);
            loop = made == null ? loop : made;
            tokenWritten(change, true);
        }
        return loop;
    }

    private void tokenWritten(Change change, boolean succeeded) {
        if (change instanceof Change.ExtendToken) {
            observer.tokenWritten("extended", succeeded);
        } else if (change instanceof Change.CreateToken) {
            observer.tokenWritten("replaced", succeeded);
        } else if (change instanceof Change.RequestToken) {
            observer.tokenWritten("fetch", succeeded);
        }
    }

    /** What people are told; null while it may still pass. */
    private @Nullable Diagnosis failed(Asked asked, Written.Failed failed) {
        ApiFailure failure = failed.failure();
        Patience left = losePatience(asked);
        RunLog.failed(asked, failed, left.failures(), LOG);
        tokenWritten(failed.change(), false);
        boolean shown = !failure.mayPass() || left.isOver(timers.now());
        return shown && failure.why() != ApiFailure.Cause.CLOSED
                ? WriteFailures.of(failed, asked.inputs(), left.failures())
                : null;
    }

    private Patience losePatience(Asked asked) {
        return patience.merge(
                asked.key(), Patience.FRESH.failed(timers.now()), (before, first) -> before.failed(timers.now()));
    }

    private Follow follow(Asked asked, Reconciler.Outcome.Decided decided, List<Diagnosis> problems, boolean fights) {
        Written.Failed failed = decided.written().failed();
        Duration again = again(decided, fights);
        if (failed != null) {
            if (failed.failure().isConflict() && asked.failures() == 0) {
                // With the newer object it may go through, so the first conflict in a row costs no pause.
                again = NO_TIME;
            }
            Reason reason = WriteFailures.reason(failed.failure(), Target.of(failed.change()));
            // Nobody tells when a namespace is made, so it is tried sooner than other things that a person has to mend.
            Actor actor = reason == Reason.WorkerNamespaceMissing ? Actor.HUB : reason.actor();
            return retry(actor, failed.failure().retryAfter(), again);
        }
        return switch (decided.decision().outcome()) {
            case Decision.Outcome.Failed _, Decision.Outcome.AwaitsToken() -> retry(Actor.HUB, null, again);
            case Decision.Outcome.NotRendered(), Decision.Outcome.Held _, Decision.Outcome.Blocked() ->
                problems.isEmpty()
                        ? new Follow(new Next.Done(), again)
                        : retry(problems.getFirst().reason().actor(), null, again);
            case Decision.Outcome.NotOurs(), Decision.Outcome.Leaving(), Decision.Outcome.Wanted _ ->
                new Follow(new Next.Done(), again);
        };
    }

    private @Nullable Duration again(Reconciler.Outcome.Decided decided, boolean fights) {
        Decision decision = decided.decision();
        List<Change> done =
                decided.written().done().stream().map(Written.Done::change).toList();
        Instant due = decision.again() == null ? tokenTold(token(decision, done)) : decision.again();
        Duration until = due == null ? null : Duration.between(timers.now(), due);
        if (decided.fetched() && (until == null || until.compareTo(ProviderReferences.FRESH) > 0)) {
            // What was fetched is not watched.
            until = ProviderReferences.FRESH.plusSeconds(1);
        }
        if (fights && (until == null || until.compareTo(DriftLoops.WITHIN) > 0)) {
            // To say that it is over.
            until = DriftLoops.WITHIN.plusSeconds(1);
        }
        return until == null || until.isPositive() ? until : Duration.ofSeconds(1);
    }

    /** The token in use as it is, also when its extension was not made; null when it was not made itself. */
    private static Decision.@Nullable Token token(Decision decision, List<Change> done) {
        Decision.Token token = decision.token();
        if (token == null) {
            return null;
        }
        for (Change change : Stream.concat(decision.changes().stream(), decision.withheld().stream())
                .toList()) {
            if (change instanceof Change.ExtendToken extend
                    && extend.found().name().equals(token.name())
                    && extend.found().expiration() != null
                    && !done.contains(change)) {
                return new Decision.Token(token.name(), extend.found().expiration());
            }
            if (change instanceof Change.CreateToken create
                    && create.object().name().equals(token.name())
                    && !done.contains(change)) {
                return null;
            }
        }
        return token;
    }

    /** While nothing is written, a token runs out: when that is to be told, first as a risk, then as a fact. */
    private @Nullable Instant tokenTold(Decision.@Nullable Token token) {
        if (token == null) {
            return null;
        }
        Instant end = token.expiration();
        Instant soon = end.minus(LEAST_VALIDITY);
        Instant now = timers.now();
        return soon.isAfter(now) ? soon.plusSeconds(1) : end.isAfter(now) ? end.plusSeconds(1) : null;
    }

    private Follow retry(Actor actor, @Nullable Duration retryAfter, @Nullable Duration again) {
        if (actor != Actor.TENANT) {
            observer.retried(actor.word());
        }
        return new Follow(new Next.Retry(actor, retryAfter), again);
    }

    private Report tellAndPut(Asked asked, Run run) {
        MachineDeployment machineDeployment = run.facts().machineDeployment();
        Report report = Report.of(run);
        OperatingSystemConfigStatus status = report.status();
        StoredConfig stored = run.stored();
        if (status != null && stored != null && !status.equals(stored.status())) {
            configs.offerStatus(stored.name(), status);
        }
        State before = states.get(asked.key());
        if (before != null) {
            for (Diagnosis old : before.problems()) {
                if (report.problems().stream().noneMatch(now -> now.reason() == old.reason())) {
                    teller.resolved(
                            asked.inputs(), machineDeployment, old, Duration.between(before.since(), timers.now()));
                }
            }
        }
        teller.problems(asked.inputs(), machineDeployment, news(asked.key(), before, stored, report.problems()));
        RunLog.problems(asked, before == null ? List.of() : before.problems(), report.problems(), LOG);
        put(State.of(
                report,
                machineDeployment,
                token(run.decision(), run.done()),
                run.decision().fetch(),
                timers.now()));
        return report;
    }

    /** Those that had no Event from an earlier process, as the stored statuses show; one that ends and comes again is new. */
    private List<Diagnosis> news(
            ObjectKey key, @Nullable State before, @Nullable StoredConfig stored, List<Diagnosis> problems) {
        Set<String> told = new HashSet<>(toldBefore.getOrDefault(key, Set.of()));
        OperatingSystemConfigStatus status = before == null && stored != null ? stored.status() : null;
        if (status != null) {
            Copies.stream(status.conditions())
                    .forEach(condition -> told.add(text(condition.reason(), condition.message())));
        }
        told.retainAll(problems.stream().map(Aftermath::text).toList());
        if (told.isEmpty()) {
            toldBefore.remove(key);
        } else {
            toldBefore.put(key, told);
        }
        return problems.stream()
                .filter(problem -> !told.contains(text(problem)))
                .toList();
    }

    private static String text(Diagnosis problem) {
        return text(problem.reason().word(), problem.message());
    }

    private static String text(OpenProblem problem) {
        return text(problem.reason(), problem.message());
    }

    private static String text(String reason, String message) {
        return reason + ": " + message;
    }

    /** Problems that follow one another are one time of trouble. */
    private void put(State state) {
        states.merge(state.key(), state, (before, now) -> {
            boolean lasting = !before.problems().isEmpty() && !now.problems().isEmpty();
            return lasting ? now.since(before.since()) : now;
        });
    }

    private Duration sinceAsked(Asked asked) {
        Triggers.Asked by = asked.by();
        return by == null ? Duration.ZERO : Duration.ofNanos(timers.nanoTime() - by.nanos());
    }
}
