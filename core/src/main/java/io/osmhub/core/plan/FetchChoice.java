package io.osmhub.core.plan;

import io.osmhub.core.bootstrap.FetchToken;
import io.osmhub.core.bootstrap.ObjectNames;
import io.osmhub.core.machine.ProviderConfig;
import io.osmhub.core.model.Sensitive;
import io.osmhub.core.osp.NodeFetch;
import io.osmhub.core.osp.OperatingSystemProfile;
import io.osmhub.core.problem.Finding;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.render.RenderInput;
import io.osmhub.core.settings.TenantSettings;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * With which token a MachineDeployment's machines fetch what they start from, and what is done to keep it valid.
 *
 * <p>A token of its own cannot be made longer: it is replaced in what is published by a new one, long before it ends. Which one is
 * published stands beside the user-data, so a hub that starts finds everything as it was and writes nothing. A new one has to be asked
 * for, which is a change like others; what it is embedded in is decided on when it is there, in the same run. While the old one is good,
 * nothing waits for that.
 */
final class FetchChoice {
    /** As for bootstrap tokens: ten minutes for tries, 40 min without a hub, and 20 min for a machine that begins then. */
    static final Duration RENEW_BEFORE = TokenChoice.RENEW_BEFORE;

    /** So much earlier at most, so that thousands that began together do not go on together. */
    static final Duration SPREAD = Duration.ofMinutes(30);

    /** On an account that is needed no more: when the last token of it ends. A machine that boots may hold one. */
    static final String UNTIL = "osmhub.io/fetch-until";

    private final Facts facts;
    private final FetchFacts found;
    private final Marks marks;
    private final ObjectNames names;
    private final @Nullable Finding refusal;
    private final boolean scoped;

    /** The one of those that are there that lasts longest; null when none can be used. */
    private final @Nullable FetchToken current;

    FetchChoice(Facts facts, Marks marks, ObjectNames names) {
        this.facts = facts;
        this.found = facts.fetch();
        this.marks = marks;
        this.names = names;
        this.refusal = refusal();
        // What is published goes on as it is while nothing new can be.
        this.scoped = refusal == null ? wantsScoped() : found.mayGrant() && found.stored() != null;
        this.current = current();
    }

    private TenantSettings.NodeFetch asked() {
        return facts.tenant().settings().bootstrap().nodeFetch();
    }

    /** Null while there is none. */
    private OperatingSystemProfile.@Nullable Spec profile() {
        return facts.profile() instanceof Lookup.Found<RenderInput.Profile>(RenderInput.Profile profile)
                ? profile.compiled().spec()
                : null;
    }

    private boolean wantsScoped() {
        OperatingSystemProfile.Spec profile = profile();
        if (profile == null) {
            return found.mayGrant() && found.stored() != null;
        }
        return switch (asked()) {
            case SHARED_TOKEN -> false;
            case SCOPED_TOKEN -> true;
            case AUTO -> found.mayGrant() && profile.supports(NodeFetch.SCOPED_TOKEN);
        };
    }

    /** Why neither will do; null when one does. */
    private @Nullable Finding refusal() {
        OperatingSystemProfile.Spec profile = profile();
        if (profile == null) {
            return null;
        }
        boolean takesScoped = profile.supports(NodeFetch.SCOPED_TOKEN);
        boolean takesShared = profile.supports(NodeFetch.SHARED_TOKEN);
        String name = marks.owner() + " uses a profile";
        return switch (asked()) {
            case SCOPED_TOKEN ->
                !takesScoped
                        ? refused(
                                "ScopedToken: " + name + " without ScopedToken in spec.supportedNodeFetch",
                                "set Auto, or take a profile that supports it")
                        : found.mayGrant()
                                ? null
                                : refused("ScopedToken: " + noRight(), cureByRight() + ", or set Auto");
            case AUTO ->
                takesShared || found.mayGrant()
                        ? null
                        : refused("Auto: " + name + " that supports ScopedToken only, and " + noRight(), cureByRight());
            case SHARED_TOKEN ->
                takesShared
                        ? null
                        : refused(
                                "SharedToken: " + name + " that supports ScopedToken only",
                                found.mayGrant() ? "set Auto" : "set Auto and " + cureByRight());
        };
    }

