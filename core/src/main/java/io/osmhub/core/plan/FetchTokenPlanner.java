package io.osmhub.core.plan;

import io.osmhub.core.bootstrap.FetchToken;
import io.osmhub.core.bootstrap.ObjectNames;
import io.osmhub.core.machine.ProviderConfig;
import io.osmhub.core.model.Sensitive;
import io.osmhub.core.osp.NodeFetchMethod;
import io.osmhub.core.osp.OperatingSystemProfile;
import io.osmhub.core.plan.Decider.WriteStage;
import io.osmhub.core.plan.DesiredGrant.GrantKind;
import io.osmhub.core.plan.Facts.FetchTokenFacts;
import io.osmhub.core.plan.Facts.LookupResult;
import io.osmhub.core.plan.OwnershipAnnotations.Ownership;
import io.osmhub.core.plan.StoredSecret.SecretRole;
import io.osmhub.core.problem.ProblemFinding;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.render.Renderer.RenderInput;
import io.osmhub.core.workercluster.ProvisioningSettings.NodeFetch;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
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
    private final FetchTokenFacts found;
    private final OwnershipAnnotations marks;
    private final ObjectNames names;
    private final @Nullable ProblemFinding refusal;
    private final boolean scoped;

    /** The existing usable token that expires last; null if none. */
    private final @Nullable FetchToken current;

    FetchTokenPlanner(Facts facts, OwnershipAnnotations marks, ObjectNames names) {
        this.facts = facts;
        this.found = facts.fetch();
        this.marks = marks;
        this.names = names;
        this.refusal = refusal();
        // Published content keeps its kind of token while nothing new can be published.
        this.scoped = refusal == null ? wantsScoped() : found.canGrant() && found.stored() != null;
        this.current = current();
    }

    private NodeFetch asked() {
        return facts.tenant().settings().bootstrap().nodeFetch();
    }

    /** Null if missing. */
    private OperatingSystemProfile.@Nullable Spec profile() {
        return facts.profile() instanceof LookupResult.Found<RenderInput.Profile>(RenderInput.Profile profile)
                ? profile.compiled().spec()
                : null;
    }

    private boolean wantsScoped() {
        OperatingSystemProfile.Spec profile = profile();
        if (profile == null) {
            return found.canGrant() && found.stored() != null;
        }
        return switch (asked()) {
            case SHARED_TOKEN -> false;
            case SCOPED_TOKEN -> true;
            case AUTO -> found.canGrant() && profile.supports(NodeFetchMethod.SCOPED_TOKEN);
        };
    }

    /** Why neither kind of token can be used; null if one can. */
    private @Nullable ProblemFinding refusal() {
        OperatingSystemProfile.Spec profile = profile();
        if (profile == null) {
            return null;
        }
        boolean takesScoped = profile.supports(NodeFetchMethod.SCOPED_TOKEN);
        boolean takesShared = profile.supports(NodeFetchMethod.SHARED_TOKEN);
        String name = marks.owner() + " uses a profile";
        return switch (asked()) {
            case SCOPED_TOKEN ->
                !takesScoped
                        ? refused(
                                "ScopedToken: " + name
                                        + " without ScopedToken in annotation osmhub.io/supported-node-fetch",
                                "set Auto, or use a profile that supports it")
                        : found.canGrant()
                                ? null
                                : refused("ScopedToken: " + noRight(), cureByRight() + ", or set Auto");
            case AUTO ->
                takesShared || found.canGrant()
                        ? null
                        : refused("Auto: " + name + " that supports ScopedToken only, and " + noRight(), cureByRight());
            case SHARED_TOKEN ->
                takesShared
                        ? null
                        : refused(
                                "SharedToken: " + name + " that supports ScopedToken only",
                                found.canGrant() ? "set Auto" : "set Auto and " + cureByRight());
        };
    }

    private static String noRight() {
        return "the worker cluster does not grant the hub accounts and roles in cloud-init-settings";
    }

    private String cureByRight() {
        return "grant it: hub cluster rbac " + facts.tenant().workerCluster() + " -n "
                + facts.tenant().namespace() + " --scoped-fetch";
    }

    private static ProblemFinding refused(String what, String cure) {
        return new ProblemFinding("ScopedTokenNotGranted", "", "provisioning.bootstrap.nodeFetch", what, cure);
    }

    /** What keeps machines from having a token. */
    List<ProblemFinding> findings() {
        if (refusal != null) {
            return List.of(refusal);
        }
        return scoped ? List.of() : found.shared().findings();
    }

    private @Nullable FetchToken current() {
        FetchToken best = null;
        for (FetchToken token : new FetchToken[] {found.stored(), found.requested()}) {
            if (token != null
                    && isUsable(token)
                    && (best == null || token.expiration().isAfter(best.expiration()))) {
                best = token;
            }
        }
        return best;
    }

    /** A token ends with its account, also if a new account has the same name. */
    private boolean isUsable(FetchToken token) {
        StoredGrant account = found.grants().get(GrantKind.ACCOUNT);
        return account != null
                && token.account().equals(names.fetchAccount())
                && token.accountUid().equals(account.uid())
                && token.expiration().isAfter(facts.now());
    }

    private boolean isDue(FetchToken token) {
        return !due(token).isAfter(facts.now());
    }

    /** A lifetime too short for {@link #RENEW_BEFORE} is renewed after a fifth of it. */
    private Instant due(FetchToken token) {
        Duration usual = RENEW_BEFORE.plusSeconds(Math.floorMod(marks.uid().hashCode(), SPREAD.toSeconds() + 1));
        Duration most = token.lifetime().multipliedBy(4).dividedBy(5);
        return token.expiration().minus(usual.compareTo(most) < 0 ? usual : most);
    }

    /** Whether machines get a scoped token. */
    boolean isScoped() {
        return scoped;
    }

    /** The text to embed; null when it must be requested first. */
    @Nullable Sensitive text() {
        if (scoped) {
            return current == null ? null : current.text();
        }
        return found.shared() instanceof LookupResult.Found<Sensitive>(Sensitive token) ? token : null;
    }

    /** Whether the only change is that a scoped token is replaced by the next one. */
    boolean isRenewal() {
        FetchToken stored = found.stored();
        return scoped && stored != null && stored != current && isUsable(stored);
    }

    /** Why machines get another token than before, for users; null if they do not. */
    @Nullable String changeExplanation() {
        FetchToken stored = found.stored();
        if (!scoped) {
            return stored == null ? null : "machines fetch with the shared token";
        }
        if (stored == null) {
            return "machines fetch with a scoped token";
        }
        return stored == current || isUsable(stored) ? null : "the fetch token was invalid";
    }

    /** The scoped token in use after the changes; null if none. */
    Decision.@Nullable FetchTokenInUse tokenInUse() {
        return scoped && current != null
                ? new Decision.FetchTokenInUse(names.fetchAccount(), current.expiration())
                : null;
    }

    /** When a token needs attention after the changes; null for never. */
    @Nullable Instant nextCheck() {
        if (scoped) {
            return current == null ? null : due(current);
        }
        StoredGrant account = found.grants().get(GrantKind.ACCOUNT);
        return account == null || !isMine(account) ? null : end(account);
    }

    // Accounts and roles

    /** Grants under its name that other writers own. */
    List<StoredGrant> foreignGrants() {
        return !scoped
                ? List.of()
                : found.grants().values().stream()
                        .filter(grant -> Ownership.of(marks, grant) == Ownership.FOREIGN)
                        .toList();
    }

    /**
     * Changes while desired content is published.
     *
     * @param first whether nothing was published before
     */
    List<PlannedChange> changes(boolean first) {
        if (!found.canGrant()) {
            return List.of();
        }
        return scoped ? granted(first) : ended();
    }

    /** Changes while nothing new can be published: machines of published content must still be able to fetch. */
    List<PlannedChange> renewalChanges(boolean first) {
        if (!scoped || !found.canGrant()) {
            return List.of();
        }
        List<PlannedChange> changes = granted(first);
        FetchToken stored = found.stored();
        if (stored != null && current != null && stored != current) {
            ChangeReason why = new ChangeReason(
                    ChangeReason.Cause.RENEWAL, "machines fetch with a new token before the old one ends");
            facts.found().secrets().forEach((role, secret) -> {
                if (role != SecretRole.KUBELET_BOOTSTRAP && Ownership.of(marks, secret, role) == Ownership.OWNED) {
                    changes.add(new PlannedChange.ReplaceFetchToken(WriteStage.of(role), why, role, secret, current));
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
            DesiredGrant wanted = DesiredGrant.of(kind, names.fetchAccount(), marks.workerAnnotations(), secrets());
            StoredGrant grant = found.grants().get(kind);
            if (grant == null) {
                changes.add(new PlannedChange.CreateGrant(stage, whyMade(first), wanted));
            } else if (wanted.isReplacementOf(grant)) {
                changes.add(new PlannedChange.ReplaceGrant(stage, whyChanged(grant), grant, wanted));
            } else if (!wanted.fields().equals(grant.fields())
                    || !wanted.annotations().equals(grant.annotations())) {
                changes.add(new PlannedChange.UpdateGrant(stage, whyChanged(grant), grant, wanted));
            }
        }
        if (current == null) {
            ChangeReason why = new ChangeReason(
                    first ? ChangeReason.Cause.FIRST : ChangeReason.Cause.RENEWAL, "machines have no fetch token");
            changes.add(new PlannedChange.RequestFetchToken(
                    WriteStage.BEFORE_BOOTSTRAP, why, names.fetchAccount(), marks.owner()));
        } else if (isDue(current)) {
            ChangeReason why = new ChangeReason(ChangeReason.Cause.RENEWAL, "the fetch token is kept valid");
            changes.add(
                    new PlannedChange.RequestFetchToken(WriteStage.RENEWAL, why, names.fetchAccount(), marks.owner()));
        }
        return changes;
    }

    private ChangeReason whyMade(boolean first) {
        if (first) {
            return new ChangeReason(ChangeReason.Cause.FIRST, "first publication");
        }
        return found.stored() == null
                ? new ChangeReason(ChangeReason.Cause.CONTENT, "machines fetch with a scoped token")
                : new ChangeReason(ChangeReason.Cause.DRIFT, "it was missing");
    }

    private static ChangeReason whyChanged(StoredGrant grant) {
        boolean foreign = grant.lastWriter() != null && !grant.lastWriter().equals("osm-hub");
        return foreign
                ? new ChangeReason(ChangeReason.Cause.DRIFT, grant.lastWriter() + " changed it")
                : new ChangeReason(ChangeReason.Cause.CONTENT, "the secrets that machines fetch changed");
    }

    /** What a machine fetches; for providers that pass no user-data, the user-data too. */
    private List<String> secrets() {
        List<String> secrets = new ArrayList<>();
        if (provider().equals("edge")) {
            secrets.add(names.bootstrapSecret());
        }
        secrets.add(names.kubeletBootstrapSecret());
        secrets.add(names.provisioningSecret());
        return secrets;
    }

    private String provider() {
        try {
            return ProviderConfig.decode(facts.machineDeployment()).lenient().cloudProvider();
        } catch (TenantMistake e) {
            // Rendering reports the error.
            return "";
        }
    }

    /** Deletes unneeded grants once no machine can hold a token of them. */
    private List<PlannedChange> ended() {
        List<PlannedChange> changes = new ArrayList<>();
        StoredGrant account = found.grants().get(GrantKind.ACCOUNT);
        ChangeReason why = new ChangeReason(ChangeReason.Cause.REMOVAL, "machines fetch with the shared token");
        if (account != null && until(account) == null && isMine(account)) {
            SortedMap<String, String> annotations = new TreeMap<>(marks.workerAnnotations());
            annotations.put(UNTIL, end(account).toString());
            changes.add(new PlannedChange.UpdateGrant(
                    WriteStage.TOKEN,
                    why,
                    account,
                    new DesiredGrant(GrantKind.ACCOUNT, account.name(), annotations, account.fields())));
        } else if (account == null || !end(account).isAfter(facts.now())) {
            found.grants().values().stream()
                    .filter(this::isMine)
                    .forEach(grant -> changes.add(new PlannedChange.DeleteGrant(WriteStage.OBSOLETE, why, grant)));
        }
        return changes;
    }

    private boolean isMine(StoredGrant grant) {
        return Ownership.of(marks, grant) != Ownership.FOREIGN;
    }

    /** When the last token of an unneeded account expires. */
    private Instant end(StoredGrant account) {
        Instant until = until(account);
        FetchToken last = found.stored();
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
