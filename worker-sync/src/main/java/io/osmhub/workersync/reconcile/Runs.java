package io.osmhub.workersync.reconcile;

import io.osmhub.core.bootstrap.ObjectNames;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.plan.Change;
import io.osmhub.core.plan.Decider;
import io.osmhub.core.plan.Leftovers;
import io.osmhub.core.plan.Marks;
import io.osmhub.core.plan.StoredSecret;
import io.osmhub.core.problem.Actor;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.port.ConfigStore;
import io.osmhub.workersync.port.EventSink;
import io.osmhub.workersync.port.ProfileCatalog;
import io.osmhub.workersync.port.SyncObserver;
import io.osmhub.workersync.port.SyncObserver.Trigger;
import io.osmhub.workersync.port.TenantInputs;
import io.osmhub.workersync.queue.Lane;
import io.osmhub.workersync.queue.Next;
import io.osmhub.workersync.queue.Urgency;
import io.osmhub.workersync.queue.WorkQueue;
import io.osmhub.workersync.watch.ObjectKey;
import io.osmhub.workersync.watch.SecretReader;
import io.osmhub.workersync.watch.Surroundings;
import io.osmhub.workersync.watch.WatchedMachineDeployment;
import io.osmhub.workersync.watch.WorkerObjects;
import io.osmhub.workersync.write.WriteBudget;
import io.osmhub.workersync.write.Writer;
import io.osmhub.workersync.write.Written;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The runs of one tenant: decides who is looked at when, one run for a MachineDeployment at a time, and one key more that
 * sweeps up what MachineDeployments left that are gone. Safe for use by many threads.
 */
public final class Runs {
    /** The sweep; no MachineDeployment has an empty name. */
    private static final ObjectKey SWEEP = new ObjectKey("", "");

    /** A MachineDeployment that goes takes its objects with it; what is still there later was left. */
    private static final Duration SWEEP_AFTER = Duration.ofSeconds(10);

    private final WorkerObjects objects;
    private final ConfigStore configs;
    private final Surroundings around;
    private final SyncObserver observer;
    private final Runnable changed;
    private final Claims claims;
    private final Triggers triggers = new Triggers();
    private final Adoptions adoptions = new Adoptions();
    private final Teller teller;
    private final WriteBudget budget;
    private final Writer writer;
    private final Reconciler reconciler;
    private final Removal removal;
    private final Aftermath aftermath;
    private final Lane<ObjectKey> lane;
    private final Set<ObjectKey> firstPass = ConcurrentHashMap.newKeySet();
    private volatile TenantInputs inputs;
    private volatile boolean begun;
    private volatile @Nullable Removing removing;

    /**
     * What runs need that is the same for all tenants.
     *
     * @param decider safe for use by many threads
     * @param parallel runs the requests of one run that go out together: a virtual thread for each
     */
    public record Tools(
            WorkQueue queue, Decider decider, RenderThreads rendering, SyncObserver observer, Executor parallel) {}

    /** Where Events go: those in the worker cluster, and those in the management cluster. */
    public record Sinks(EventSink worker, EventSink management) {}

    /** What the management cluster has for the tenant. */
    public record Management(ConfigStore configs, ProfileCatalog profiles) {}

    /**
     * Runs that are held until {@link #release}.
     *
     * @param changed is told after each run; hands over and returns
     */
    public Runs(
            KubeApi api,
            WorkerObjects objects,
            Management management,
            Sinks sinks,
            Tools tools,
            Surroundings around,
            TenantInputs inputs,
            Claims claims,
            Runnable changed) {
        this.objects = objects;
        this.configs = management.configs();
        this.around = around;
        this.observer = tools.observer();
        this.inputs = inputs;
        this.claims = claims;
        this.changed = changed;
        teller = new Teller(sinks.worker(), sinks.management());
        budget = new WriteBudget(around.timers(), inputs.settings().connection().writeBudget());
        Look look = new Look(objects, configs, management.profiles(), claims, new Access(objects), around.timers());
        writer = new Writer(api, objects, configs, around.timers(), tools.parallel());
        DriftLoops drift = new DriftLoops(around.timers(), around.random());
        ProviderReferences references = new ProviderReferences(api, around.timers());
        reconciler = new Reconciler(
                look, references, tools.decider(), tools.rendering(), writer, budget, drift, around.timers());
        removal = new Removal(look, references, tools.decider(), writer, objects, around.timers());
        aftermath = new Aftermath(look, teller, drift, observer, around.timers());
        lane = tools.queue().lane(inputs.settings().connection().maxConcurrentReconciles(), this::run);
        lane.hold();
    }

