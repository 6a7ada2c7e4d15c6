package io.osmhub.core.status;

import io.osmhub.core.bootstrap.FetchToken;
import io.osmhub.core.bootstrap.ObjectNames;
import io.osmhub.core.bootstrap.SourceAnnotations;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.osc.OperatingSystemConfigStatus;
import io.osmhub.core.osc.OperatingSystemConfigStatus.ChangeResult;
import io.osmhub.core.osc.OperatingSystemConfigStatus.MachineDeploymentSource;
import io.osmhub.core.osc.OperatingSystemConfigStatus.NewNodes;
import io.osmhub.core.osc.OperatingSystemConfigStatus.ProfileSource;
import io.osmhub.core.osc.OperatingSystemConfigStatus.PublishedSecret;
import io.osmhub.core.osc.OperatingSystemConfigStatus.RenderSource;
import io.osmhub.core.osc.OperatingSystemConfigStatus.Role;
import io.osmhub.core.osc.OperatingSystemConfigStatus.SecretState;
import io.osmhub.core.plan.ChangeReason;
import io.osmhub.core.plan.Decision;
import io.osmhub.core.plan.Decision.Outcome;
import io.osmhub.core.plan.Decision.RenderSummary;
import io.osmhub.core.plan.Facts;
import io.osmhub.core.plan.Facts.FoundObjects;
import io.osmhub.core.plan.Facts.LookupResult;
import io.osmhub.core.plan.OwnershipAnnotations;
import io.osmhub.core.plan.PlannedChange;
import io.osmhub.core.plan.StoredConfig;
import io.osmhub.core.plan.StoredSecret;
import io.osmhub.core.plan.StoredSecret.SecretRole;
import io.osmhub.core.plan.StoredToken;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.ReasonMessage;
import io.osmhub.core.problem.Severity;
import io.osmhub.core.render.Renderer.RenderInput;
import io.osmhub.core.resource.Condition;
import io.osmhub.core.resource.Condition.Status;
import io.osmhub.core.resource.NullableCollections;
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
 * @param status of its OperatingSystemConfig; null if it has none
 */
