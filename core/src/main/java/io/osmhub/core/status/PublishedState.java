package io.osmhub.core.status;

import io.osmhub.core.bootstrap.FetchToken;
import io.osmhub.core.bootstrap.SourceAnnotations;
import io.osmhub.core.plan.Decision;
import io.osmhub.core.plan.Decision.Outcome;
import io.osmhub.core.plan.FoundObjects;
import io.osmhub.core.plan.PlannedChange;
import io.osmhub.core.plan.SecretRole;
import io.osmhub.core.plan.StoredSecret;
import io.osmhub.core.plan.StoredToken;
import java.time.Instant;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a starting node finds after a run: the found objects with the changes applied. */
final class PublishedState {
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
                .anyMatch(change -> change instanceof PlannedChange.UpdateSecret update
                                && update.role() == SecretRole.BOOTSTRAP
                        || change instanceof PlannedChange.CreateSecret create && create.role() == SecretRole.BOOTSTRAP
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

    static int bytes(@Nullable StoredSecret secret) {
        return secret == null ? 0 : secret.bytes();
    }
}