    private static String noRight() {
        return "the worker cluster does not grant the hub accounts and roles in cloud-init-settings";
    }

    private String cureByRight() {
        return "grant it: hub cluster rbac " + facts.tenant().workerCluster() + " -n "
                + facts.tenant().namespace() + " --scoped-fetch";
    }

    private static Finding refused(String what, String cure) {
        return new Finding("ScopedTokenNotGranted", "", "provisioning.bootstrap.nodeFetch", what, cure);
    }

    /** What keeps machines from having any token; empty when nothing does. */
    List<Finding> findings() {
        if (refusal != null) {
            return List.of(refusal);
        }
        return scoped ? List.of() : found.shared().findings();
    }

    private @Nullable FetchToken current() {
        FetchToken best = null;
        for (FetchToken token : new FetchToken[] {found.stored(), found.fresh()}) {
            if (token != null
                    && isUsable(token)
                    && (best == null || token.expiration().isAfter(best.expiration()))) {
                best = token;
            }
        }
        return best;
    }

    /** Tokens of an account that was deleted are void, also when there is one of the same name again. */
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

    /** A life too short for the usual time is renewed after a fifth of it. */
    private Instant due(FetchToken token) {
        Duration usual = RENEW_BEFORE.plusSeconds(Math.floorMod(marks.uid().hashCode(), SPREAD.toSeconds() + 1));
        Duration most = token.life().multipliedBy(4).dividedBy(5);
        return token.expiration().minus(usual.compareTo(most) < 0 ? usual : most);
    }

    /** Whether machines get a token of their own. */
    boolean isScoped() {
        return scoped;
    }

    /** The text to embed; null when it has to be asked for first. */
    @Nullable Sensitive text() {
        if (scoped) {
            return current == null ? null : current.text();
        }
        return found.shared() instanceof Lookup.Found<Sensitive>(Sensitive token) ? token : null;
    }

    /** A token of its own is replaced by the next, and nothing else has changed since that was asked for. */
    boolean isRenewal() {
        FetchToken stored = found.stored();
        return scoped && stored != null && stored != current && isUsable(stored);
    }

    /** Why machines have another token than before, for people; null when they have the same. */
    @Nullable String because() {
        FetchToken stored = found.stored();
        if (!scoped) {
            return stored == null ? null : "machines fetch with the shared token";
        }
        if (stored == null) {
            return "machines fetch with a token of their own";
        }
        return stored == current || isUsable(stored) ? null : "the token with which machines fetch was void";
    }

    /** The one in use once the changes are made; null without one of its own. */
    Decision.@Nullable Fetch inUse() {
        return scoped && current != null ? new Decision.Fetch(names.fetchAccount(), current.expiration()) : null;
    }

    /** When a token wants attention, once the changes are made; null for never. */
    @Nullable Instant again() {
        if (scoped) {
            return current == null ? null : due(current);
        }
        StoredGrant account = found.grants().get(GrantKind.ACCOUNT);
        return account == null || !isMine(account) ? null : end(account);
    }

    // Accounts and roles

    /** Those under its name that are somebody else's. */
    List<StoredGrant> strangers() {
        return !scoped
                ? List.of()
                : found.grants().values().stream()
                        .filter(grant -> Holder.of(marks, grant) == Holder.STRANGERS)
                        .toList();
    }

    /**
     * What to do while what is wanted is published.
     *
     * @param first whether nothing was published before
     */
    List<Change> changes(boolean first) {
        if (!found.mayGrant()) {
            return List.of();
        }
        return scoped ? granted(first) : ended();
    }