    // Who is looked at

    public void ask(ObjectKey key, Trigger trigger) {
        triggers.ask(key, trigger, around.timers().nanoTime());
        lane.add(key, trigger == Trigger.RESYNC ? Urgency.RESYNC : Urgency.FRESH);
    }

    /** All MachineDeployments that are the hub's and fit. */
    public void askAll(Trigger trigger, Predicate<MachineDeployment> which) {
        for (MachineDeployment machineDeployment : machineDeployments()) {
            if (which.test(machineDeployment)) {
                ask(new ObjectKey(machineDeployment.namespace(), machineDeployment.name()), trigger);
            }
        }
    }

    /** Whoever claims the name, as {@link Claims} spells it. */
    public void askClaimants(String claim, Trigger trigger) {
        List<ObjectKey> claimants = claims.of(claim);
        claimants.forEach(key -> ask(key, trigger));
        if (claimants.isEmpty()) {
            sweepLater();
        }
    }

    /** A MachineDeployment is gone, or an object that nobody claims is there. */
    public void sweepLater() {
        lane.addAfter(SWEEP, SWEEP_AFTER);
    }

    /** All lists are complete: looks at everything once. */
    public void begin() {
        for (MachineDeployment machineDeployment : machineDeployments()) {
            firstPass.add(new ObjectKey(machineDeployment.namespace(), machineDeployment.name()));
        }
        begun = true;
        askAll(Trigger.RESYNC, machineDeployment -> true);
        lane.add(SWEEP, Urgency.RESYNC);
        lane.release();
        firstPassMoved();
    }

    public void hold() {
        lane.hold();
    }

    public void release() {
        if (begun) {
            lane.release();
        }
    }

    public void close() {
        lane.close();
        Removing current = removing;
        if (current != null) {
            finish(current);
        }
    }

    private List<MachineDeployment> machineDeployments() {
        return objects.machineDeployments().all().stream()
                .map(WatchedMachineDeployment::machineDeployment)
                .filter(Claims::claims)
                .toList();
    }

    public void inputs(TenantInputs now) {
        inputs = now;
        budget.limit(now.settings().connection().writeBudget());
        lane.limit(now.settings().connection().maxConcurrentReconciles());
        askAll(Trigger.SETTINGS, machineDeployment -> true);
    }

    public Collection<State> states() {
        return aftermath.states();
    }

    public int waiting() {
        return lane.waiting();
    }

    public Duration oldestWaiting() {
        return lane.oldestWaiting();
    }

    /** Everything was looked at once. */
    public boolean isFirstPassOver() {
        return begun && firstPass.isEmpty();
    }

    // Runs

    private Next run(ObjectKey key, int failures) {
        Removing current = removing;
        if (current != null) {
            return remove(current, key);
        }
        return key.equals(SWEEP) ? sweep() : reconcile(key, failures);
    }

    private Next reconcile(ObjectKey key, int failures) {
        TenantInputs now = inputs;
        Triggers.Asked by = triggers.take(key);
        Aftermath.Asked asked =
                new Aftermath.Asked(key, Long.toHexString(around.random().nextLong()), now, failures, by);
        Aftermath.Follow follow;
        boolean finished = false;
        try {
            Reconciler.Outcome outcome = reconciler.reconcile(key, now);
            finished = outcome instanceof Reconciler.Outcome.Gone
                    || outcome instanceof Reconciler.Outcome.Decided decided
                            && decided.written().failed() == null;
            if (outcome instanceof Reconciler.Outcome.Decided decided && firstPass.contains(key)) {
                adoptions.look(decided.facts(), decided.decision());
            }
            follow = aftermath.after(asked, outcome);
        } catch (RuntimeException e) {
            follow = aftermath.bug(asked, e);
        }
        if (!finished && by != null) {
            triggers.putBack(key, by);
        }
        if (follow.again() != null) {
            lane.addAfter(key, follow.again());
        }
        if (firstPass.remove(key)) {
            firstPassMoved();
        }
        changed.run();
        return follow.next();
    }

