package io.osmhub.core.plan;

import io.osmhub.core.bootstrap.FetchToken;
import io.osmhub.core.bootstrap.ObjectNames;
import io.osmhub.core.machine.ProviderConfig;
import io.osmhub.core.model.Sensitive;
import io.osmhub.core.osp.NodeFetchMethod;
import io.osmhub.core.osp.OperatingSystemProfile;
import io.osmhub.core.plan.ChangeReason.Cause;
import io.osmhub.core.plan.Decider.WriteStage;
import io.osmhub.core.plan.DesiredObject.DesiredGrant;
import io.osmhub.core.plan.Facts.FetchTokenFacts;
import io.osmhub.core.plan.OwnershipAnnotations.Ownership;
import io.osmhub.core.plan.StoredGrant.GrantKind;
import io.osmhub.core.plan.StoredSecret.SecretRole;
import io.osmhub.core.problem.Command;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.ProblemObject;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.render.Renderer.RenderInput;
import io.osmhub.core.settings.TenantSettings.NodeFetch;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the token with which a MachineDeployment's machines fetch their configuration, and keeps it valid.
 *
 * <p>A scoped token cannot be extended: a new one replaces it in published content long before it expires. The
 * published one is stored beside the user-data, so a restarted hub finds everything unchanged and writes nothing. A new
 * one must be requested, which is a change like others; the content that embeds it is decided in the same run, after
 * the response. While the old one is valid, nothing waits for that.
 */
final class FetchTokenPlanner {
    /** As for bootstrap tokens: ten minutes for retries, 40 min without a hub, and 20 min for a machine that starts then. */
    static final Duration RENEW_BEFORE = BootstrapTokenPlanner.RENEW_BEFORE;

    /** Up to this much earlier, so that thousands of tokens issued together are not renewed together. */
    static final Duration SPREAD = Duration.ofMinutes(30);

    /** On an account that is no longer needed: when its last token expires. A booting machine may hold one. */
    static final String UNTIL = "osmhub.io/fetch-until";

    private final Facts facts;
    private final FetchTokenFacts fetchFacts;
    private final OwnershipAnnotations ownership;
    private final ObjectNames names;
    private final @Nullable Problem problem;
    private final boolean scoped;

    /** The existing usable token that expires last; null if none. */
    private final @Nullable FetchToken currentToken;

    FetchTokenPlanner(Facts facts, OwnershipAnnotations ownership, ObjectNames names) {
        this.facts = facts;
        this.fetchFacts = facts.fetch();
        this.ownership = ownership;
        this.names = names;
        RenderInput.Profile profile = facts.profile().value();
        OperatingSystemProfile.Spec spec =
                profile == null ? null : profile.compiled().spec();
        this.problem = spec == null ? null : refusal(spec);
        if (spec == null || problem != null) {
            // Published content keeps its kind of token while nothing new can be published.
            this.scoped = fetchFacts.canGrant() && fetchFacts.stored() != null;
        } else {
            this.scoped = switch (asked()) {
                case SHARED_TOKEN -> false;
                case SCOPED_TOKEN -> true;
                case AUTO -> fetchFacts.canGrant() && spec.supports(NodeFetchMethod.SCOPED_TOKEN);
            };
        }
        this.currentToken = current();
    }

    private NodeFetch asked() {
        return facts.tenant().settings().bootstrap().nodeFetch();
    }

    /** Why neither kind of token can be used; null if one can. */
    private @Nullable Problem refusal(OperatingSystemProfile.Spec profile) {
        boolean takesScoped = profile.supports(NodeFetchMethod.SCOPED_TOKEN);
        boolean takesShared = profile.supports(NodeFetchMethod.SHARED_TOKEN);
        boolean canGrant = fetchFacts.canGrant();
        String uses = ownership.owner() + " uses a profile ";
        String noRight = "the worker cluster does not grant the hub accounts and roles in cloud-init-settings";
        return switch (asked()) {
            case SCOPED_TOKEN ->
                !takesScoped
                        ? refused(
                                "ScopedToken: " + uses
                                        + "without ScopedToken in annotation osmhub.io/supported-node-fetch",
                                "set Auto, or use a profile that supports it",
                                Command.NONE)
                        : canGrant ? null : refused("ScopedToken: " + noRight, "grant it, or set Auto", grantCommand());
            case AUTO ->
                takesShared || canGrant
                        ? null
                        : refused(
                                "Auto: " + uses + "that supports ScopedToken only, and " + noRight,
                                "grant it",
                                grantCommand());
            case SHARED_TOKEN ->
                takesShared
                        ? null
                        : refused(
                                "SharedToken: " + uses + "that supports ScopedToken only",
                                canGrant ? "set Auto" : "set Auto and grant it",
                                canGrant ? Command.NONE : grantCommand());
        };
    }

