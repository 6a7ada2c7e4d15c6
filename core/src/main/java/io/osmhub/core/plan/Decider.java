package io.osmhub.core.plan;

import io.osmhub.core.bootstrap.ObjectNames;
import io.osmhub.core.lint.NodeContentCheck;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.model.Sensitive;
import io.osmhub.core.osc.OperatingSystemConfigStatus;
import io.osmhub.core.plan.Decision.Outcome;
import io.osmhub.core.plan.Decision.RenderSummary;
import io.osmhub.core.plan.Facts.FoundObjects;
import io.osmhub.core.plan.OwnershipAnnotations.Ownership;
import io.osmhub.core.plan.PublishedHash.PublicationContext;
import io.osmhub.core.plan.StoredSecret.SecretRole;
import io.osmhub.core.problem.Command;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.ProblemException;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.Reason.LinkName;
import io.osmhub.core.problem.Severity;
import io.osmhub.core.render.LimitViolationCache;
import io.osmhub.core.render.Renderer.RenderInput;
import io.osmhub.core.resource.NullableCollections;
import io.osmhub.core.template.Sandbox.RenderLimits;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Decides the changes for one MachineDeployment from the facts alone: it compares desired with found content, so that
 * it can run again after any failure and any part of its changes. Thread-safe.
 */
public final class Decider {
    /** machine-controller sets the revision within a second; after this long it is probably not running. */
    private static final Duration REVISION_AWAITED = Duration.ofMinutes(2);

    private static final Comparator<MachineDeployment> OLDER_FIRST = Comparator.<MachineDeployment, Instant>comparing(
                    machineDeployment -> Objects.requireNonNullElse(machineDeployment.creationTimestamp(), Instant.MAX))
            .thenComparing(MachineDeployment::namespace)
            .thenComparing(MachineDeployment::name);

    private final RenderedObjects.ObjectsRenderer renditions;
    private final PublishedHash publishedHash;
    private final RandomGenerator random;

    /** A decider of a program without a version. */
    public Decider(RenderLimits limits, LongSupplier nanoTime, RandomGenerator random) {
        this("", limits, nanoTime, random);
    }

    /**
     * @param version of the program: content published by another one is rendered again
     * @param limits of one rendering
     * @param nanoTime monotonic, for the time limit
     * @param random creates bootstrap tokens; must be cryptographically secure and thread-safe
     */
    public Decider(String version, RenderLimits limits, LongSupplier nanoTime, RandomGenerator random) {
        this.publishedHash = new PublishedHash(version, limits);
        this.renditions = new RenderedObjects.ObjectsRenderer(
                limits, nanoTime, new LimitViolationCache(), new NodeContentCheck());
        this.random = random;
    }

    /**
     * Creates a previewer with the same limits. It does not retry what publishing recently found to exceed a limit, and
     * never affects publishing.
     */
    public Previewer createPreviewer() {
        return new Previewer(renditions);
    }

    public Decision decide(Facts facts) {
        MachineDeployment machineDeployment = facts.machineDeployment();
        if (!machineDeployment.hasFinalizer()
                && (machineDeployment.profileName().isEmpty() || machineDeployment.deletionTimestamp() != null)) {
            return new Decision(new Outcome.NotManaged(), List.of(), List.of(), List.of(), null, null, null);
        }
        return new DecisionBuilder(facts).build();
    }

    /**
     * The decision about content that rendering would not change, according to the hash in the status; only tokens may need changes.
     * Renders nothing, and fails for no input.
     *
     * @return null if it must be rendered to know
     */
    public @Nullable Decision decideUnchanged(Facts facts) {
        MachineDeployment machineDeployment = facts.machineDeployment();
        if (!machineDeployment.hasFinalizer()
                || machineDeployment.deletionTimestamp() != null
                || machineDeployment.profileName().isEmpty()) {
            return null;
        }
        try {
            return new DecisionBuilder(facts).buildUnchanged();
        } catch (RuntimeException e) {
            // Rendering reports the mistake.
            return null;
        }
    }

    /** One run of {@link #decide}. */
    private final class DecisionBuilder {
        private final Facts facts;
        private final MachineDeployment machineDeployment;
        private final String tenant;
        private final OwnershipAnnotations ownership;
        private final ObjectNames names;
        /** As found; a new token is created only for published content. */
        private final BootstrapTokenPlanner tokens;

        private final FetchTokenPlanner fetch;

        private final List<Problem> problems = new ArrayList<>();

