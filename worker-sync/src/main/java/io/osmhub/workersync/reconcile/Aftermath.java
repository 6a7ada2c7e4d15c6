package io.osmhub.workersync.reconcile;

import io.osmhub.core.bootstrap.ObjectNames;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.osc.OperatingSystemConfigStatus.NewNodes;
import io.osmhub.core.plan.Change;
import io.osmhub.core.plan.Decision;
import io.osmhub.core.plan.Diagnosis;
import io.osmhub.core.plan.Facts;
import io.osmhub.core.problem.Actor;
import io.osmhub.core.problem.Message;
import io.osmhub.core.problem.Reason;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.port.SyncObserver;
import io.osmhub.workersync.port.SyncObserver.Result;
import io.osmhub.workersync.port.TenantInputs;
import io.osmhub.workersync.port.Timers;
import io.osmhub.workersync.queue.Next;
import io.osmhub.workersync.watch.ObjectKey;
import io.osmhub.workersync.write.Written;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/** What follows from a run, once for every path: when to run again, state, Events, metrics and log lines. */
final class Aftermath {
    /** A cause that may pass is shown after so many tries, or after so long. */
    private static final int SHOWN_AFTER_TRIES = 3;

    private static final Duration SHOWN_AFTER = Duration.ofSeconds(10);
    private static final Logger LOG = LoggerFactory.getLogger(Aftermath.class);

    private final Look look;
    private final Teller teller;
    private final DriftLoops drift;
    private final SyncObserver observer;
    private final Timers timers;
    private final Map<ObjectKey, State> states = new ConcurrentHashMap<>();
    private final Map<ObjectKey, Instant> failingSince = new ConcurrentHashMap<>();

    /** What a run was for. */
    record Asked(ObjectKey key, String reconcileId, TenantInputs inputs, int failures, Triggers.@Nullable Asked by) {}

    /**
     * What follows.
     *
     * @param next when it is tried again because something is wrong, or not at all
     * @param again when it wants to be looked at even if nothing changes
     */
    record Follow(Next next, @Nullable Duration again) {}

    Aftermath(Look look, Teller teller, DriftLoops drift, SyncObserver observer, Timers timers) {
        this.look = look;
        this.teller = teller;
        this.drift = drift;
        this.observer = observer;
        this.timers = timers;
    }

    Collection<State> states() {
        return states.values();
    }

    @Nullable State state(ObjectKey key) {
        return states.get(key);
    }

    Follow after(Asked asked, Reconciler.Outcome outcome) {
        return switch (outcome) {
            case Reconciler.Outcome.Gone() -> gone(asked);
            case Reconciler.Outcome.Unknown(ApiFailure failure) -> unknown(asked, failure);
            case Reconciler.Outcome.Waits(Facts facts, Decision decision, Duration wait) ->
                waits(asked, facts, decision, wait);
            case Reconciler.Outcome.Fights fights -> fights(asked, fights);
            case Reconciler.Outcome.Decided decided -> decided(asked, decided);
        };
    }

    /** The run itself failed: a fault of the hub. Nothing is lost, and people are told. */
    Follow bug(Asked asked, RuntimeException failure) {
        log(asked, LOG.atError()).setCause(failure).log("The run failed; it will be tried again");
        observer.ran(Result.HUB_BUG, Duration.ZERO, Duration.ZERO, Duration.ZERO);
        State before = states.get(asked.key());
        if (before != null) {
            put(before.with(List.of(internalError(asked)), timers.now()));
        }
        return retry(Actor.HUB, null, null);
    }

    private Diagnosis internalError(Asked asked) {
        return new Diagnosis(
                Reason.InternalError,
                Message.of(
                        Reason.InternalError,
                        Map.of(
                                "tenant", asked.inputs().namespace(),
                                "kind", "MachineDeployment",
                                "name", asked.key().toString(),
                                "id", asked.reconcileId())));
    }

    private Follow gone(Asked asked) {
        states.remove(asked.key());
        failingSince.remove(asked.key());
        return new Follow(new Next.Done(), null);
    }

    private Follow unknown(Asked asked, ApiFailure failure) {
        log(asked, LOG.atInfo()).addKeyValue("cause", failure.text()).log("Not known what there is; tried again");
        observer.ran(Result.UNREACHABLE, Duration.ZERO, Duration.ZERO, Duration.ZERO);
        failingSince.putIfAbsent(asked.key(), timers.now());
        return retry(Actor.HUB, failure.retryAfter(), null);
    }

