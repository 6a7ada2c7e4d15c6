package io.osmhub.core.status;

import io.osmhub.core.bootstrap.FetchToken;
import io.osmhub.core.bootstrap.ObjectNames;
import io.osmhub.core.bootstrap.SourceAnnotations;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.osc.OperatingSystemConfigStatus;
import io.osmhub.core.osc.OperatingSystemConfigStatus.ChangeEntry;
import io.osmhub.core.osc.OperatingSystemConfigStatus.ChangeResult;
import io.osmhub.core.osc.OperatingSystemConfigStatus.MachineDeploymentSource;
import io.osmhub.core.osc.OperatingSystemConfigStatus.NewNodes;
import io.osmhub.core.osc.OperatingSystemConfigStatus.ProfileSource;
import io.osmhub.core.osc.OperatingSystemConfigStatus.PublishedSecret;
import io.osmhub.core.osc.OperatingSystemConfigStatus.RenderSource;
import io.osmhub.core.osc.OperatingSystemConfigStatus.Role;
import io.osmhub.core.osc.OperatingSystemConfigStatus.SecretState;
import io.osmhub.core.plan.ChangeReason;
import io.osmhub.core.plan.ChangeReason.Cause;
import io.osmhub.core.plan.Decision;
import io.osmhub.core.plan.Decision.Outcome;
import io.osmhub.core.plan.Decision.RenderSummary;
import io.osmhub.core.plan.DesiredObject.DesiredSecret;
import io.osmhub.core.plan.Facts;
import io.osmhub.core.plan.Facts.FoundObjects;
import io.osmhub.core.plan.OwnershipAnnotations;
import io.osmhub.core.plan.PlannedChange;
import io.osmhub.core.plan.StoredConfig;
import io.osmhub.core.plan.StoredSecret;
import io.osmhub.core.plan.StoredSecret.SecretRole;
import io.osmhub.core.plan.StoredToken;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.Reason.LinkName;
import io.osmhub.core.problem.Severity;
import io.osmhub.core.render.Renderer.RenderInput;
import io.osmhub.core.resource.Condition;
import io.osmhub.core.resource.NullableCollections;
import io.osmhub.core.resource.StoredProblem;
import io.osmhub.core.userdata.UserDataSize;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The report on one MachineDeployment after a run.
 *
 * @param profile that it uses, as namespace/name; its name alone if it cannot be used
 * @param newNodes what happens to a node that starts now
 * @param problems worst first
 * @param conditions as in the status of its OperatingSystemConfig, also without one
 * @param status of its OperatingSystemConfig; null if it has none
 */