        DecisionBuilder(Facts facts) {
            this.facts = facts;
            this.machineDeployment = facts.machineDeployment();
            this.tenant = facts.tenant().namespace();
            this.ownership = OwnershipAnnotations.of(machineDeployment, facts.tenant());
            this.names = ObjectNames.of(machineDeployment);
            this.tokens = new BootstrapTokenPlanner(facts, facts.self(), null);
            this.fetch = new FetchTokenPlanner(facts, ownership, names);
        }

        Decision build() {
            Problem collision = findNameCollision();
            if (machineDeployment.deletionTimestamp() != null) {
                return leave(collision != null);
            }
            names.findTooLongNames().forEach(finding -> problems.add(inTenant(finding)));
            if (collision != null) {
                problems.add(collision);
            }
            if (!problems.isEmpty()) {
                return done(new Outcome.Blocked(), List.of(), null, null);
            }
            if (machineDeployment.profileName().isEmpty()) {
                problems.add(Reason.ProfileAnnotationMissing.with(
                                "tenant", tenant, "wc", facts.tenant().workerCluster(), "md", ownership.owner())
                        .withCommand(annotateAgain()));
                return keep(new Outcome.NotRendered());
            }
            return missingInputs() ? keep(new Outcome.NotRendered()) : render();
        }

        private Problem settingsProblem(Problem finding) {
            return inTenant(finding.ofWorkerCluster(facts.tenant().workerCluster()));
        }

        private Problem inTenant(Problem finding) {
            return finding.inTenant(tenant, facts.tenant().workerCluster());
        }

        private boolean missingInputs() {
            facts.findMissingSettings().forEach(finding -> problems.add(inTenant(finding)));
            fetch.findings().forEach(finding -> problems.add(settingsProblem(finding)));
            if (byServiceAccount()) {
                facts.serviceAccountToken().findings().forEach(finding -> problems.add(settingsProblem(finding)));
            }
            facts.profile().findings().forEach(finding -> problems.add(inTenant(finding)));
            findUnreadableExtensions();
            return !problems.isEmpty();
        }

        /** Rendering without an extension that content was published with would silently remove it. */
        private void findUnreadableExtensions() {
            RenderInput.Profile profile = facts.profile().value();
            StoredConfig config = facts.found().config();
            if (profile == null) {
                return;
            }
            Map<String, Problem> unreadable = profile.applied().unreadable();
            if (config == null || config.status() == null) {
                // Whether a single one applies is unknown; without the kind there are none.
                unreadable.entrySet().stream()
                        .filter(object -> !object.getKey().isEmpty())
                        .findFirst()
                        .ifPresent(object -> problems.add(inTenant(object.getValue())));
                return;
            }
            NullableCollections.stream(config.source().extensions())
                    .flatMap(applied -> Stream.ofNullable(unreadable.getOrDefault(applied.path(), unreadable.get("")))
                            .map(problem -> problem.withEffect("and it was published with " + applied.path())))
                    .findFirst()
                    .ifPresent(problem -> problems.add(inTenant(problem)));
        }

        /** With the profile that was published last, if it is known. */
        private Command annotateAgain() {
            StoredConfig config = facts.found().config();
            OperatingSystemConfigStatus status = config == null ? null : config.status();
            String published =
                    status == null || status.source() == null || status.source().profile() == null
                            ? null
                            : status.source().profile().name();
            return machineDeployment.profileCommand(published == null ? "PROFILE" : published);
        }

        private boolean byServiceAccount() {
            return facts.tenant().settings().bootstrap().serviceAccount() != null;
        }