    private Follow waits(Asked asked, Facts facts, Decision decision, Duration wait) {
        observer.budgetWaited(wait);
        if (!states.containsKey(asked.key())) {
            put(facts, asked, NewNodes.PENDING, decision.problems(), decision.token());
        }
        return new Follow(new Next.Later(wait), null);
    }

    private Follow fights(Asked asked, Reconciler.Outcome.Fights fights) {
        List<Diagnosis> problems = new ArrayList<>(fights.decision().problems());
        problems.add(loop(asked, fights.loop()));
        tellAndPut(asked, fights.facts(), fights.decision(), problems, false);
        return new Follow(new Next.Later(fights.forSoLong()), null);
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
        List<Diagnosis> problems = new ArrayList<>(decision.problems());
        if (decision.outcome() instanceof Decision.Outcome.Failed(RuntimeException cause)) {
            log(asked, LOG.atError()).setCause(cause).log("Rendering failed in the hub");
            problems.addFirst(internalError(asked));
        }
        made(asked, facts.machineDeployment(), written.done(), problems);
        Written.Failed failed = written.failed();
        if (failed != null) {
            failed(asked, failed, problems);
        } else {
            failingSince.remove(asked.key());
        }
        boolean complete = failed == null && decision.withheld().isEmpty();
        tellAndPut(asked, facts, decision, problems, complete);
        observe(asked, decided, complete, problems);
        return follow(decided, problems);
    }

    private void made(
            Asked asked, MachineDeployment machineDeployment, List<Written.Done> done, List<Diagnosis> problems) {
        if (done.isEmpty()) {
            return;
        }
        teller.changes(asked.inputs(), machineDeployment, done, sinceAsked(asked));
        for (Written.Done one : done) {
            Change change = one.change();
            log(asked, LOG.atInfo())
                    .addKeyValue("osp", machineDeployment.profileName())
                    .addKeyValue("osc", ObjectNames.of(machineDeployment).operatingSystemConfig())
                    .log("{}: {}", change.describe(), change.why().because());
            if (DriftLoops.isRepair(change)) {
                observer.driftRepaired(Target.of(change).shortKind());
            }
            DriftLoops.Loop loop = drift.made(change);
            if (loop != null) {
                problems.add(loop(asked, loop));
            }
            switch (change) {
                case Change.ExtendToken extend -> observer.tokenWritten("extended", true);
                case Change.CreateToken create -> observer.tokenWritten("replaced", true);
                default -> {
                    // Counted as requests.
                }
            }
        }
    }

    private void failed(Asked asked, Written.Failed failed, List<Diagnosis> problems) {
        ApiFailure failure = failed.failure();
        Instant since = Objects.requireNonNullElse(failingSince.putIfAbsent(asked.key(), timers.now()), timers.now());
        log(asked, LOG.atWarn())
                .addKeyValue("code", failure.code())
                .addKeyValue("cause", failure.text())
                .log("Could not {}", failed.change().describe());
        if (failed.change() instanceof Change.ExtendToken) {
            observer.tokenWritten("extended", false);
        } else if (failed.change() instanceof Change.CreateToken) {
            observer.tokenWritten("replaced", false);
        }
        Diagnosis diagnosis = WriteFailures.of(failed, asked.inputs(), asked.failures() + 1, timers.now());
        boolean shown = !failure.mayPass()
                || diagnosis.reason().category() == io.osmhub.core.problem.Category.TOKEN
                || asked.failures() + 1 >= SHOWN_AFTER_TRIES
                || Duration.between(since, timers.now()).compareTo(SHOWN_AFTER) >= 0;
        if (shown && failure.why() != ApiFailure.Cause.CLOSED) {
            problems.add(diagnosis);
        }
    }

    private Follow follow(Reconciler.Outcome.Decided decided, List<Diagnosis> problems) {
        Written.Failed failed = decided.written().failed();
        Duration again = again(decided);
        if (failed != null) {
            Reason reason = WriteFailures.reason(failed.failure(), Target.of(failed.change()));
            return retry(reason.actor(), failed.failure().retryAfter(), again);
        }
        return switch (decided.decision().outcome()) {
            case Decision.Outcome.Failed(RuntimeException cause) -> retry(Actor.HUB, null, again);
            case Decision.Outcome.NotRendered(), Decision.Outcome.Held _, Decision.Outcome.Blocked() ->
                problems.isEmpty()
                        ? new Follow(new Next.Done(), again)
                        : retry(problems.getFirst().reason().actor(), null, again);
            case Decision.Outcome.NotOurs(), Decision.Outcome.Leaving(), Decision.Outcome.Wanted _ ->
                new Follow(new Next.Done(), again);
        };
    }

