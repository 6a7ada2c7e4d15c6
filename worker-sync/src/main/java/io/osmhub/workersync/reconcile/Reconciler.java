package io.osmhub.workersync.reconcile;

import io.osmhub.core.bootstrap.Stamps;
import io.osmhub.core.plan.Change;
import io.osmhub.core.plan.Decider;
import io.osmhub.core.plan.Decision;
import io.osmhub.core.plan.Facts;
import io.osmhub.core.plan.SecretRole;
import io.osmhub.core.plan.Why;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.port.SyncObserver;
import io.osmhub.workersync.port.TenantInputs;
import io.osmhub.workersync.port.Timers;
import io.osmhub.workersync.watch.ObjectKey;
import io.osmhub.workersync.write.WriteBudget;
import io.osmhub.workersync.write.Writer;
import io.osmhub.workersync.write.Written;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Keeps one MachineDeployment's objects as its profile asks: look, decide, write. Safe to run again after any failure. */
final class Reconciler {
    /** Each round fetches what the round before asked for; provider configs name a handful of objects. */
    private static final int FETCH_ROUNDS = 8;

    /** What is written at most once there is a token: the bootstrap token and what embeds either. */
    private static final int WITH_A_TOKEN = 5;

    private final Look look;
    private final ProviderReferences references;
    private final Decider decider;
    private final RenderThreads rendering;
    private final Writer writer;
    private final WriteBudget budget;
    private final DriftLoops drift;
    private final SyncObserver observer;
    private final Timers timers;

    Reconciler(
            Look look,
            ProviderReferences references,
            Decider decider,
            RenderThreads rendering,
            Writer writer,
            WriteBudget budget,
            DriftLoops drift,
            SyncObserver observer,
            Timers timers) {
        this.look = look;
        this.references = references;
        this.decider = decider;
        this.rendering = rendering;
        this.writer = writer;
        this.budget = budget;
        this.drift = drift;
        this.observer = observer;
        this.timers = timers;
    }

    /** What a run came to. */
    sealed interface Outcome {
        /** There is no such MachineDeployment any more. */
        record Gone() implements Outcome {}

        /** Its writes have to wait for their turn; nothing was written. */
        record Waits(Facts facts, Decision decision, Duration forSoLong) implements Outcome {}

        /** Somebody undoes the hub's work again and again; nothing was written. */
        record Fights(Facts facts, Decision decision, DriftLoops.Loop loop, Duration forSoLong) implements Outcome {}

        /** What there is could not be found out. */
        record Unknown(ApiFailure failure) implements Outcome {}

        /** Decided and written, or tried to. */
        record Decided(Facts facts, Decision decision, Written written, Times times, boolean fetched)
                implements Outcome {}
    }

    /** How long the steps took. */
    record Times(Duration look, Duration decide, Duration write) {}

    Outcome reconcile(ObjectKey key, TenantInputs inputs, RunNotes notes) {
        long start = timers.nanoTime();
        ProviderReferences.Session session = references.session();
        Facts facts;
        Decision decision;
        long looked;
        try {
            writer.settleDoubts(Look.keys(key));
            facts = look.at(key, inputs, session);
            if (facts == null) {
                budget.release(key);
                return new Outcome.Gone();
            }
            looked = timers.nanoTime();
            notes.step("look", start, looked);
            decision = decide(facts, session, notes);
        } catch (ApiFailure failure) {
            budget.release(key);
            return new Outcome.Unknown(failure);
        }
        long decided = timers.nanoTime();
        notes.step("decide", looked, decided);
        List<Change> changes = decision.changes();
        DriftLoops.Pause pause = drift.pause(changes);
        if (pause != null) {
            budget.release(key);
            return new Outcome.Fights(facts, decision, pause.loop(), pause.forSoLong());
        }
        int writes = (int)
                changes.stream().filter(change -> Target.of(change).inWorker()).count();
        boolean goesOn = changes.stream().anyMatch(Change.RequestToken.class::isInstance);
        if (goesOn) {
            writes += WITH_A_TOKEN;
        }
        if (writes == 0) {
            budget.release(key);
        } else {
            Duration wait = budget.take(key, writes, turn(facts, changes));
            if (wait.isPositive()) {
                return new Outcome.Waits(facts, decision, wait);
            }
        }
        Written written = writer.apply(changes);
        if (goesOn && written.failed() == null) {
            // With the token that is there now; what else was written the caches know.
            Facts now = look.at(key, inputs, session);
            if (now != null) {
                facts = now;
                decision = rendering.call(inputs.namespace(), () -> measured(now, notes));
                Written more = writer.apply(decision.changes());
                List<Written.Done> all = new ArrayList<>(written.done());
                all.addAll(more.done());
                written = new Written(all, more.failed());
            }
        }
        Times times = new Times(
                Duration.ofNanos(looked - start),
                Duration.ofNanos(decided - looked),
                Duration.ofNanos(timers.nanoTime() - decided));
        return new Outcome.Decided(facts, decision, written, times, session.used());
    }

    /**
     * Another content for what machines can start from meanwhile is in no hurry. Where something is missing, or machine-controller waits
     * for the revision, no machine starts; without the token in it, none joins.
     */
    private static WriteBudget.Turn turn(Facts facts, List<Change> changes) {
        boolean rotates = changes.stream().anyMatch(change -> change.why().cause() == Why.Cause.CONTENT);
        return rotates
                        && facts.found().deletedToken() == null
                        && changes.stream().noneMatch(Reconciler::bringsRevision)
                ? WriteBudget.Turn.PATIENT
                : WriteBudget.Turn.FIRST;
    }

    private static boolean bringsRevision(Change change) {
        return change instanceof Change.UpdateSecret update
                && update.role() == SecretRole.BOOTSTRAP
                && !Objects.equals(
                        update.found().annotations().get(Stamps.REVISION),
                        update.object().annotations().get(Stamps.REVISION));
    }

    private Decision decide(Facts facts, ProviderReferences.Session session, RunNotes notes) throws ApiFailure {
        String tenant = facts.tenant().namespace();
        Decision decision = rendering.call(tenant, () -> measured(facts, notes));
        for (int round = 0; round < FETCH_ROUNDS && session.missedAny(); round++) {
            session.fetch();
            decision = rendering.call(tenant, () -> measured(facts, notes));
        }
        return decision;
    }

    /** On the thread that renders, so that waiting for it does not count; nearly all of a decision is rendering. */
    private Decision measured(Facts facts, RunNotes notes) {
        long start = timers.nanoTime();
        Decision decision = decider.decide(facts);
        Decision.Rendered rendered =
                switch (decision.outcome()) {
                    case Decision.Outcome.Wanted(Decision.Rendered made) -> made;
                    case Decision.Outcome.Held(Decision.Rendered made) -> made;
                    case Decision.Outcome.NotOurs _,
                            Decision.Outcome.Leaving _,
                            Decision.Outcome.Blocked _,
                            Decision.Outcome.NotRendered _,
                            Decision.Outcome.AwaitsToken _,
                            Decision.Outcome.Failed _ -> null;
                };
        if (rendered != null) {
            String engine =
                    rendered.profile().compiled().spec().templateEngine().wireName();
            long end = timers.nanoTime();
            observer.rendered(engine, Duration.ofNanos(end - start));
            long bytes = rendered.bytes().values().stream()
                    .mapToLong(Integer::longValue)
                    .sum();
            notes.rendered(engine, bytes, start, end);
        }
        return decision;
    }
}