        private Decision render() {
            Sensitive fetched = fetch.text();
            if (fetched == null) {
                fetch.foreignGrants()
                        .forEach(grant -> problems.add(
                                PublishPlanner.foreignObject(facts, ownership, grant, LinkName.BOOTSTRAP_TOKEN)));
                return keep(new Outcome.AwaitingFetchToken());
            }
            BootstrapTokenPlanner chosen = new BootstrapTokenPlanner(facts, facts.self(), random);
            RenderedObjects rendition;
            try {
                rendition = renditions.render(
                        facts,
                        facts.self(),
                        Objects.requireNonNull(token(chosen), "missing inputs were told before"),
                        fetched,
                        fetch.isScoped());
            } catch (ProblemException e) {
                e.findings().forEach(finding -> problems.add(inTenant(finding)));
                Duration pause = LimitViolationCache.retryDelay(e.findings());
                return keep(
                        new Outcome.NotRendered(),
                        pause == null ? null : facts.now().plus(pause));
            } catch (RuntimeException e) {
                // If a profile fails, nodes of the published content must still be able to join.
                return keep(new Outcome.Failed(e));
            }
            boolean older = facts.found().secret(SecretRole.BOOTSTRAP) != null;
            for (Problem finding : rendition.findings()) {
                boolean kept = older && finding.reason().severity() == Severity.ERROR;
                problems.add(inTenant(kept ? finding.withEffect("older content stays in use") : finding));
            }
            PublishPlanner publishing = new PublishPlanner(facts, ownership, rendition, chosen, fetch);
            problems.addAll(publishing.findForeignObjects());
            List<StoredSecret> osms = facts.canReplaceOsm() ? List.of() : publishing.findOtherOsmContent();
            if (!osms.isEmpty()) {
                problems.add(Reason.OSMContentKept.with(
                        "tenant",
                        tenant,
                        "kind",
                        "MachineDeployment",
                        "name",
                        ownership.owner(),
                        "what",
                        osms.size() == 1 ? "1 secret" : osms.size() + " secrets",
                        "wc",
                        facts.tenant().workerCluster()));
            }
            return problems.stream().noneMatch(problem -> problem.reason().severity() == Severity.ERROR)
                    ? publish(rendition, publishing, chosen)
                    : keep(new Outcome.NotPublished(rendition.rendered()));
        }

        /** Text of the token with which nodes join; null if none. */
        private @Nullable Sensitive token(BootstrapTokenPlanner choice) {
            return byServiceAccount() ? facts.serviceAccountToken().value() : choice.text();
        }

        private Decision publish(RenderedObjects rendition, PublishPlanner publishing, BootstrapTokenPlanner chosen) {
            List<PlannedChange> changes = publishing.changes();
            // Problems are found only by rendering.
            String hash = problems.isEmpty()
                    ? publishedHash.of(
                            input(Objects.requireNonNull(token(chosen)), Objects.requireNonNull(fetch.text())),
                            context(),
                            rendition,
                            publishing.keepsConfig() ? facts.found().config() : null)
                    : null;
            revisionAwaited();
            return done(
                    new Outcome.Published(rendition.rendered(), hash),
                    changes,
                    chosen.tokenInUse(changes),
                    earlier(
                            earlier(chosen.nextCheck(publishing.otherTokensNeeded()), fetch.nextCheck()),
                            revisionDue()));
        }

        private RenderInput input(Sensitive token, Sensitive fetched) {
            return RenderedObjects.ObjectsRenderer.input(facts, facts.self(), token, fetched);
        }

        private PublicationContext context() {
            return new PublicationContext(ownership, fetch.isScoped());
        }

        @Nullable Decision buildUnchanged() {
            StoredConfig config = facts.found().config();
            // Which of several claimants owns a name may depend on what each would render.
            if (config == null
                    || !facts.otherClaimants().isEmpty()
                    || missingInputs()
                    || tokens.needsNew()
                    || !keepsAllObjects()) {
                return null;
            }
            Sensitive token = token(tokens);
            Sensitive fetched = fetch.text();
            if (token == null || fetched == null) {
                return null;
            }
            RenderInput input = input(token, fetched);
            RenderSummary rendered = PublishedHash.findPublished(input, config);
            if (rendered == null) {
                return null;
            }
            String hash = publishedHash.of(input, context(), rendered, facts.found());
            if (hash == null
                    || !hash.equals(Objects.requireNonNull(config.status()).publishedHash())
                    || !names.findTooLongNames().isEmpty()
                    || findNameCollision() != null) {
                return null;
            }
            revisionAwaited();
            List<PlannedChange> changes = new ArrayList<>(tokens.changes(false, false));
            changes.addAll(fetch.changes(false));
            return done(
                    new Outcome.Published(rendered, hash),
                    changes,
                    tokens.tokenInUse(changes),
                    earlier(earlier(tokens.nextCheck(false), fetch.nextCheck()), revisionDue()));
        }

        /** Whether all found objects are its own or OSM's. */
        private boolean keepsAllObjects() {
            StoredConfig config = facts.found().config();
            Stream<Ownership> configs = Stream.ofNullable(config).map(found -> Ownership.of(ownership, found));
            Stream<Ownership> secrets = facts.found().secrets().entrySet().stream()
                    .map(found -> Ownership.of(ownership, found.getValue(), found.getKey()));
            return fetch.foreignGrants().isEmpty()
                    && Stream.concat(configs, secrets)
                            .allMatch(holder -> holder == Ownership.OWNED || holder == Ownership.OSM);
        }

        private @Nullable Instant revisionDue() {
            Instant created = machineDeployment.creationTimestamp();
            return created == null || !machineDeployment.revision().isEmpty() ? null : created.plus(REVISION_AWAITED);
        }

