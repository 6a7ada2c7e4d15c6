package io.osmhub.core.status;

import io.osmhub.core.bootstrap.FetchToken;
import io.osmhub.core.bootstrap.Stamps;
import io.osmhub.core.plan.Change;
import io.osmhub.core.plan.Decision;
import io.osmhub.core.plan.Decision.Outcome;
import io.osmhub.core.plan.FoundObjects;
import io.osmhub.core.plan.SecretRole;
import io.osmhub.core.plan.StoredSecret;
import io.osmhub.core.plan.StoredToken;
import java.time.Instant;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a node would find that starts after a run: the objects that were found, with what was done to them. */
final class PublishedSet {
    /** Revision on each Secret that is there; empty when it has none. */
    private final Map<SecretRole, String> revisions = new EnumMap<>(SecretRole.class);

    private final Set<SecretRole> written = EnumSet.noneOf(SecretRole.class);
    private final Set<SecretRole> older = EnumSet.noneOf(SecretRole.class);
    private final @Nullable String deletedToken;
    private final @Nullable Instant tokenEnd;
    private final @Nullable Instant fetchEnd;

    PublishedSet(Run run) {
        FoundObjects found = run.facts().found();
        found.secrets().forEach((role, secret) -> revisions.put(role, revision(secret.annotations())));
        for (Change change : run.decision().changes()) {
            if (run.done().contains(change)) {
                made(change, found);
            } else {
                missed(change);
            }
        }
        run.decision().withheld().forEach(this::missed);
        if (!(run.decision().outcome() instanceof Outcome.Wanted)) {
            older.addAll(revisions.keySet());
        }
        this.deletedToken = deletedToken(run);
        this.tokenEnd = deletedToken == null ? tokenEnd(run) : null;
        this.fetchEnd = fetchEnd(run);
    }

    private void made(Change change, FoundObjects found) {
        switch (change) {
            case Change.CreateSecret create ->
                wrote(create.role(), create.object().annotations());
            case Change.UpdateSecret update ->
                wrote(update.role(), update.object().annotations());
            case Change.ReplaceSecret replace ->
                wrote(replace.role(), replace.object().annotations());
            case Change.StampSecret stamp -> {
                if (stamp.annotations().containsKey(Stamps.REVISION)) {
                    revisions.put(stamp.role(), revision(stamp.annotations()));
                }
            }
            case Change.DeleteSecret delete ->
                found.secrets().forEach((role, secret) -> {
                    if (secret.equals(delete.found())) {
                        revisions.remove(role);
                    }
                });
            case Change.OfFinalizer c -> {}
            case Change.CreateToken c -> {}
            case Change.ExtendToken c -> {}
            case Change.DeleteToken c -> {}
            case Change.SwapToken c -> {}
            case Change.CreateGrant c -> {}
            case Change.UpdateGrant c -> {}
            case Change.ReplaceGrant c -> {}
            case Change.DeleteGrant c -> {}
            case Change.RequestToken c -> {}
            case Change.CreateConfig c -> {}
            case Change.ReplaceConfig c -> {}
            case Change.DeleteConfig c -> {}
        }
    }

    private void missed(Change change) {
        if (change instanceof Change.UpdateSecret update) {
            older.add(update.role());
        } else if (change instanceof Change.ReplaceSecret replace) {
            older.add(replace.role());
        }
    }

    private void wrote(SecretRole role, Map<String, String> annotations) {
        revisions.put(role, revision(annotations));
        written.add(role);
    }

    private static String revision(Map<String, String> annotations) {
        return annotations.getOrDefault(Stamps.REVISION, "");
    }

    /** Which token is in the published secrets is not known; until all are as wanted, it may be the one before. */
    private @Nullable String deletedToken(Run run) {
        boolean replaced = run.decision().outcome() instanceof Outcome.Wanted && run.complete();
        return replaced || ConfigConditions.byServiceAccount(run) || !has(SecretRole.BOOTSTRAP)
                ? null
                : run.facts().found().deletedToken();
    }

    private static @Nullable Instant tokenEnd(Run run) {
        Decision.Token token = run.decision().token();
        if (token == null) {
            return null;
        }
        for (Change change : run.done()) {
            boolean itsEnd = change instanceof Change.ExtendToken extension
                            && extension.found().name().equals(token.name())
                    || change instanceof Change.CreateToken creation
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

    /** Of the token in the bootstrap secret as it is now: the one in use, or the one before when that was not written. */
    private static @Nullable Instant fetchEnd(Run run) {
        Decision.Fetch used = run.decision().fetch();
        FetchToken stored = run.facts().fetch().stored();
        if (stored == null) {
            return used == null || !run.complete() ? null : used.expiration();
        }
        boolean written = run.done().stream()
                .anyMatch(change -> change instanceof Change.UpdateSecret update
                                && update.role() == SecretRole.BOOTSTRAP
                        || change instanceof Change.CreateSecret create && create.role() == SecretRole.BOOTSTRAP
                        || change instanceof Change.ReplaceSecret replace && replace.role() == SecretRole.BOOTSTRAP
                        || change instanceof Change.SwapToken swap && swap.role() == SecretRole.BOOTSTRAP);
        if (written) {
            return used == null ? null : used.expiration();
        }
        return stored.expiration();
    }

    /** End of the token of its own with which machines fetch; null while they fetch with the shared one. */
    @Nullable Instant fetchEnd() {
        return fetchEnd;
    }

    boolean has(SecretRole role) {
        return revisions.containsKey(role);
    }

    /** Whether one is there that is not the wanted one. */
    boolean isOlder(SecretRole role) {
        return older.contains(role);
    }

    boolean wasWritten(SecretRole role) {
        return written.contains(role);
    }

    /** Null when the Secret is not there. */
    @Nullable String revision(SecretRole role) {
        return revisions.get(role);
    }

    /** Name of the Secret with the token that published secrets hold, when it was deleted; null when it was not. */
    @Nullable String deletedToken() {
        return deletedToken;
    }

    /** End of the token in use; null when there is none, or it was deleted. */
    @Nullable Instant tokenEnd() {
        return tokenEnd;
    }

    static int bytes(@Nullable StoredSecret secret) {
        return secret == null ? 0 : secret.bytes();
    }
}