    private void firstPassMoved() {
        if (firstPass.isEmpty()) {
            Adoptions.Count count = adoptions.take();
            if (count.machineDeployments() > 0) {
                teller.adopted(inputs, count);
            }
            changed.run();
        }
    }

    private Next sweep() {
        TenantInputs now = inputs;
        if (now.paused() || !objects.isSynced()) {
            return new Next.Done();
        }
        Set<String> alive = objects.machineDeployments().all().stream()
                .map(watched -> Marks.owner(watched.machineDeployment()))
                .collect(Collectors.toSet());
        Written written = deleteLeftovers(now, alive);
        if (!written.done().isEmpty()) {
            teller.leftovers(
                    now, written.done().stream().map(Written.Done::change).toList());
        }
        Written.Failed failed = written.failed();
        return failed == null
                ? new Next.Done()
                : new Next.Retry(Actor.OPERATOR, failed.failure().retryAfter());
    }

    private Written deleteLeftovers(TenantInputs now, Set<String> alive) {
        List<Change> changes = Leftovers.of(
                Look.tenant(now),
                alive,
                objects.secrets().all().stream()
                        .map(SecretReader.SettingsSecret::stored)
                        .toList(),
                objects.tokens().all(),
                configs.all());
        return changes.isEmpty() ? new Written(List.of(), null) : writer.apply(changes);
    }

    // Removal

    /**
     * Takes the hub out of the worker cluster. Ends at the latest after the given time, with or without success; held runs wait
     * for their release as long as that.
     *
     * @param deletes whether objects go too, or only finalizers
     */
    public CompletableFuture<Cleanup> remove(boolean deletes, Duration patience) {
        Removing begin = new Removing(deletes);
        for (ObjectKey key : objects.machineDeployments().keys()) {
            WatchedMachineDeployment watched = objects.machineDeployments().get(key);
            if (watched != null && watched.machineDeployment().hasFinalizer()) {
                begin.add(key);
            }
        }
        begin.add(SWEEP);
        removing = begin;
        around.timers().after(patience, () -> finish(begin));
        for (ObjectKey key : objects.machineDeployments().keys()) {
            lane.add(key, Urgency.FRESH);
        }
        lane.add(SWEEP, Urgency.FRESH);
        return begin.end();
    }

    private Next remove(Removing current, ObjectKey key) {
        if (current.end().isDone()) {
            return new Next.Done();
        }
        Written.Failed failed;
        try {
            failed = key.equals(SWEEP) ? sweepAll(current) : removal.remove(key, inputs, current.deletes());
        } catch (RuntimeException e) {
            current.failed("the hub failed: " + e.getClass().getSimpleName());
            return new Next.Retry(Actor.HUB, null);
        }
        if (failed != null) {
            current.failed(Target.of(failed.change()) + ": " + WriteFailures.cause(failed.failure()));
            return new Next.Retry(Actor.HUB, failed.failure().retryAfter());
        }
        if (current.done(key)) {
            finish(current);
        }
        return new Next.Done();
    }

    /** What no MachineDeployment with a finalizer accounted for. */
    private Written.@Nullable Failed sweepAll(Removing current) {
        return current.deletes() ? deleteLeftovers(inputs, Set.of()).failed() : null;
    }

    private void finish(Removing current) {
        int finalizers = (int) objects.machineDeployments().all().stream()
                .filter(watched -> watched.machineDeployment().hasFinalizer())
                .count();
        int secrets = current.deletes() ? marked() : 0;
        boolean complete = finalizers == 0 && secrets == 0 && objects.isSynced();
        current.end().complete(new Cleanup(complete, secrets, finalizers, complete ? "" : current.cause()));
    }

    private int marked() {
        String tenant = inputs.namespace() + "/" + inputs.workerCluster();
        long tokens = objects.tokens().all().stream()
                .filter(token -> tenant.equals(token.annotations().get(Marks.TENANT)))
                .count();
        long secrets = objects.secrets().all().stream()
                .map(SecretReader.SettingsSecret::stored)
                .filter(secret -> isMarked(secret, tenant))
                .count();
        return (int) (tokens + secrets);
    }

    private static boolean isMarked(StoredSecret secret, String tenant) {
        return secret.namespace().equals(ObjectNames.SETTINGS_NAMESPACE)
                && tenant.equals(secret.annotations().get(Marks.TENANT));
    }
}