public record MachineDeploymentReport(
        String namespace,
        String name,
        String profile,
        NewNodes newNodes,
        List<ReasonMessage> problems,
        @Nullable OperatingSystemConfigStatus status) {
    public MachineDeploymentReport {
        problems = List.copyOf(problems);
    }

    public static MachineDeploymentReport of(RunResult run) {
        MachineDeployment machineDeployment = run.facts().machineDeployment();
        PublishedState published = new PublishedState(run);
        ConfigConditionsBuilder conditions = new ConfigConditionsBuilder(run, published);
        List<Condition> list = conditions.build();
        NewNodes newNodes = newNodes(run, published, list);
        StoredConfig stored = run.stored();
        boolean ownConfig =
                switch (run.decision().outcome()) {
                    case Outcome.NotManaged _, Outcome.Terminating _, Outcome.Blocked _ -> false;
                    case Outcome.NotRendered _,
                            Outcome.AwaitingFetchToken _,
                            Outcome.Failed _,
                            Outcome.NotPublished _,
                            Outcome.Published _ -> stored != null && stored.belongsTo(machineDeployment);
                };
        return new MachineDeploymentReport(
                machineDeployment.namespace(),
                machineDeployment.name(),
                profile(run.facts()),
                newNodes,
                problems(run, list),
                ownConfig ? new ConfigStatusBuilder(run, published).build(list, newNodes) : null);
    }

    private static String profile(Facts facts) {
        return facts.profile() instanceof LookupResult.Found<RenderInput.Profile>(RenderInput.Profile found)
                        && !found.namespace().isEmpty()
                ? found.namespace() + "/" + found.name()
                : facts.machineDeployment().profileName();
    }

    /** The first that applies. */
    private static NewNodes newNodes(RunResult run, PublishedState published, List<Condition> conditions) {
        if (run.decision().outcome() instanceof Outcome.Blocked) {
            return NewNodes.BLOCKED;
        }
        boolean rendered = ConditionsBuilder.isTrue(conditions, ConfigConditionsBuilder.RENDERED);
        boolean isPublished = ConditionsBuilder.isTrue(conditions, ConfigConditionsBuilder.PUBLISHED);
        if (run.isInProgress()) {
            return NewNodes.PENDING;
        }
        if (startsNothing(run, published)) {
            return NewNodes.BLOCKED;
        }
        if (!rendered || !isPublished) {
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
                || !published.has(SecretRole.PROVISIONING)
                || !revision.equals(published.revision(SecretRole.BOOTSTRAP));
    }

    /** Whether it was published before it was found to be unreadable. */
    private static boolean publishesUnreadable(RunResult run) {
        StoredConfig config = run.facts().found().config();
        return run.decision().outcome() instanceof Outcome.NotPublished(RenderSummary rendered)
                && config != null
                && config.contentHash().equals(rendered.contentHash())
                && run.decision().problems().stream()
                        .anyMatch(problem -> problem.reason() == Reason.UserDataUnreadable);
    }

    /** Problems of the decision and of carrying it out. */
    private static List<ReasonMessage> problems(RunResult run, List<Condition> conditions) {
        List<ReasonMessage> problems = new ArrayList<>(run.decision().problems());
        if (run.failure() != null) {
            problems.add(run.failure());
        }
        for (Condition condition : conditions) {
            Reason reason = Reason.of(condition.reason()).orElse(Reason.InternalError);
            boolean known = problems.stream().anyMatch(problem -> problem.reason() == reason);
            if (condition.status() != Status.TRUE && reason.severity() != Severity.INFO && !known) {
                problems.add(new ReasonMessage(reason, condition.message()));
            }
        }
        problems.sort(Comparator.comparing(problem -> problem.reason().severity()));
        return problems;
    }

    /** Reports a failure of the hub's own code in a run without a decision. */
    public static ReasonMessage internalError(String tenant, String kind, String name, String runId) {
        return Reason.InternalError.with("tenant", tenant, "kind", kind, "name", name, "id", runId);
    }

    /** Builds the status of an OperatingSystemConfig after a run. The same run over unchanged objects builds an equal status. */
    static final class ConfigStatusBuilder {
        private final RunResult run;
        private final Facts facts;
        private final PublishedState published;
        private final @Nullable RenderSummary rendered;
        private final @Nullable OperatingSystemConfigStatus before;

        ConfigStatusBuilder(RunResult run, PublishedState published) {
            this.run = run;
            this.facts = run.facts();
            this.published = published;
            this.rendered = switch (run.decision().outcome()) {
                case Outcome.Published(RenderSummary wanted) -> wanted;
                case Outcome.NotPublished(RenderSummary held) -> held;
                case Outcome.NotManaged _,
                        Outcome.Terminating _,
                        Outcome.Blocked _,
                        Outcome.NotRendered _,
                        Outcome.AwaitingFetchToken _,
                        Outcome.Failed _ -> null;
            };
            this.before = before(run);
        }

        /** A replaced object has lost its status but keeps its history. */
        private static @Nullable OperatingSystemConfigStatus before(RunResult run) {
            StoredConfig stored = run.stored();
            if (stored != null && stored.status() != null) {
                return stored.status();
            }
            StoredConfig found = run.facts().found().config();
            return found == null ? null : found.status();
        }

        OperatingSystemConfigStatus build(List<Condition> conditions, NewNodes newNodes) {
            StoredConfig stored = Objects.requireNonNull(run.stored());
            RenderSource source = before == null ? null : before.source();
            RenderSource wanted = null;
            if (rendered != null) {
                RenderSource made = source(rendered, source);
                boolean current = run.decision().outcome() instanceof Outcome.Published && run.isComplete();
                source = current ? made : source;
                wanted = current || made.equals(source) ? null : made;
            }
            return new OperatingSystemConfigStatus(
                    stored.generation(),
                    conditions,
                    newNodes,
                    source,
                    wanted,
                    NullableCollections.nullIfEmpty(secrets()),
                    NullableCollections.nullIfEmpty(new ChangeHistory(run, published, before).build()));
        }

        /** @param old provides the time if it is otherwise equal */
        private RenderSource source(RenderSummary made, @Nullable RenderSource old) {
            MachineDeployment machineDeployment = facts.machineDeployment();
            RenderSource now = new RenderSource(
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
                    UnitFormatter.formatTime(facts.now()));
            return old != null && at(now, old.time()).equals(old) ? old : now;
        }

        private static RenderSource at(RenderSource source, @Nullable String time) {
            return new RenderSource(
                    source.machineDeployment(),
                    source.profile(),
                    source.templateEngine(),
                    source.settingsHash(),
                    source.contentHash(),
                    time);
        }

        private List<PublishedSecret> secrets() {
            ObjectNames names = ObjectNames.of(facts.machineDeployment());
            List<PublishedSecret> secrets = new ArrayList<>();
            secrets.add(secret(SecretRole.BOOTSTRAP, Role.BOOTSTRAP, names));
            secrets.add(secret(SecretRole.PROVISIONING, Role.PROVISIONING, names));
            secrets.add(secret(SecretRole.KUBELET_BOOTSTRAP, Role.KUBELET_BOOTSTRAP, names));
            boolean edge = rendered != null && rendered.bytes().containsKey(SecretRole.EDGE_SCRIPT);
            if (edge || published.has(SecretRole.EDGE_SCRIPT)) {
                secrets.add(secret(SecretRole.EDGE_SCRIPT, Role.EDGE_SCRIPT, names));
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

        private PublishedSecret secret(SecretRole role, Role wireRole, ObjectNames names) {
            SecretState state = !published.has(role)
                    ? SecretState.MISSING
                    : published.isOutdated(role) ? SecretState.OLDER_KEPT : SecretState.CURRENT;
            PublishedSecret old = NullableCollections.stream(before == null ? null : before.secrets())
                    .filter(entry -> entry.role() == wireRole)
                    .findFirst()
                    .orElse(null);
            Integer limit = role == SecretRole.BOOTSTRAP && rendered != null
                    ? rendered.limit() == null
                            ? null
                            : Integer.valueOf(rendered.limit().bytes())
                    : old == null ? null : old.limitBytes();
            return new PublishedSecret(
                    wireRole,
                    ObjectNames.SETTINGS_NAMESPACE,
                    role.name(names),
                    state,
                    published.has(role)
                            ? NullableCollections.nullIfEmpty(Objects.requireNonNull(published.revision(role)))
                            : null,
                    bytes(role, state, old),
                    limit,
                    published.wasWritten(role)
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
    }

    /** What a starting node finds after a run: the found objects with the changes applied. */
    static final class PublishedState {
        /** Revision of each existing Secret; empty if it has none. */
        private final Map<SecretRole, String> revisions = new EnumMap<>(SecretRole.class);

        private final Set<SecretRole> written = EnumSet.noneOf(SecretRole.class);
        private final Set<SecretRole> older = EnumSet.noneOf(SecretRole.class);
        private final @Nullable String deletedToken;
        private final @Nullable Instant tokenExpiration;
        private final @Nullable Instant fetchTokenExpiration;

        PublishedState(RunResult run) {
            FoundObjects found = run.facts().found();
            found.secrets().forEach((role, secret) -> revisions.put(role, revision(secret.annotations())));
            for (PlannedChange change : run.decision().changes()) {
                if (run.appliedChanges().contains(change)) {
                    made(change, found);
                } else {
                    missed(change);
                }
            }
            run.decision().withheld().forEach(this::missed);
            if (!(run.decision().outcome() instanceof Outcome.Published)) {
                older.addAll(revisions.keySet());
            }
            this.deletedToken = deletedToken(run);
            this.tokenExpiration = deletedToken == null ? tokenExpiration(run) : null;
            this.fetchTokenExpiration = fetchTokenExpiration(run);
        }

        private void made(PlannedChange change, FoundObjects found) {
            switch (change) {
                case PlannedChange.CreateSecret create ->
                    wrote(create.role(), create.object().annotations());
                case PlannedChange.UpdateSecret update ->
                    wrote(update.role(), update.object().annotations());
                case PlannedChange.ReplaceSecret replace ->
                    wrote(replace.role(), replace.object().annotations());
                case PlannedChange.AnnotateSecret stamp -> {
                    if (stamp.annotations().containsKey(SourceAnnotations.REVISION)) {
                        revisions.put(stamp.role(), revision(stamp.annotations()));
                    }
                }
                case PlannedChange.DeleteSecret delete ->
                    found.secrets().forEach((role, secret) -> {
                        if (secret.equals(delete.found())) {
                            revisions.remove(role);
                        }
                    });
                case PlannedChange.FinalizerChange c -> {}
                case PlannedChange.CreateToken c -> {}
                case PlannedChange.ExtendToken c -> {}
                case PlannedChange.DeleteToken c -> {}
                case PlannedChange.ReplaceFetchToken c -> {}
                case PlannedChange.CreateGrant c -> {}
                case PlannedChange.UpdateGrant c -> {}
                case PlannedChange.ReplaceGrant c -> {}
                case PlannedChange.DeleteGrant c -> {}
                case PlannedChange.RequestFetchToken c -> {}
                case PlannedChange.CreateConfig c -> {}
                case PlannedChange.AnnotateConfig c -> {}
                case PlannedChange.ReplaceConfig c -> {}
                case PlannedChange.DeleteConfig c -> {}
            }
        }

        private void missed(PlannedChange change) {
            if (change instanceof PlannedChange.UpdateSecret update) {
                older.add(update.role());
            } else if (change instanceof PlannedChange.ReplaceSecret replace) {
                older.add(replace.role());
            }
        }

        private void wrote(SecretRole role, Map<String, String> annotations) {
            revisions.put(role, revision(annotations));
            written.add(role);
        }

        private static String revision(Map<String, String> annotations) {
            return annotations.getOrDefault(SourceAnnotations.REVISION, "");
        }

        /** Which token the published secrets hold is unknown; until all are up to date, it may be the previous one. */
        private @Nullable String deletedToken(RunResult run) {
            boolean replaced = run.decision().outcome() instanceof Outcome.Published && run.isComplete();
            return replaced || ConfigConditionsBuilder.usesServiceAccount(run) || !has(SecretRole.BOOTSTRAP)
                    ? null
                    : run.facts().found().deletedToken();
        }

        private static @Nullable Instant tokenExpiration(RunResult run) {
            Decision.TokenInUse token = run.decision().token();
            if (token == null) {
                return null;
            }
            for (PlannedChange change : run.appliedChanges()) {
                boolean itsEnd = change instanceof PlannedChange.ExtendToken extension
                                && extension.found().name().equals(token.name())
                        || change instanceof PlannedChange.CreateToken creation
                                && creation.object().name().equals(token.name());
                if (itsEnd) {
                    return token.expiration();
                }
            }
            for (StoredToken found : run.facts().found().tokens()) {
                if (found.name().equals(token.name())) {
                    return found.expiration();
                }
            }
            return null;
        }

        /** Expiration of the token in the bootstrap secret: the one in use, or the previous one if that was not written. */
        private static @Nullable Instant fetchTokenExpiration(RunResult run) {
            Decision.FetchTokenInUse used = run.decision().fetch();
            FetchToken stored = run.facts().fetch().stored();
            if (stored == null) {
                return used == null || !run.isComplete() ? null : used.expiration();
            }
            boolean written = run.appliedChanges().stream()
                    .anyMatch(change ->
                            change instanceof PlannedChange.UpdateSecret update && update.role() == SecretRole.BOOTSTRAP
                                    || change instanceof PlannedChange.CreateSecret create
                                            && create.role() == SecretRole.BOOTSTRAP
                                    || change instanceof PlannedChange.ReplaceSecret replace
                                            && replace.role() == SecretRole.BOOTSTRAP
                                    || change instanceof PlannedChange.ReplaceFetchToken swap
                                            && swap.role() == SecretRole.BOOTSTRAP);
            if (written) {
                return used == null ? null : used.expiration();
            }
            return stored.expiration();
        }

        /** Expiration of the scoped fetch token; null while machines use the shared one. */
        @Nullable Instant fetchTokenExpiration() {
            return fetchTokenExpiration;
        }

        boolean has(SecretRole role) {
            return revisions.containsKey(role);
        }

        /** Whether the Secret exists but is not up to date. */
        boolean isOutdated(SecretRole role) {
            return older.contains(role);
        }

        boolean wasWritten(SecretRole role) {
            return written.contains(role);
        }

        /** Null if the Secret does not exist. */
        @Nullable String revision(SecretRole role) {
            return revisions.get(role);
        }

        /** Name of the deleted Secret whose token published secrets hold; null if it was not deleted. */
        @Nullable String deletedToken() {
            return deletedToken;
        }

        /** Expiration of the token in use; null if there is none or it was deleted. */
        @Nullable Instant tokenExpiration() {
            return tokenExpiration;
        }
    }

    /** The latest changes of published content, newest first. Token renewals are left out: they change nothing visible. */
    record ChangeHistory(
            RunResult run,
            PublishedState published,
            @Nullable OperatingSystemConfigStatus before) {
        private static final int LONGEST = 10;
        private static final int LONGEST_SENTENCE = 512;

        List<OperatingSystemConfigStatus.ChangeEntry> build() {
            List<OperatingSystemConfigStatus.ChangeEntry> history = new ArrayList<>();
            OperatingSystemConfigStatus.ChangeEntry last = NullableCollections.stream(
                            before == null ? null : before.history())
                    .findFirst()
                    .orElse(null);
            OperatingSystemConfigStatus.ChangeEntry latest = latest();
            if (latest != null && !(last != null && isRepetition(latest, last))) {
                history.add(latest);
            }
            NullableCollections.stream(before == null ? null : before.history())
                    .limit(LONGEST - history.size())
                    .forEach(history::add);
            return history;
        }

        /** A rejection repeated by each run counts once. */
        private static boolean isRepetition(
                OperatingSystemConfigStatus.ChangeEntry latest, OperatingSystemConfigStatus.ChangeEntry last) {
            return latest.result() == ChangeResult.REFUSED
                    && last.result() == ChangeResult.REFUSED
                    && latest.because().equals(last.because());
        }

        private OperatingSystemConfigStatus.@Nullable ChangeEntry latest() {
            ChangeReason why = null;
            for (PlannedChange change : run.appliedChanges()) {
                if (isRecorded(change.reason().cause()) && (why == null || why.cause() == ChangeReason.Cause.DRIFT)) {
                    why = change.reason();
                }
            }
            if (why != null) {
                boolean restored = why.cause() == ChangeReason.Cause.DRIFT;
                return entry(restored ? ChangeResult.RESTORED : ChangeResult.PUBLISHED, reason(why), why.explanation());
            }
            boolean refused = run.decision().outcome() instanceof Outcome.NotPublished
                    || run.decision().outcome() instanceof Outcome.NotRendered;
            if (refused && !run.decision().problems().isEmpty()) {
                ReasonMessage problem = run.decision().problems().getFirst();
                return entry(ChangeResult.REFUSED, problem.reason(), problem.message());
            }
            return adopted()
                    ? entry(
                            ChangeResult.ADOPTED,
                            Reason.ObjectsAdopted,
                            "objects of operating-system-manager were adopted")
                    : null;
        }

        private static boolean isRecorded(ChangeReason.Cause cause) {
            return switch (cause) {
                case FIRST, CONTENT, REVISION, DRIFT, NEW_TOKEN -> true;
                case RENEWAL, REMOVAL -> false;
            };
        }

        private static Reason reason(ChangeReason why) {
            return switch (why.cause()) {
                case DRIFT -> Reason.DriftRepaired;
                case NEW_TOKEN -> Reason.BootstrapTokenReplaced;
                case FIRST, CONTENT, REVISION, RENEWAL, REMOVAL -> Reason.ConfigRotated;
            };
        }

        private boolean adopted() {
            StoredConfig config = run.facts().found().config();
            return before == null
                    && config != null
                    && !config.annotations().containsKey(OwnershipAnnotations.OWNER)
                    && run.decision().outcome() instanceof Outcome.Published;
        }

        private OperatingSystemConfigStatus.ChangeEntry entry(ChangeResult result, Reason reason, String because) {
            StoredSecret old = run.facts().found().secret(SecretRole.BOOTSTRAP);
            String from = old == null ? "" : old.annotations().getOrDefault(SourceAnnotations.REVISION, "");
            String to = published.revision(SecretRole.BOOTSTRAP);
            long writes = run.appliedChanges().stream()
                    .filter(ChangeHistory::isInWorker)
                    .count();
            return new OperatingSystemConfigStatus.ChangeEntry(
                    UnitFormatter.formatTime(run.facts().now()),
                    result,
                    reason.wireName(),
                    because.length() <= LONGEST_SENTENCE ? because : because.substring(0, LONGEST_SENTENCE - 3) + "...",
                    NullableCollections.nullIfEmpty(from),
                    to == null ? null : NullableCollections.nullIfEmpty(to),
                    result == ChangeResult.REFUSED ? null : Integer.valueOf((int) writes),
                    result == ChangeResult.REFUSED
                            ? null
                            : Integer.valueOf((int) run.duration().toMillis()));
        }

        private static boolean isInWorker(PlannedChange change) {
            return !(change instanceof PlannedChange.CreateConfig
                    || change instanceof PlannedChange.AnnotateConfig
                    || change instanceof PlannedChange.ReplaceConfig
                    || change instanceof PlannedChange.DeleteConfig);
        }
    }
}