public record MachineDeploymentReport(
        String namespace,
        String name,
        String profile,
        NewNodes newNodes,
        List<Problem> problems,
        List<Condition> conditions,
        @Nullable OperatingSystemConfigStatus status) {
    public MachineDeploymentReport {
        problems = List.copyOf(problems);
        conditions = List.copyOf(conditions);
    }

    public static MachineDeploymentReport of(RunResult run) {
        MachineDeployment machineDeployment = run.facts().machineDeployment();
        PublishedState published = PublishedState.of(run);
        ConfigConditionsBuilder builder = new ConfigConditionsBuilder(run, published);
        Problem token = builder.tokenValid();
        List<Problem> problems = problems(run, token);
        List<Condition> conditions = builder.build(problems, token);
        NewNodes newNodes = newNodes(run, published, conditions);
        StoredConfig stored = run.stored();
        boolean ownConfig =
                run.decision().outcome().ownsObjects() && stored != null && stored.belongsTo(machineDeployment);
        return new MachineDeploymentReport(
                machineDeployment.namespace(),
                machineDeployment.name(),
                profile(run.facts()),
                newNodes,
                problems,
                conditions,
                ownConfig ? new ConfigStatusBuilder(run, published).build(conditions, newNodes, problems) : null);
    }

    /** The same without what its OperatingSystemConfig stores. */
    public MachineDeploymentReport withoutStatus() {
        return new MachineDeploymentReport(
                namespace, name, profile, newNodes, problems, status == null ? conditions : List.of(), null);
    }

    /** The same after the state of its connection changed or a run failed. */
    public MachineDeploymentReport with(NewNodes nodes, List<Problem> open) {
        return new MachineDeploymentReport(namespace, name, profile, nodes, open, conditions, status);
    }

    private static String profile(Facts facts) {
        RenderInput.Profile found = facts.profile().value();
        return found == null ? facts.machineDeployment().profileName() : nameOf(found);
    }

    /** As namespace/name; the name alone of a profile without a namespace. */
    static String nameOf(RenderInput.Profile profile) {
        return profile.namespace().isEmpty() ? profile.name() : profile.namespace() + "/" + profile.name();
    }

    /** The first that applies. */
    private static NewNodes newNodes(RunResult run, PublishedState published, List<Condition> conditions) {
        if (run.decision().outcome() instanceof Outcome.Blocked) {
            return NewNodes.BLOCKED;
        }
        if (run.isInProgress()) {
            return NewNodes.PENDING;
        }
        if (startsNothing(run, published)) {
            return NewNodes.BLOCKED;
        }
        if (!ConditionsBuilder.isTrue(conditions, ConfigConditionsBuilder.RENDERED)
                || !ConditionsBuilder.isTrue(conditions, ConfigConditionsBuilder.PUBLISHED)) {
            return NewNodes.OUTDATED;
        }
        return ConditionsBuilder.isTrue(conditions, ConfigConditionsBuilder.TOKEN_VALID)
                        && run.circumstances().isNormal()
                ? NewNodes.CURRENT
                : NewNodes.AT_RISK;
    }

    private static boolean startsNothing(RunResult run, PublishedState published) {
        Instant end = published.tokenExpiration();
        boolean joins = ConfigConditionsBuilder.usesServiceAccount(run)
                ? run.facts().serviceAccountToken().findings().isEmpty()
                : end != null && end.isAfter(run.facts().now());
        String revision = run.facts().machineDeployment().revision();
        return !joins
                || publishesUnreadable(run)
                || hasProblem(run, Reason.RevisionNotSet)
                || !published.has(SecretRole.PROVISIONING)
                || !revision.equals(published.revisions().get(SecretRole.BOOTSTRAP));
    }

    /** Whether it was published before it was found to be unreadable. */
    private static boolean publishesUnreadable(RunResult run) {
        StoredConfig config = run.facts().found().config();
        return run.decision().outcome() instanceof Outcome.NotPublished(RenderSummary rendered)
                && config != null
                && config.contentHash().equals(rendered.contentHash())
                && hasProblem(run, Reason.UserDataUnreadable);
    }

    private static boolean hasProblem(RunResult run, Reason reason) {
        return run.decision().problems().stream().anyMatch(problem -> problem.reason() == reason);
    }

    /** Problems of the decision, of carrying it out, and of the token. */
    private static List<Problem> problems(RunResult run, Problem token) {
        List<Problem> problems = new ArrayList<>(run.decision().problems());
        if (run.failure() != null) {
            problems.add(run.failure());
        }
        if (run.decision().outcome() instanceof Outcome.Failed) {
            problems.add(internalError(run));
        }
        if (token.reason().severity() != Severity.INFO && !problems.contains(token)) {
            problems.add(token);
        }
        problems.sort(Comparator.comparing(problem -> problem.reason().severity()));
        return problems;
    }

    /** A failure of the hub's own code. */
    static Problem internalError(RunResult run) {
        return Reason.InternalError.with(
                "tenant", run.facts().tenant().namespace(),
                "kind", "MachineDeployment",
                "name", OwnershipAnnotations.owner(run.facts().machineDeployment()),
                "id", run.id());
    }

    /** Builds the status of an OperatingSystemConfig after a run. The same run over unchanged objects builds an equal status. */
    private static final class ConfigStatusBuilder {
        private static final int MOST_PROBLEMS = 16;
        private static final int LONGEST_HISTORY = 10;
        private static final int LONGEST_SENTENCE = 512;

        private final RunResult run;
        private final Facts facts;
        private final PublishedState published;
        private final Outcome outcome;
        private final @Nullable RenderSummary rendered;
        private final @Nullable OperatingSystemConfigStatus previousStatus;

        ConfigStatusBuilder(RunResult run, PublishedState published) {
            this.run = run;
            this.facts = run.facts();
            this.published = published;
            this.outcome = run.decision().outcome();
            this.rendered = outcome.rendered();
            StoredConfig found = facts.found().config();
            OperatingSystemConfigStatus stored =
                    Objects.requireNonNull(run.stored()).status();
            // A replaced object has lost its status but keeps its history.
            this.previousStatus = stored != null || found == null ? stored : found.status();
        }

        OperatingSystemConfigStatus build(List<Condition> conditions, NewNodes newNodes, List<Problem> problems) {
            RenderSource source = previousStatus == null ? null : previousStatus.source();
            RenderSource wanted = null;
            String publishedHash = previousStatus == null ? null : previousStatus.publishedHash();
            if (rendered != null) {
                RenderSource made = source(rendered, source);
                if (outcome instanceof Outcome.Published current && run.isComplete()) {
                    source = made;
                    publishedHash = current.publishedHash();
                }
                wanted = made.equals(source) ? null : made;
            }
            return new OperatingSystemConfigStatus(
                    Objects.requireNonNull(run.stored()).generation(),
                    conditions,
                    newNodes,
                    source,
                    wanted,
                    publishedHash,
                    secrets(),
                    NullableCollections.nullIfEmpty(history()),
                    NullableCollections.nullIfEmpty(problems.stream()
                            .limit(MOST_PROBLEMS)
                            .map(StoredProblem::of)
                            .toList()));
        }

        /** @param old provides the time if it is otherwise equal */
        private RenderSource source(RenderSummary made, @Nullable RenderSource old) {
            RenderSource same = source(made, old == null ? null : old.time());
            return same.equals(old) ? same : source(made, UnitFormatter.formatTime(facts.now()));
        }

        private RenderSource source(RenderSummary made, @Nullable String time) {
            MachineDeployment machineDeployment = facts.machineDeployment();
            return new RenderSource(
                    new MachineDeploymentSource(
                            machineDeployment.namespace(),
                            machineDeployment.name(),
                            machineDeployment.uid(),
                            made.stamps().revision()),
                    new ProfileSource(
                            NullableCollections.nullIfEmpty(made.profile().namespace()),
                            made.profile().name(),
                            made.stamps().profileVersion(),
                            made.profile().compiled().contentHash()),
                    made.profile().compiled().spec().templateEngine().wireName(),
                    made.settingsHash(),
                    made.contentHash(),
                    time,
                    NullableCollections.nullIfEmpty(made.extensions()));
        }

        private List<PublishedSecret> secrets() {
            List<PublishedSecret> secrets = new ArrayList<>();
            secrets.add(secret(SecretRole.BOOTSTRAP));
            secrets.add(secret(SecretRole.PROVISIONING));
            secrets.add(secret(SecretRole.KUBELET_BOOTSTRAP));
            boolean edge = rendered != null && rendered.bytes().containsKey(SecretRole.EDGE_SCRIPT);
            if (edge || published.has(SecretRole.EDGE_SCRIPT)) {
                secrets.add(secret(SecretRole.EDGE_SCRIPT));
            }
            Decision.TokenInUse token = run.decision().token();
            String deleted = published.deletedToken();
            if (token != null || deleted != null) {
                secrets.add(new PublishedSecret(
                        Role.BOOTSTRAP_TOKEN,
                        ObjectNames.TOKEN_NAMESPACE,
                        deleted == null ? Objects.requireNonNull(token).name() : deleted,
                        published.tokenExpiration() == null ? SecretState.MISSING : SecretState.CURRENT,
                        null,
                        null,
                        null,
                        null));
            }
            return secrets;
        }

        private PublishedSecret secret(SecretRole role) {
            Role wireRole = Role.valueOf(role.name());
            SecretState state = !published.has(role)
                    ? SecretState.MISSING
                    : published.outdated().contains(role) ? SecretState.OLDER_KEPT : SecretState.CURRENT;
            PublishedSecret old = NullableCollections.stream(previousStatus == null ? null : previousStatus.secrets())
                    .filter(entry -> entry.role() == wireRole)
                    .findFirst()
                    .orElse(null);
            Integer limit = old == null ? null : old.limitBytes();
            if (role == SecretRole.BOOTSTRAP && rendered != null) {
                UserDataSize.Limit now = rendered.limit();
                limit = now == null ? null : Integer.valueOf(now.bytes());
            }
            return new PublishedSecret(
                    wireRole,
                    ObjectNames.SETTINGS_NAMESPACE,
                    role.name(ObjectNames.of(facts.machineDeployment())),
                    state,
                    NullableCollections.nullIfEmpty(published.revisions().getOrDefault(role, "")),
                    bytes(role, state, old),
                    limit,
                    published.written().contains(role)
                            ? UnitFormatter.formatTime(facts.now())
                            : old == null ? null : old.publishedTime());
        }

        private @Nullable Integer bytes(SecretRole role, SecretState state, @Nullable PublishedSecret old) {
            return switch (state) {
                case MISSING -> null;
                case CURRENT -> rendered == null ? null : rendered.bytes().get(role);
                case OLDER_KEPT -> {
                    StoredSecret found = facts.found().secret(role);
                    if (old != null && old.bytes() != null) {
                        yield old.bytes();
                    }
                    // How the provider receives the document of another program is not known.
                    yield found == null || role == SecretRole.BOOTSTRAP ? null : Integer.valueOf(found.bytes());
                }
            };
        }

        /** The latest changes of published content, newest first. Token renewals are left out: they change nothing visible. */
        private List<ChangeEntry> history() {
            List<ChangeEntry> history = new ArrayList<>();
            if (previousStatus != null && previousStatus.history() != null) {
                history.addAll(previousStatus.history());
            }
            ChangeEntry latest = latestChange();
            // A rejection repeated by each run counts once.
            boolean repeated = latest != null
                    && latest.result() == ChangeResult.REFUSED
                    && !history.isEmpty()
                    && history.getFirst().result() == ChangeResult.REFUSED
                    && history.getFirst().because().equals(latest.because());
            if (latest != null && !repeated) {
                history.addFirst(latest);
            }
            return history.subList(0, Math.min(LONGEST_HISTORY, history.size()));
        }

        private @Nullable ChangeEntry latestChange() {
            ChangeReason why = run.appliedChanges().stream()
                    .map(PlannedChange::reason)
                    .filter(reason -> reason.cause() != Cause.RENEWAL && reason.cause() != Cause.REMOVAL)
                    .min(Comparator.comparing(reason -> reason.cause() == Cause.DRIFT))
                    .orElse(null);
            if (why != null) {
                return switch (why.cause()) {
                    case DRIFT -> change(ChangeResult.RESTORED, Reason.DriftRepaired, why.explanation());
                    case NEW_TOKEN -> change(ChangeResult.PUBLISHED, Reason.BootstrapTokenReplaced, why.explanation());
                    default -> change(ChangeResult.PUBLISHED, Reason.ConfigRotated, why.explanation());
                };
            }
            if (outcome instanceof Outcome.NotPublished || outcome instanceof Outcome.NotRendered) {
                return run.decision().problems().stream()
                        .findFirst()
                        .map(problem -> change(ChangeResult.REFUSED, problem.reason(), problem.message()))
                        .orElse(null);
            }
            StoredConfig config = facts.found().config();
            boolean adopted = previousStatus == null
                    && config != null
                    && !config.annotations().containsKey(OwnershipAnnotations.OWNER)
                    && outcome instanceof Outcome.Published;
            String because = "objects of operating-system-manager were adopted";
            return adopted ? change(ChangeResult.ADOPTED, Reason.ObjectsAdopted, because) : null;
        }

        private ChangeEntry change(ChangeResult result, Reason reason, String because) {
            StoredSecret old = facts.found().secret(SecretRole.BOOTSTRAP);
            boolean refused = result == ChangeResult.REFUSED;
            long writes = run.appliedChanges().stream()
                    .filter(change -> change.link() != LinkName.RENDERED_CONFIG)
                    .count();
            return new ChangeEntry(
                    UnitFormatter.formatTime(facts.now()),
                    result,
                    reason.wireName(),
                    because.length() <= LONGEST_SENTENCE ? because : because.substring(0, LONGEST_SENTENCE - 3) + "...",
                    old == null ? null : NullableCollections.nullIfEmpty(PublishedState.revision(old.annotations())),
                    NullableCollections.nullIfEmpty(published.revisions().getOrDefault(SecretRole.BOOTSTRAP, "")),
                    refused ? null : Integer.valueOf((int) writes),
                    refused ? null : Integer.valueOf((int) run.duration().toMillis()));
        }
    }

    /**
     * What a starting node finds after a run: the found objects with the changes applied.
     *
     * @param revisions of existing Secrets; empty for one that has none
     * @param written Secrets that the run wrote
     * @param outdated existing Secrets that are not up to date
     * @param deletedToken name of the deleted Secret whose token published secrets hold; null if it was not deleted
     * @param tokenExpiration of the token in use; null if there is none or it was deleted
     * @param fetchTokenExpiration of the scoped fetch token in the bootstrap secret; null while machines use the shared one
     */
    record PublishedState(
            Map<SecretRole, String> revisions,
            Set<SecretRole> written,
            Set<SecretRole> outdated,
            @Nullable String deletedToken,
            @Nullable Instant tokenExpiration,
            @Nullable Instant fetchTokenExpiration) {

        static PublishedState of(RunResult run) {
            FoundObjects found = run.facts().found();
            Map<SecretRole, String> revisions = new EnumMap<>(SecretRole.class);
            Set<SecretRole> written = EnumSet.noneOf(SecretRole.class);
            Set<SecretRole> outdated = EnumSet.noneOf(SecretRole.class);
            found.secrets().forEach((role, secret) -> revisions.put(role, revision(secret.annotations())));
            List<PlannedChange> missed = new ArrayList<>(run.decision().withheld());
            for (PlannedChange change : run.decision().changes()) {
                SecretRole role = change.role();
                if (!run.appliedChanges().contains(change)) {
                    missed.add(change);
                } else if (role != null && change.object() instanceof DesiredSecret secret) {
                    revisions.put(role, revision(secret.annotations()));
                    written.add(role);
                } else if (role != null
                        && change instanceof PlannedChange.Annotate stamp
                        && stamp.annotations().containsKey(SourceAnnotations.REVISION)) {
                    revisions.put(role, revision(stamp.annotations()));
                } else if (change instanceof PlannedChange.Delete delete) {
                    revisions.keySet().removeIf(deleted -> delete.found().equals(found.secret(deleted)));
                }
            }
            boolean published = run.decision().outcome() instanceof Outcome.Published;
            // A Secret that was not created has no older content.
            revisions.keySet().stream()
                    .filter(role -> !published || missed.stream().anyMatch(change -> writes(role, change)))
                    .forEach(outdated::add);
            // Which token the published secrets hold is unknown; until all are up to date, it may be the previous one.
            String deleted = published && run.isComplete()
                            || ConfigConditionsBuilder.usesServiceAccount(run)
                            || !revisions.containsKey(SecretRole.BOOTSTRAP)
                    ? null
                    : found.deletedToken();
            return new PublishedState(
                    revisions,
                    written,
                    outdated,
                    deleted,
                    deleted == null ? tokenExpiration(run) : null,
                    fetchTokenExpiration(run));
        }

        private static String revision(Map<String, String> annotations) {
            return annotations.getOrDefault(SourceAnnotations.REVISION, "");
        }

        private static boolean writes(SecretRole role, PlannedChange change) {
            return change.object() != null && change.role() == role;
        }

        private static @Nullable Instant tokenExpiration(RunResult run) {
            Decision.TokenInUse token = run.decision().token();
            if (token == null) {
                return null;
            }
            for (PlannedChange change : run.appliedChanges()) {
                boolean itsEnd = change instanceof PlannedChange.ExtendToken extension
                                && extension.found().name().equals(token.name())
                        || change.createsToken() && change.target().name().equals(token.name());
                if (itsEnd) {
                    return token.expiration();
                }
            }
            return run.facts().found().tokens().stream()
                    .filter(found -> found.name().equals(token.name()))
                    .findFirst()
                    .map(StoredToken::expiration)
                    .orElse(null);
        }

        /** Of the token in use, or of the previous one if the bootstrap secret was not written. */
        private static @Nullable Instant fetchTokenExpiration(RunResult run) {
            Decision.FetchTokenInUse used = run.decision().fetch();
            FetchToken stored = run.facts().fetch().stored();
            boolean written = stored == null
                    ? run.isComplete()
                    : run.appliedChanges().stream()
                            .anyMatch(change -> change.role() == SecretRole.BOOTSTRAP
                                    && !(change instanceof PlannedChange.Annotate));
            if (written) {
                return used == null ? null : used.expiration();
            }
            return stored == null ? null : stored.expiration();
        }

        boolean has(SecretRole role) {
            return revisions.containsKey(role);
        }
    }
}
