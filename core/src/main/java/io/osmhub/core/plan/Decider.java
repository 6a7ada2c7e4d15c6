package io.osmhub.core.plan;

import io.osmhub.core.bootstrap.ObjectNames;
import io.osmhub.core.lint.NodeContentCheck;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.model.Sensitive;
import io.osmhub.core.osc.OperatingSystemConfigStatus;
import io.osmhub.core.plan.Decision.Outcome;
import io.osmhub.core.plan.Facts.FoundObjects;
import io.osmhub.core.plan.Facts.LookupResult;
import io.osmhub.core.plan.OwnershipAnnotations.Ownership;
import io.osmhub.core.plan.StoredSecret.SecretRole;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.ProblemFinding;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.ReasonMessage;
import io.osmhub.core.problem.Severity;
import io.osmhub.core.render.LimitViolationCache;
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
import java.util.function.BiPredicate;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Decides the changes for one MachineDeployment from the facts alone: it compares desired with found content, so that
 * it can run again after any failure and any part of its changes. Thread-safe.
 */
public final class Decider {
    /** machine-controller sets the revision within a second; after this long it is probably not running. */
    private static final Duration REVISION_AWAITED = Duration.ofMinutes(2);

    private final RenderedObjects.ObjectsRenderer renditions;
    private final RandomGenerator random;

    /**
     * @param limits of one rendering
     * @param nanoTime monotonic, for the time limit
     * @param random creates bootstrap tokens; must be cryptographically secure and thread-safe
     */
    public Decider(RenderLimits limits, LongSupplier nanoTime, RandomGenerator random) {
        this.renditions = new RenderedObjects.ObjectsRenderer(
                limits, nanoTime, new LimitViolationCache(), new NodeContentCheck());
        this.random = random;
    }

    /**
     * Creates a previewer with the same limits. It does not retry what publishing recently found to exceed a limit, and
     * never affects publishing.
     */
    public Previewer createPreviewer() {
        return new Previewer(renditions.limits(), renditions.nanoTime(), renditions.exceeded());
    }

    public Decision decide(Facts facts) {
        MachineDeployment machineDeployment = facts.machineDeployment();
        if (!machineDeployment.hasFinalizer()
                && (machineDeployment.profileName().isEmpty() || machineDeployment.deletionTimestamp() != null)) {
            return new Decision(new Outcome.NotManaged(), List.of(), List.of(), List.of(), null, null, null);
        }
        return new DecisionBuilder(facts).build();
    }

    /** One run of {@link #decide}. */
    private final class DecisionBuilder {
        private final Facts facts;
        private final MachineDeployment machineDeployment;
        private final String tenant;
        private final OwnershipAnnotations marks;
        private final ObjectNames names;
        /** As found; a new token is created only for published content. */
        private final BootstrapTokenPlanner tokens;

        private final FetchTokenPlanner fetch;

        private final List<ReasonMessage> problems = new ArrayList<>();

        DecisionBuilder(Facts facts) {
            this.facts = facts;
            this.machineDeployment = facts.machineDeployment();
            this.tenant = facts.tenant().namespace();
            this.marks = OwnershipAnnotations.of(machineDeployment, facts.tenant());
            this.names = ObjectNames.of(machineDeployment);
            this.tokens = new BootstrapTokenPlanner(facts, marks, names);
            this.fetch = new FetchTokenPlanner(facts, marks, names);
        }

        Decision build() {
            NameCollisionResolver.LostName lost = new NameCollisionResolver(facts, marks, this::fits).findLostName();
            if (machineDeployment.deletionTimestamp() != null) {
                return leave(lost);
            }
            names.findTooLongNames().forEach(finding -> problems.add(ReasonMessage.of(tenant, finding)));
            if (lost != null) {
                problems.add(lost.diagnosis(tenant, machineDeployment));
            }
            if (!problems.isEmpty()) {
                return done(new Outcome.Blocked(), List.of(), null, null);
            }
            if (machineDeployment.profileName().isEmpty()) {
                problems.add(Reason.ProfileAnnotationMissing.with(
                        "tenant", tenant, "md", marks.owner(), "cure", annotateAgain()));
                return keep(new Outcome.NotRendered());
            }
            return missingInputs() ? keep(new Outcome.NotRendered()) : render();
        }

        private Decision leave(NameCollisionResolver.@Nullable LostName lost) {
            List<PlannedChange> changes = new RemovalPlanner(facts, marks).changes(lost);
            return done(new Outcome.Terminating(), changes, null, null);
        }