    private Command grantCommand() {
        return Command.worker(
                "hub cluster rbac {} -n {} --scoped-fetch | kubectl apply -f -",
                facts.tenant().workerCluster(),
                facts.tenant().namespace());
    }

    private static Problem refused(String what, String cure, Command command) {
        String field = "provisioning.bootstrap.nodeFetch";
        return new Problem(Reason.ScopedTokenNotGranted, ProblemObject.NONE, field, what, cure).withCommand(command);
    }

    /** What keeps machines from having a token. */
    List<Problem> findings() {
        if (problem != null) {
            return List.of(problem);
        }
        return scoped ? List.of() : fetchFacts.shared().findings();
    }

    private @Nullable FetchToken current() {
        return Stream.of(fetchFacts.stored(), fetchFacts.requested())
                .filter(token -> token != null && isUsable(token))
                .max(Comparator.comparing(FetchToken::expiration))
                .orElse(null);
    }

    /** A token ends with its account, also if a new account has the same name. */
    private boolean isUsable(FetchToken token) {
        StoredGrant account = fetchFacts.grants().get(GrantKind.ACCOUNT);
        return account != null
                && token.account().equals(names.fetchAccount())
                && token.accountUid().equals(account.uid())
                && token.expiration().isAfter(facts.now());
    }

    private Instant due(FetchToken token) {
        Duration usual = RENEW_BEFORE.plusSeconds(Math.floorMod(ownership.uid().hashCode(), SPREAD.toSeconds() + 1));
        return token.expiration().minus(BootstrapTokenPlanner.renewBefore(usual, token.lifetime()));
    }

    /** Whether machines get a scoped token. */
    boolean isScoped() {
        return scoped;
    }

    /** The text to embed; null when it must be requested first. */
    @Nullable Sensitive text() {
        if (scoped) {
            return currentToken == null ? null : currentToken.text();
        }
        return fetchFacts.shared().value();
    }

    /** Whether the only change is that a scoped token is replaced by the next one. */
    boolean isRenewal() {
        FetchToken stored = fetchFacts.stored();
        return scoped && stored != null && stored != currentToken && isUsable(stored);
    }

    /** Why machines get another token than before, for users; null if they do not. */
    @Nullable String changeExplanation() {
        FetchToken stored = fetchFacts.stored();
        if (!scoped) {
            return stored == null ? null : "machines fetch with the shared token";
        }
        if (stored == null) {
            return "machines fetch with a scoped token";
        }
        return stored == currentToken || isUsable(stored) ? null : "the fetch token was invalid";
    }

    /** The scoped token in use after the changes; null if none. */
    Decision.@Nullable FetchTokenInUse tokenInUse() {
        return scoped && currentToken != null
                ? new Decision.FetchTokenInUse(names.fetchAccount(), currentToken.expiration())
                : null;
    }

    /** When a token needs attention after the changes; null for never. */
    @Nullable Instant nextCheck() {
        if (scoped) {
            return currentToken == null ? null : due(currentToken);
        }
        StoredGrant account = fetchFacts.grants().get(GrantKind.ACCOUNT);
        return account == null || !isMine(account) ? null : end(account);
    }

    // Accounts and roles

    /** Grants under its name that other writers own. */
    List<StoredGrant> foreignGrants() {
        return !scoped
                ? List.of()
                : fetchFacts.grants().values().stream()
                        .filter(grant -> Ownership.of(ownership, grant) == Ownership.FOREIGN)
                        .toList();
    }

    /**
     * Changes while desired content is published.
     *
     * @param first whether nothing was published before
     */
    List<PlannedChange> changes(boolean first) {
        if (!fetchFacts.canGrant()) {
            return List.of();
        }
        return scoped ? granted(first) : ended();
    }

    /** Changes while nothing new can be published: machines of published content must still be able to fetch. */
    List<PlannedChange> renewalChanges(boolean first) {
        if (!scoped || !fetchFacts.canGrant()) {
            return List.of();
        }
        List<PlannedChange> changes = granted(first);
        FetchToken stored = fetchFacts.stored();
        if (stored != null && currentToken != null && stored != currentToken) {
            facts.found().secrets().forEach((role, secret) -> {
                if (role != SecretRole.KUBELET_BOOTSTRAP && Ownership.of(ownership, secret, role) == Ownership.OWNED) {
                    changes.add(new PlannedChange.ReplaceFetchToken(
                            WriteStage.of(role), ChangeReason.NEXT_FETCH_TOKEN, role, secret, currentToken));
                }
            });
        }
        return changes;
    }