    private @Nullable Duration again(Reconciler.Outcome.Decided decided) {
        Instant due = decided.decision().again();
        Duration until = due == null ? null : Duration.between(timers.now(), due);
        if (decided.fetched() && (until == null || until.compareTo(ProviderReferences.FRESH) > 0)) {
            // What was fetched is not watched.
            until = ProviderReferences.FRESH.plusSeconds(1);
        }
        return until == null || until.isPositive() ? until : Duration.ofSeconds(1);
    }

    private Follow retry(Actor actor, @Nullable Duration retryAfter, @Nullable Duration again) {
        if (actor != Actor.TENANT) {
            observer.retried(actor.word());
        }
        return new Follow(new Next.Retry(actor, retryAfter), again);
    }

    private void tellAndPut(Asked asked, Facts facts, Decision decision, List<Diagnosis> problems, boolean complete) {
        MachineDeployment machineDeployment = facts.machineDeployment();
        State before = states.get(asked.key());
        if (before != null) {
            for (Diagnosis old : before.problems()) {
                if (problems.stream().noneMatch(now -> now.reason() == old.reason())) {
                    teller.resolved(
                            asked.inputs(), machineDeployment, old, Duration.between(before.since(), timers.now()));
                }
            }
        }
        teller.problems(asked.inputs(), machineDeployment, problems);
        NewNodes newNodes = decision.outcome() instanceof Decision.Outcome.Leaving
                ? NewNodes.BLOCKED
                : Health.newNodes(
                        facts, decision, look.secrets(ObjectNames.of(machineDeployment)), complete, timers.now());
        put(facts, asked, newNodes, problems, decision.token());
    }

    private void put(
            Facts facts, Asked asked, NewNodes newNodes, List<Diagnosis> problems, Decision.@Nullable Token token) {
        MachineDeployment machineDeployment = facts.machineDeployment();
        Instant now = timers.now();
        put(new State(
                asked.key(),
                machineDeployment.uid(),
                ObjectNames.of(machineDeployment).operatingSystemConfig(),
                machineDeployment.profileName(),
                newNodes,
                problems,
                token,
                now,
                now));
    }

    /** Problems that follow one another are one time of trouble. */
    private void put(State state) {
        states.merge(state.key(), state, (before, now) -> {
            boolean lasting = !before.problems().isEmpty() && !now.problems().isEmpty();
            return lasting ? now.since(before.since()) : now;
        });
    }

    private void observe(Asked asked, Reconciler.Outcome.Decided decided, boolean complete, List<Diagnosis> problems) {
        Reconciler.Times times = decided.times();
        observer.ran(result(decided, problems), times.look(), times.decide(), times.write());
        if (!(decided.decision().outcome() instanceof Decision.Outcome.Wanted(Decision.Rendered rendered))) {
            return;
        }
        List<Written.Done> done = decided.written().done();
        if (done.isEmpty()) {
            if (complete) {
                observer.writesAvoided();
            }
            return;
        }
        boolean content = done.stream()
                .map(Written.Done::change)
                .anyMatch(change -> Target.of(change).kind().equals("Secret")
                        && !(change instanceof Change.StampSecret)
                        && !(change instanceof Change.ExtendToken));
        Triggers.Asked by = asked.by();
        if (complete && content) {
            rendered.bytes()
                    .forEach((role, bytes) -> observer.userData(role.name().toLowerCase(java.util.Locale.ROOT), bytes));
            if (by != null) {
                observer.published(by.trigger(), sinceAsked(asked));
                if (by.trigger() != SyncObserver.Trigger.CREATED) {
                    observer.rotated(by.trigger());
                }
            }
        }
    }

    private static Result result(Reconciler.Outcome.Decided decided, List<Diagnosis> problems) {
        if (decided.decision().outcome() instanceof Decision.Outcome.Failed) {
            return Result.HUB_BUG;
        }
        if (decided.written().failed() != null) {
            return Result.UNREACHABLE;
        }
        return problems.stream().anyMatch(problem -> problem.reason().actor() == Actor.TENANT)
                ? Result.TENANT_MISTAKE
                : Result.OK;
    }

    private Duration sinceAsked(Asked asked) {
        Triggers.Asked by = asked.by();
        return by == null ? Duration.ZERO : Duration.ofNanos(timers.nanoTime() - by.nanos());
    }

    private static LoggingEventBuilder log(Asked asked, LoggingEventBuilder line) {
        return line.addKeyValue("tenant", asked.inputs().namespace())
                .addKeyValue("workerCluster", asked.inputs().workerCluster())
                .addKeyValue("machineDeployment", asked.key())
                .addKeyValue("reconcileId", asked.reconcileId());
    }
}