        private ReasonMessage settingsProblem(ProblemFinding finding) {
            return ReasonMessage.of(
                    tenant, finding.ofWorkerCluster(facts.tenant().workerCluster()));
        }

        private boolean missingInputs() {
            for (ProblemFinding finding : facts.tenant().references().findings()) {
                problems.add(settingsProblem(finding));
            }
            for (List<ProblemFinding> findings : List.of(facts.apiServer().findings(), fetch.findings())) {
                findings.forEach(finding -> problems.add(settingsProblem(finding)));
            }
            if (byServiceAccount()) {
                facts.serviceAccountToken().findings().forEach(finding -> problems.add(settingsProblem(finding)));
            }
            facts.profile().findings().forEach(finding -> problems.add(ReasonMessage.of(tenant, finding)));
            return !problems.isEmpty();
        }

        /** With the profile that was published last, if it is known. */
        private String annotateAgain() {
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
                fetch.foreignGrants().forEach(grant -> problems.add(PublishPlanner.foreignObject(facts, marks, grant)));
                return keep(new Outcome.AwaitingFetchToken());
            }
            BootstrapTokenPlanner chosen = tokens.withNewToken(random);
            RenderedObjects rendition;
            try {
                rendition = renditions.render(
                        facts,
                        self(),
                        requireToken(chosen),
                        new RenderedObjects.FetchCredential(fetched, fetch.isScoped()));
            } catch (Problem e) {
                e.findings().forEach(finding -> problems.add(ReasonMessage.of(tenant, finding)));
                Duration pause = LimitViolationCache.retryDelay(e.findings());
                return keep(
                        new Outcome.NotRendered(),
                        pause == null ? null : facts.now().plus(pause));
            } catch (RuntimeException e) {
                // If a profile fails, nodes of the published content must still be able to join.
                return keep(new Outcome.Failed(e));
            }
            boolean older = facts.found().secret(SecretRole.BOOTSTRAP) != null;
            for (ProblemFinding finding : rendition.findings()) {
                boolean kept = older && ReasonMessage.reasonOf(finding).severity() == Severity.ERROR;
                problems.add(
                        ReasonMessage.of(tenant, kept ? finding.withEffect("older content stays in use") : finding));
            }
            PublishPlanner publishing = new PublishPlanner(facts, marks, rendition, chosen, fetch);
            problems.addAll(publishing.findForeignObjects());
            List<StoredSecret> osms = facts.canReplaceOsm() ? List.of() : publishing.findOtherOsmContent();
            if (!osms.isEmpty()) {
                problems.add(Reason.OSMContentKept.with(
                        "tenant",
                        tenant,
                        "kind",
                        "MachineDeployment",
                        "name",
                        marks.owner(),
                        "what",
                        osms.size() == 1 ? "1 secret" : osms.size() + " secrets",
                        "wc",
                        facts.tenant().workerCluster()));
            }
            return problems.stream().noneMatch(problem -> problem.reason().severity() == Severity.ERROR)
                    ? publish(rendition, publishing, chosen)
                    : keep(new Outcome.NotPublished(rendition.rendered()));
        }

        private Facts.NameClaimant self() {
            return new Facts.NameClaimant(
                    machineDeployment, facts.profile(), facts.found().tokens());
        }

        private Sensitive requireToken(BootstrapTokenPlanner choice) {
            return Objects.requireNonNull(token(choice), "missing inputs were told before");
        }

        /** Text of the token with which nodes join; null if none. */
        private @Nullable Sensitive token(BootstrapTokenPlanner choice) {
            if (!byServiceAccount()) {
                return choice.text();
            }
            return facts.serviceAccountToken() instanceof LookupResult.Found<Sensitive>(Sensitive token) ? token : null;
        }

        private Decision publish(RenderedObjects rendition, PublishPlanner publishing, BootstrapTokenPlanner chosen) {
            List<PlannedChange> changes = publishing.changes();
            revisionAwaited();
            return done(
                    new Outcome.Published(rendition.rendered()),
                    changes,
                    chosen.tokenInUse(changes),
                    earlier(
                            earlier(chosen.nextCheck(publishing.otherTokensNeeded()), fetch.nextCheck()),
                            revisionDue()));
        }

        private @Nullable Instant revisionDue() {
            Instant created = machineDeployment.creationTimestamp();
            return created == null || !machineDeployment.revision().isEmpty() ? null : created.plus(REVISION_AWAITED);
        }