    private List<PlannedChange> granted(boolean first) {
        List<PlannedChange> changes = new ArrayList<>();
        for (GrantKind kind : GrantKind.values()) {
            // The API server accepts a binding only after its role exists.
            int stage = kind == GrantKind.BINDING ? WriteStage.BEFORE_BOOTSTRAP : WriteStage.TOKEN;
            DesiredGrant wanted = DesiredGrant.of(kind, names.fetchAccount(), ownership.workerAnnotations(), secrets());
            StoredGrant grant = fetchFacts.grants().get(kind);
            if (grant == null) {
                changes.add(new PlannedChange.Create(stage, whyMade(first), wanted));
            } else if (wanted.isReplacementOf(grant)) {
                changes.add(new PlannedChange.Replace(stage, whyChanged(grant), grant, wanted));
            } else if (!wanted.fields().equals(grant.fields())
                    || !wanted.annotations().equals(grant.annotations())) {
                changes.add(new PlannedChange.UpdateGrant(stage, whyChanged(grant), grant, wanted));
            }
        }
        if (currentToken == null || !due(currentToken).isAfter(facts.now())) {
            changes.add(new PlannedChange.RequestFetchToken(
                    currentToken == null ? WriteStage.BEFORE_BOOTSTRAP : WriteStage.RENEWAL,
                    currentToken == null
                            ? (first ? Cause.FIRST : Cause.RENEWAL).because("machines have no fetch token")
                            : Cause.RENEWAL.because("the fetch token is kept valid"),
                    names.fetchAccount(),
                    ownership.owner()));
        }
        return changes;
    }

    private ChangeReason whyMade(boolean first) {
        if (first) {
            return ChangeReason.FIRST_PUBLICATION;
        }
        return fetchFacts.stored() == null
                ? Cause.CONTENT.because("machines fetch with a scoped token")
                : Cause.DRIFT.because("it was missing");
    }

    private static ChangeReason whyChanged(StoredGrant grant) {
        return grant.lastWriter() != null && !grant.lastWriter().equals(PublishPlanner.OWN_MANAGER)
                ? Cause.DRIFT.because(grant.lastWriter() + " changed it")
                : Cause.CONTENT.because("the secrets that machines fetch changed");
    }

    /** What a machine fetches; for providers that pass no user-data, the user-data too. */
    private List<String> secrets() {
        String provider;
        try {
            provider =
                    ProviderConfig.decode(facts.machineDeployment()).lenient().cloudProvider();
        } catch (TenantMistake e) {
            // Rendering reports the error.
            provider = "";
        }
        return provider.equals("edge")
                ? List.of(names.bootstrapSecret(), names.kubeletBootstrapSecret(), names.provisioningSecret())
                : List.of(names.kubeletBootstrapSecret(), names.provisioningSecret());
    }

    /** Deletes unneeded grants once no machine can hold a token of them. */
    private List<PlannedChange> ended() {
        List<PlannedChange> changes = new ArrayList<>();
        StoredGrant account = fetchFacts.grants().get(GrantKind.ACCOUNT);
        ChangeReason why = Cause.REMOVAL.because("machines fetch with the shared token");
        if (account != null && until(account) == null && isMine(account)) {
            SortedMap<String, String> annotations = new TreeMap<>(ownership.workerAnnotations());
            annotations.put(UNTIL, end(account).toString());
            changes.add(new PlannedChange.UpdateGrant(
                    WriteStage.TOKEN,
                    why,
                    account,
                    new DesiredGrant(GrantKind.ACCOUNT, account.name(), annotations, account.fields())));
        } else if (account == null || !end(account).isAfter(facts.now())) {
            fetchFacts.grants().values().stream()
                    .filter(this::isMine)
                    .forEach(grant -> changes.add(new PlannedChange.Delete(WriteStage.OBSOLETE, why, grant)));
        }
        return changes;
    }

    private boolean isMine(StoredGrant grant) {
        return Ownership.of(ownership, grant) != Ownership.FOREIGN;
    }

    /** When the last token of an unneeded account expires. */
    private Instant end(StoredGrant account) {
        Instant until = until(account);
        FetchToken last = fetchFacts.stored();
        if (until != null) {
            return until;
        }
        return last == null ? facts.now().plus(FetchToken.LIFE) : last.expiration();
    }

    private static @Nullable Instant until(StoredGrant account) {
        String text = account.annotations().get(UNTIL);
        try {
            return text == null ? null : Instant.parse(text);
        } catch (DateTimeParseException e) {
            return null;
        }
    }
}