    /** What to do while nothing new can be published: what was goes on to let its machines fetch. */
    List<Change> kept(boolean first) {
        if (!scoped || !found.mayGrant()) {
            return List.of();
        }
        List<Change> changes = granted(first);
        FetchToken stored = found.stored();
        if (stored != null && current != null && stored != current) {
            Why why = new Why(Why.Cause.RENEWAL, "machines fetch with a new token before the old one ends");
            facts.found().secrets().forEach((role, secret) -> {
                if (role != SecretRole.KUBELET_BOOTSTRAP && Holder.of(marks, secret, role) == Holder.OURS) {
                    changes.add(new Change.SwapToken(Stage.of(role), why, role, secret, current));
                }
            });
        }
        return changes;
    }

    private List<Change> granted(boolean first) {
        List<Change> changes = new ArrayList<>();
        for (GrantKind kind : GrantKind.values()) {
            // A binding can be made only once its role is there.
            int stage = kind == GrantKind.BINDING ? Stage.BEFORE_BOOTSTRAP : Stage.TOKEN;
            GrantObject wanted = GrantObject.of(kind, names.fetchAccount(), marks.inWorker(), secrets());
            StoredGrant grant = found.grants().get(kind);
            if (grant == null) {
                changes.add(new Change.CreateGrant(stage, whyMade(first), wanted));
            } else if (wanted.isReplacementOf(grant)) {
                changes.add(new Change.ReplaceGrant(stage, whyChanged(grant), grant, wanted));
            } else if (!wanted.fields().equals(grant.fields())
                    || !wanted.annotations().equals(grant.annotations())) {
                changes.add(new Change.UpdateGrant(stage, whyChanged(grant), grant, wanted));
            }
        }
        if (current == null) {
            Why why = new Why(first ? Why.Cause.FIRST : Why.Cause.RENEWAL, "machines have no token to fetch with");
            changes.add(new Change.RequestToken(Stage.BEFORE_BOOTSTRAP, why, names.fetchAccount(), marks.owner()));
        } else if (isDue(current)) {
            Why why = new Why(Why.Cause.RENEWAL, "the token with which machines fetch is kept valid");
            changes.add(new Change.RequestToken(Stage.RENEWAL, why, names.fetchAccount(), marks.owner()));
        }
        return changes;
    }

    private Why whyMade(boolean first) {
        if (first) {
            return new Why(Why.Cause.FIRST, "it is published");
        }
        return found.stored() == null
                ? new Why(Why.Cause.CONTENT, "machines fetch with a token of their own")
                : new Why(Why.Cause.DRIFT, "it was missing");
    }

    private static Why whyChanged(StoredGrant grant) {
        boolean foreign = grant.lastWriter() != null && !grant.lastWriter().equals("osm-hub");
        return foreign
                ? new Why(Why.Cause.DRIFT, grant.lastWriter() + " changed it")
                : new Why(Why.Cause.CONTENT, "what machines fetch with it is another now");
    }

    /** What a machine fetches: for most providers by its user-data, where nobody hands that over also the user-data. */
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
            // Its rendering says what is wrong with it.
            return "";
        }
    }

    /** What is needed no more goes once no machine can hold a token of it. */
    private List<Change> ended() {
        List<Change> changes = new ArrayList<>();
        StoredGrant account = found.grants().get(GrantKind.ACCOUNT);
        Why why = new Why(Why.Cause.REMOVAL, "machines fetch with the shared token");
        if (account != null && until(account) == null && isMine(account)) {
            SortedMap<String, String> annotations = new TreeMap<>(marks.inWorker());
            annotations.put(UNTIL, end(account).toString());
            changes.add(new Change.UpdateGrant(
                    Stage.TOKEN,
                    why,
                    account,
                    new GrantObject(GrantKind.ACCOUNT, account.name(), annotations, account.fields())));
        } else if (account == null || !end(account).isAfter(facts.now())) {
            found.grants().values().stream()
                    .filter(this::isMine)
                    .forEach(grant -> changes.add(new Change.DeleteGrant(Stage.NEEDED_NO_MORE, why, grant)));
        }
        return changes;
    }

    private boolean isMine(StoredGrant grant) {
        return Holder.of(marks, grant) != Holder.STRANGERS;
    }

    /** When the last token of an account that is needed no more ends. */
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