        private void revisionAwaited() {
            Instant due = revisionDue();
            if (due != null && !due.isAfter(facts.now())) {
                problems.add(Reason.RevisionNotSet.with("tenant", tenant, "md", marks.owner()));
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
                ChangeReason why = first
                        ? new ChangeReason(ChangeReason.Cause.FIRST, "first publication")
                        : new ChangeReason(ChangeReason.Cause.DRIFT, "the finalizer was removed");
                changes.addFirst(new PlannedChange.AddFinalizer(WriteStage.TOKEN, why, machineDeployment));
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
                    .anyMatch(entry -> Ownership.of(marks, entry.getValue(), entry.getKey()) != Ownership.FOREIGN);
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
            ObjectNames subjectNames = ObjectNames.of(subject.machineDeployment());
            BootstrapTokenPlanner choice = new BootstrapTokenPlanner(
                    OwnershipAnnotations.of(subject.machineDeployment(), facts.tenant()),
                    subjectNames,
                    subject.tokens(),
                    facts.tenant().settings().bootstrap().tokenTtl(),
                    true,
                    facts.now(),
                    null);
            Sensitive token = token(choice);
            if (token == null) {
                return false;
            }
            if (!(facts.fetch().shared() instanceof LookupResult.Found<Sensitive>(Sensitive shared))) {
                return false;
            }
            try {
                RenderedObjects rendition =
                        renditions.render(facts, subject, token, new RenderedObjects.FetchCredential(shared, false));
                return rendition.secrets().entrySet().stream().anyMatch(wanted -> {
                    StoredSecret found = secrets.get(wanted.getValue().name());
                    return found != null
                            && found.digests().equals(rendition.digests().get(wanted.getKey()));
                });
            } catch (RuntimeException e) {
                return false;
            }
        }
    }

    /** Removes the objects of a deleted MachineDeployment: first what starts machines, last the finalizer. */
    private static final class RemovalPlanner {
        private static final ChangeReason WHY =
                new ChangeReason(ChangeReason.Cause.REMOVAL, "the MachineDeployment is being deleted");

        private final Facts facts;
        private final OwnershipAnnotations marks;

        RemovalPlanner(Facts facts, OwnershipAnnotations marks) {
            this.facts = facts;
            this.marks = marks;
        }

        /** @param lost a name that another MachineDeployment owns; then only marked objects are known to be its own */
        List<PlannedChange> changes(NameCollisionResolver.@Nullable LostName lost) {
            List<PlannedChange> changes = new ArrayList<>();
            FoundObjects found = facts.found();
            found.secrets().forEach((role, secret) -> {
                if (goes(Ownership.of(marks, secret, role), lost)) {
                    int stage = role == SecretRole.BOOTSTRAP ? WriteStage.REMOVE_BOOTSTRAP : WriteStage.REMOVE_OTHERS;
                    changes.add(new PlannedChange.DeleteSecret(stage, WHY, secret));
                }
            });
            for (StoredToken token : found.tokens()) {
                if (goes(Ownership.of(marks, token), lost)) {
                    changes.add(new PlannedChange.DeleteToken(WriteStage.REMOVE_TOKENS, WHY, token));
                }
            }
            for (StoredGrant grant : facts.fetch().grants().values()) {
                if (goes(Ownership.of(marks, grant), lost)) {
                    changes.add(new PlannedChange.DeleteGrant(WriteStage.REMOVE_TOKENS, WHY, grant));
                }
            }
            StoredConfig config = found.config();
            if (config != null && goes(Ownership.of(marks, config), lost)) {
                changes.add(new PlannedChange.DeleteConfig(WriteStage.REMOVE_TOKENS, WHY, config));
            }
            MachineDeployment machineDeployment = facts.machineDeployment();
            changes.add(new PlannedChange.RemoveFinalizer(WriteStage.REMOVE_FINALIZER, WHY, machineDeployment));
            return changes;
        }

