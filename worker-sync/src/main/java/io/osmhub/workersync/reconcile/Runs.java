package io.osmhub.workersync.reconcile;

import io.osmhub.core.bootstrap.CertificateAuthorities;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.plan.Decider;
import io.osmhub.core.plan.GrantKind;
import io.osmhub.core.plan.Marks;
import io.osmhub.core.plan.StoredGrant;
import io.osmhub.core.problem.Actor;
import io.osmhub.core.status.Circumstances;
import io.osmhub.core.workercluster.WorkerClusterStatus.OpenProblem;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.port.ConfigStore;
import io.osmhub.workersync.port.EventSink;
import io.osmhub.workersync.port.ProfileCatalog;
import io.osmhub.workersync.port.RunTracer;
import io.osmhub.workersync.port.SyncObserver;
import io.osmhub.workersync.port.SyncObserver.Trigger;
import io.osmhub.workersync.port.TenantInputs;
import io.osmhub.workersync.queue.Lane;
import io.osmhub.workersync.queue.Next;
import io.osmhub.workersync.queue.Urgency;
import io.osmhub.workersync.queue.WorkQueue;
import io.osmhub.workersync.watch.ObjectKey;
import io.osmhub.workersync.watch.Surroundings;
import io.osmhub.workersync.watch.WatchedMachineDeployment;
import io.osmhub.workersync.watch.WorkerObjects;
import io.osmhub.workersync.write.FreshTokens;
import io.osmhub.workersync.write.WriteBudget;
import io.osmhub.workersync.write.Writer;
import io.osmhub.workersync.write.Written;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Predicate;
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

    /** machine-controller sets the revision of a changed template well within this, unless it does not run or is paused. */
    private static final Duration REVISION_SET_WITHIN = Duration.ofSeconds(2);

    private final WorkerObjects objects;
    private final ConfigStore configs;
    private final Surroundings around;
    private final Tools tools;
    private final Runnable changed;
    private final Consumer<ApiFailure> refused;
    private final Claims claims;
    private final Triggers triggers = new Triggers();
    private final Echoes echoes = new Echoes();
    private final Adoptions adoptions = new Adoptions();
    private final Teller teller;
    private final WriteBudget budget;
    private final Writer writer;
    private final Reconciler reconciler;
    private final Removal removal;
    private final Remains leftovers;
    private final Aftermath aftermath;
    private final CloseUps closeUps;
    private final Access access;
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
            WorkQueue queue,
            Decider decider,
            RenderThreads rendering,
            SyncObserver observer,
            RunTracer tracer,
            Executor parallel) {}

    /** Where Events go: those in the worker cluster, and those in the management cluster. */
    public record Sinks(EventSink worker, EventSink management) {}

    /**
     * What the management cluster has for the tenant.
     *
     * @param problems those in the status of its WorkerCluster when the sync is made: an earlier process has written their Events
     */
    public record Management(ConfigStore configs, ProfileCatalog profiles, List<OpenProblem> problems) {
        public Management {
            problems = List.copyOf(problems);
        }
    }

    /**
     * Runs that are held until {@link #release}.
     *
     * @param changed is told after each run; hands over and returns
     * @param refused is told when a right may be gone; hands over and returns
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
            Runnable changed,
            Consumer<ApiFailure> refused) {
        this.objects = objects;
        this.configs = management.configs();
        this.around = around;
        this.tools = tools;
        this.inputs = inputs;
        this.claims = claims;
        this.changed = changed;
        this.refused = refused;
        teller = new Teller(sinks.worker(), sinks.management());
        budget = new WriteBudget(around.timers(), inputs.settings().connection().writeBudget());
        FreshTokens freshTokens = new FreshTokens();
        access = new Access(objects);
        Look look = new Look(objects, configs, management.profiles(), claims, access, freshTokens, around.timers());
        writer = new Writer(api, objects, configs, around.timers(), freshTokens, tools.parallel());
        DriftLoops drift = new DriftLoops(around.timers(), around.random());
        ProviderReferences references = new ProviderReferences(api, around.timers());
        reconciler = new Reconciler(
                look,
                references,
                tools.decider(),
                tools.rendering(),
                writer,
                budget,
                drift,
                tools.observer(),
                around.timers());
        removal = new Removal(look, references, tools.decider(), tools.rendering(), writer, objects, around.timers());
        leftovers = new Remains(objects, configs, writer);
        aftermath = new Aftermath(management, teller, drift, tools.observer(), around.timers());
        closeUps = new CloseUps(objects, look, aftermath);
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

    /** Whoever claims the name of an OperatingSystemConfig. */
    public void configChanged(String name) {
        List<ObjectKey> claimants = claims.of(Claims.config(name));
        claimants.forEach(key -> ask(key, Trigger.DRIFT));
        if (claimants.isEmpty()) {
            sweepLater();
        }
    }

    /** A MachineDeployment of the hub's came or changed. */
    public void machineDeploymentChanged(ObjectKey key, String version, Trigger trigger) {
        if (!echoes.heard(key, version)) {
            ask(key, trigger);
        }
    }

    /** Its template changed: machine-controller sets another revision soon, and both are published at once. */
    public void revisionAwaited(ObjectKey key) {
        triggers.ask(key, Trigger.REVISION, around.timers().nanoTime());
        lane.addAfter(key, REVISION_SET_WITHIN);
    }

    public void machineDeploymentWritten(ObjectKey key, String version) {
        echoes.explained(key, version);
    }

    /** A Secret of {@code cloud-init-settings} came, changed or went. */
    public void secretChanged(ObjectKey secret) {
        changed(Echoes.Kind.SECRET, secret, Claims.secret(secret.name()));
    }

    public void secretWritten(ObjectKey secret) {
        echoes.explained(Echoes.Kind.SECRET, secret);
    }

    /** A bootstrap token with that label came, changed or went. */
    public void tokenChanged(ObjectKey token, String label) {
        changed(Echoes.Kind.TOKEN, token, Claims.token(label));
    }

    public void tokenWritten(ObjectKey token) {
        echoes.explained(Echoes.Kind.TOKEN, token);
    }

    /** An account, role or binding of a MachineDeployment came, changed or went. */
    public void grantChanged(GrantKind kind, StoredGrant grant) {
        ObjectKey owner = owner(grant);
        if (owner == null || objects.machineDeployments().get(owner) == null) {
            sweepLater();
        } else if (!echoes.heard(Echoes.Kind.GRANT, new ObjectKey(kind.plural(), grant.name()), owner)) {
            ask(owner, Trigger.DRIFT);
        }
    }

    public void grantWritten(GrantKind kind, StoredGrant grant) {
        echoes.explained(Echoes.Kind.GRANT, new ObjectKey(kind.plural(), grant.name()));
    }

    /** Null when it is not marked. */
    private static @Nullable ObjectKey owner(StoredGrant grant) {
        String owner = grant.annotations().getOrDefault(Marks.OWNER, "");
        int slash = owner.indexOf('/');
        return slash < 0 ? null : new ObjectKey(owner.substring(0, slash), owner.substring(slash + 1));
    }

    private void changed(Echoes.Kind kind, ObjectKey object, String claim) {
        List<ObjectKey> claimants = claims.of(claim);
        for (ObjectKey claimant : claimants) {
            if (!echoes.heard(kind, object, claimant)) {
                ask(claimant, Trigger.DRIFT);
            }
        }
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
        Removing current = removing;
        if (current != null) {
            begun = true;
            removeEach(current);
            lane.release();
            return;
        }
        firstPass.addAll(closeUps.all());
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

    /** What concerns every MachineDeployment alike is another now. */
    public void circumstances(Circumstances now) {
        aftermath.circumstances(now);
        if (now.connected() && now.credentialsGood()) {
            askAll(Trigger.RESYNC, machineDeployment -> true);
        }
        changed.run();
    }

    /** What people may see of each MachineDeployment. */
    public CloseUps closeUps() {
        return closeUps;
    }

    public int waiting() {
        return lane.waiting();
    }

    public Duration oldestWaiting() {
        return lane.oldestWaiting();
    }

    /** How the certificate authority that nodes join with differs from the one that they get; null when it does not. */
    public CertificateAuthorities.@Nullable Mismatch mismatch() {
        return access.mismatch(inputs);
    }

    /** Those of which the changes are known and have to wait for their turn to be written. */
    public WriteBudget.Waiting waitingToWrite() {
        return budget.waiting();
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
        echoes.begins(key);
        RunNotes notes = RunNotes.begin(tools.tracer(), around);
        Aftermath.Asked asked = new Aftermath.Asked(key, RunLog.newId(around.random()), notes, now, failures, by);
        Aftermath.Follow follow;
        boolean finished = false;
        try {
            Reconciler.Outcome outcome = notes.during(() -> reconciler.reconcile(key, now, notes));
            finished = outcome instanceof Reconciler.Outcome.Gone
                    || outcome instanceof Reconciler.Outcome.Decided decided
                            && decided.written().failed() == null;
            if (outcome instanceof Reconciler.Outcome.Decided decided && firstPass.contains(key)) {
                adoptions.count(decided.facts(), decided.decision(), configs.keepsStatus());
            }
            follow = aftermath.after(asked, outcome);
            tellRefused(outcome);
        } catch (RuntimeException e) {
            follow = aftermath.bug(asked, e);
        }
        notes.tell(tools, asked);
        if (echoes.ends(key)) {
            ask(key, Trigger.DRIFT);
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

    /** A right that was there before may have been taken away. */
    private void tellRefused(Reconciler.Outcome outcome) {
        Written.Failed failed = outcome instanceof Reconciler.Outcome.Decided decided
                ? decided.written().failed()
                : null;
        if (failed != null
                && failed.failure().isForbidden()
                && Target.of(failed.change()).isGrant()) {
            refused.accept(failed.failure());
        }
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
        Written written = leftovers.delete(now, leftovers.alive());
        if (!written.done().isEmpty()) {
            teller.leftovers(
                    now, written.done().stream().map(Written.Done::change).toList());
        }
        Written.Failed failed = written.failed();
        return failed == null
                ? new Next.Done()
                : new Next.Retry(Actor.OPERATOR, failed.failure().retryAfter());
    }

    // Removal

    /**
     * Takes the hub out of the worker cluster. Ends at the latest after the given time, with or without success; held runs wait
     * for their release as long as that.
     *
     * @param deletes whether objects go too, or only finalizers
     */
    public CompletableFuture<Cleanup> remove(boolean deletes, Duration patience) {
        Removing current = new Removing(deletes);
        removing = current;
        around.timers().after(patience, () -> finish(current));
        if (begun) {
            removeEach(current);
        }
        return current.end();
    }

    /**
     * Everything that is known now; only once all lists are complete. Also what bears no finalizer yet: a run that is under way may be
     * about to write it, and the same key waits for its end.
     */
    private void removeEach(Removing current) {
        List<ObjectKey> keys = closeUps.all();
        keys.forEach(current::add);
        keys.forEach(key -> lane.add(key, Urgency.FRESH));
        lane.add(SWEEP, Urgency.FRESH);
    }

    private Next remove(Removing current, ObjectKey key) {
        if (current.end().isDone()) {
            return new Next.Done();
        }
        boolean last = key.equals(SWEEP) && current.isSweepAlone();
        Written.Failed failed;
        try {
            failed = key.equals(SWEEP)
                    ? leftovers.deleteAll(inputs, current.deletes())
                    : removal.remove(key, inputs, current.deletes());
        } catch (RuntimeException e) {
            current.failed("the hub failed: " + e.getClass().getSimpleName());
            return new Next.Retry(Actor.HUB, null);
        }
        if (failed != null) {
            current.failed(Target.of(failed.change()) + ": " + WriteFailures.cause(failed.failure()));
            return new Next.Retry(Actor.HUB, failed.failure().retryAfter());
        }
        if (last) {
            finish(current);
        } else if (current.done(key)) {
            // What was still being written while it swept before.
            lane.add(SWEEP, Urgency.FRESH);
        }
        return new Next.Done();
    }

    private void finish(Removing current) {
        current.end().complete(leftovers.count(inputs, current));
    }
}