        private void revisionAwaited() {
            Instant due = revisionDue();
            if (due != null && !due.isAfter(facts.now())) {
                problems.add(Reason.RevisionNotSet.with("tenant", tenant, "md", ownership.owner()));
            }
        }

        private @Nullable Instant earlier(@Nullable Instant a, @Nullable Instant b) {
            Instant due = b == null || !b.isAfter(facts.now()) ? null : b;
            return a == null || due != null && due.isBefore(a) ? due : a;
        }

        /** Nothing is published, and published content stays. Which token it embeds is unknown, so all are kept. */
        private Decision keep(Outcome outcome) {
            return keep(outcome, null);
        }

        private Decision keep(Outcome outcome, @Nullable Instant retry) {
            boolean first = facts.found().secret(SecretRole.BOOTSTRAP) == null;
            List<PlannedChange> changes = new ArrayList<>(tokens.changes(false, true));
            List<PlannedChange> fetching = fetch.foreignGrants().isEmpty() ? fetch.renewalChanges(first) : List.of();
            changes.addAll(fetching);
            if (!machineDeployment.hasFinalizer() && (anythingToCleanUp() || !fetching.isEmpty())) {
                changes.addFirst(PlannedChange.SetFinalizer.add(machineDeployment, first));
            }
            return done(
                    outcome,
                    changes,
                    tokens.tokenInUse(changes),
                    earlier(earlier(tokens.nextCheck(true), fetch.nextCheck()), retry));
        }

        private boolean anythingToCleanUp() {
            FoundObjects found = facts.found();
            return found.secrets().entrySet().stream()
                    .anyMatch(entry -> Ownership.of(ownership, entry.getValue(), entry.getKey()) != Ownership.FOREIGN);
        }

        private Decision done(
                Outcome outcome,
                List<PlannedChange> changes,
                Decision.@Nullable TokenInUse token,
                @Nullable Instant again) {
            List<PlannedChange> ordered = changes.stream()
                    .sorted(Comparator.comparingInt(PlannedChange::stage))
                    .toList();
            problems.sort(Comparator.comparing(problem -> problem.reason().severity()));
            boolean mayWrite = facts.canWrite();
            return new Decision(
                    outcome,
                    mayWrite ? ordered : List.of(),
                    mayWrite ? List.of() : ordered,
                    problems,
                    token,
                    fetch.tokenInUse(),
                    mayWrite ? again : null);
        }

        /** Whether unmarked secrets hold what a MachineDeployment would get with one of its existing tokens. */
        private boolean fits(Facts.NameClaimant subject, SortedMap<String, StoredSecret> secrets) {
            Sensitive token = token(new BootstrapTokenPlanner(facts, subject, null));
            Sensitive shared = facts.fetch().shared().value();
            if (token == null || shared == null) {
                return false;
            }
            try {
                RenderedObjects rendition = renditions.render(facts, subject, token, shared, false);
                return rendition.secrets().entrySet().stream().anyMatch(wanted -> {
                    StoredSecret found = secrets.get(wanted.getValue().name());
                    return found != null
                            && found.digests().equals(rendition.digests().get(wanted.getKey()));
                });
            } catch (RuntimeException e) {
                return false;
            }
        }

        /** Removes the objects of a deleted MachineDeployment: first what starts machines, last the finalizer. */
        private Decision leave(boolean lostName) {
            ChangeReason why = ChangeReason.Cause.REMOVAL.because("the MachineDeployment is being deleted");
            List<PlannedChange> changes = new ArrayList<>();
            facts.found().secrets().forEach((role, secret) -> {
                if (goes(Ownership.of(ownership, secret, role), lostName)) {
                    int stage = role == SecretRole.BOOTSTRAP ? WriteStage.REMOVE_BOOTSTRAP : WriteStage.REMOVE_OTHERS;
                    changes.add(new PlannedChange.Delete(stage, why, secret));
                }
            });
            Stream.concat(facts.found().tokensAndConfig(), facts.fetch().grants().values().stream())
                    .filter(object -> goes(Ownership.of(ownership, object), lostName))
                    .forEach(object -> changes.add(new PlannedChange.Delete(WriteStage.REMOVE_TOKENS, why, object)));
            changes.add(new PlannedChange.SetFinalizer(WriteStage.REMOVE_FINALIZER, why, machineDeployment, false));
            return done(new Outcome.Terminating(), changes, null, null);
        }