        private static boolean goes(Ownership holder, NameCollisionResolver.@Nullable LostName lost) {
            return switch (holder) {
                case OWNED -> true;
                case PREVIOUS, OSM -> lost == null;
                case FOREIGN -> false;
            };
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

    /**
     * Decides which of two MachineDeployments that share an object name owns it, with the same result for both: the one
     * that the object's mark names, without a mark the one that the object fits, else the older one.
     */
    private static final class NameCollisionResolver {
        private static final Comparator<MachineDeployment> OLDER_FIRST =
                Comparator.<MachineDeployment, Instant>comparing(machineDeployment ->
                                Objects.requireNonNullElse(machineDeployment.creationTimestamp(), Instant.MAX))
                        .thenComparing(MachineDeployment::namespace)
                        .thenComparing(MachineDeployment::name);

        private final Facts facts;
        private final OwnershipAnnotations marks;
        private final ObjectNames names;
        private final BiPredicate<Facts.NameClaimant, SortedMap<String, StoredSecret>> fits;

        /** @param fits whether unmarked secrets hold what a MachineDeployment would get; called only when it matters */
        NameCollisionResolver(
                Facts facts,
                OwnershipAnnotations marks,
                BiPredicate<Facts.NameClaimant, SortedMap<String, StoredSecret>> fits) {
            this.facts = facts;
            this.marks = marks;
            this.names = ObjectNames.of(facts.machineDeployment());
            this.fits = fits;
        }

        /** A name that another MachineDeployment owns. */
        record LostName(String name, MachineDeployment owner) {
            ReasonMessage diagnosis(String tenant, MachineDeployment loser) {
                int blank = name.lastIndexOf(' ');
                return Reason.NameCollision.with(
                        "tenant", tenant,
                        "md", OwnershipAnnotations.owner(loser),
                        "kind", name.substring(0, blank),
                        "name", name.substring(blank + 1),
                        "md2", OwnershipAnnotations.owner(owner));
            }
        }

        @Nullable LostName findLostName() {
            // In a namespace kubelet, a name too long for the usual key makes two secrets share one name.
            if (names.bootstrapSecret().equals(names.kubeletBootstrapSecret())) {
                return new LostName("Secret " + names.bootstrapSecret(), facts.machineDeployment());
            }
            for (Facts.NameClaimant rival : facts.otherClaimants()) {
                SortedSet<String> shared = new TreeSet<>(names.claimedNames());
                shared.retainAll(ObjectNames.of(rival.machineDeployment()).claimedNames());
                if (!shared.isEmpty() && claims(rival.machineDeployment()) && !owns(rival, shared)) {
                    return new LostName(shared.first(), rival.machineDeployment());
                }
            }
            return null;
        }

        private boolean claims(MachineDeployment other) {
            boolean itself = OwnershipAnnotations.owner(other).equals(marks.owner());
            return !itself && (!other.profileName().isEmpty() || other.hasFinalizer());
        }

        /** Whether the MachineDeployment owns the names that it shares with a rival. */
        private boolean owns(Facts.NameClaimant rival, SortedSet<String> shared) {
            SortedMap<String, StoredSecret> unmarked = new TreeMap<>();
            for (Map.Entry<String, Map<String, String>> found :
                    annotations(shared).entrySet()) {
                String owner = found.getValue().get(OwnershipAnnotations.OWNER);
                if (marks.owner().equals(owner)) {
                    return true;
                }
                if (OwnershipAnnotations.owner(rival.machineDeployment()).equals(owner)) {
                    return false;
                }
            }
            for (StoredSecret secret : facts.found().secrets().values()) {
                if (shared.contains("Secret " + secret.name())
                        && !secret.annotations().containsKey(OwnershipAnnotations.OWNER)) {
                    unmarked.put(secret.name(), secret);
                }
            }
            if (!unmarked.isEmpty()) {
                Facts.NameClaimant self = new Facts.NameClaimant(
                        facts.machineDeployment(),
                        facts.profile(),
                        facts.found().tokens());
                boolean fitsSelf = fits.test(self, unmarked);
                if (fitsSelf != fits.test(rival, unmarked)) {
                    return fitsSelf;
                }
            }
            return OLDER_FIRST.compare(facts.machineDeployment(), rival.machineDeployment()) < 0;
        }

        /** Annotations of the objects found under the shared names, by name. */
        private SortedMap<String, Map<String, String>> annotations(SortedSet<String> shared) {
            SortedMap<String, Map<String, String>> annotations = new TreeMap<>();
            facts.found()
                    .secrets()
                    .values()
                    .forEach(secret -> annotations.put("Secret " + secret.name(), secret.annotations()));
            StoredConfig config = facts.found().config();
            if (config != null) {
                annotations.put("OperatingSystemConfig " + config.name(), config.annotations());
            }
            annotations.keySet().retainAll(shared);
            if (shared.contains("bootstrap token label " + names.key())) {
                facts.found().tokens().forEach(token -> annotations.put("Token " + token.name(), token.annotations()));
            }
            annotations.values().removeIf(found -> marks.hub().isOther(found.get(OwnershipAnnotations.HUB_ID)));
            return annotations;
        }
    }
}