        /** Of a MachineDeployment that shares a name with its owner, only marked objects are known to be its own. */
        private static boolean goes(Ownership holder, boolean lostName) {
            return switch (holder) {
                case OWNED -> true;
                case PREVIOUS, OSM -> !lostName;
                case FOREIGN -> false;
            };
        }

        /**
         * A name that another MachineDeployment owns; null if none. Of two that share an object name, both get the same result: its
         * owner is the one that the object's mark names, without a mark the one that the object fits, else the older one.
         */
        private @Nullable Problem findNameCollision() {
            // In a namespace kubelet, a name too long for the usual key makes two secrets share one name.
            if (names.bootstrapSecret().equals(names.kubeletBootstrapSecret())) {
                return nameCollision("Secret " + names.bootstrapSecret(), machineDeployment);
            }
            for (Facts.NameClaimant rival : facts.otherClaimants()) {
                MachineDeployment other = rival.machineDeployment();
                SortedSet<String> shared = new TreeSet<>(names.claimedNames());
                shared.retainAll(ObjectNames.of(other).claimedNames());
                boolean claims = !OwnershipAnnotations.owner(other).equals(ownership.owner())
                        && (!other.profileName().isEmpty() || other.hasFinalizer());
                if (!shared.isEmpty() && claims && !owns(rival, shared)) {
                    return nameCollision(shared.first(), other);
                }
            }
            return null;
        }

        private Problem nameCollision(String name, MachineDeployment owner) {
            int blank = name.lastIndexOf(' ');
            return Reason.NameCollision.with(
                    "tenant", tenant,
                    "md", ownership.owner(),
                    "kind", name.substring(0, blank),
                    "name", name.substring(blank + 1),
                    "md2", OwnershipAnnotations.owner(owner));
        }

        /** Whether the MachineDeployment owns the names that it shares with a rival. */
        private boolean owns(Facts.NameClaimant rival, SortedSet<String> shared) {
            List<StoredObject> objects = Stream.concat(
                            facts.found().secrets().values().stream(),
                            facts.found().tokensAndConfig())
                    .filter(object -> shared.contains(claimedName(object)))
                    .sorted(Comparator.comparing(object -> object.describe().toString()))
                    .toList();
            SortedMap<String, StoredSecret> unmarked = new TreeMap<>();
            for (StoredObject object : objects) {
                String owner = object.annotations().get(OwnershipAnnotations.OWNER);
                boolean isOtherHubs =
                        ownership.hub().isOther(object.annotations().get(OwnershipAnnotations.HUB_ID));
                if (!isOtherHubs && ownership.owner().equals(owner)) {
                    return true;
                }
                if (!isOtherHubs
                        && OwnershipAnnotations.owner(rival.machineDeployment()).equals(owner)) {
                    return false;
                }
                if (owner == null && object instanceof StoredSecret secret) {
                    unmarked.put(secret.name(), secret);
                }
            }
            if (!unmarked.isEmpty()) {
                boolean fitsSelf = fits(facts.self(), unmarked);
                if (fitsSelf != fits(rival, unmarked)) {
                    return fitsSelf;
                }
            }
            return OLDER_FIRST.compare(machineDeployment, rival.machineDeployment()) < 0;
        }

        private String claimedName(StoredObject object) {
            return object instanceof StoredToken
                    ? "bootstrap token label " + names.key()
                    : object.describe().kind() + " " + object.name();
        }
    }

    /**
     * The order of writes. An object is written before those that rely on it: a token before what embeds it, and the finalizer and all
     * that a machine requests before the bootstrap secret that makes it start. While there is no bootstrap secret, no machine makes
     * requests: what it will request is then written together with the token and the finalizer, since each stage waits for a response
     * of the API server. Objects that a crashed hub leaves without a finalizer are cleaned up. The OperatingSystemConfig comes last,
     * because nothing waits for it. Deletions run in the opposite order.
     */
    static final class WriteStage {
        /** Also of the finalizer. */
        static final int TOKEN = 0;

        static final int BEFORE_BOOTSTRAP = 1;
        static final int BOOTSTRAP = 2;
        static final int CONFIG = 3;
        static final int OBSOLETE = 4;
        /** Nothing waits for it, and it may take long. */
        static final int RENEWAL = 5;

        static final int REMOVE_BOOTSTRAP = 0;
        static final int REMOVE_OTHERS = 1;
        static final int REMOVE_TOKENS = 2;
        static final int REMOVE_FINALIZER = 3;

        static int of(SecretRole role) {
            return role == SecretRole.BOOTSTRAP ? BOOTSTRAP : BEFORE_BOOTSTRAP;
        }
    }
}
