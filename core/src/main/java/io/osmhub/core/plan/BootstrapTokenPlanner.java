package io.osmhub.core.plan;

import io.osmhub.core.bootstrap.BootstrapToken;
import io.osmhub.core.bootstrap.ObjectNames;
import io.osmhub.core.model.Sensitive;
import io.osmhub.core.plan.ChangeReason.Cause;
import io.osmhub.core.plan.Decider.WriteStage;
import io.osmhub.core.plan.DesiredObject.DesiredSecret;
import io.osmhub.core.plan.OwnershipAnnotations.Ownership;
import io.osmhub.core.settings.TenantSettings.Bootstrap;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the bootstrap token of a MachineDeployment and keeps it valid.
 *
 * <p>The newest usable token of the MachineDeployment is kept and extended, so that its text, and every secret that embeds it,
 * stays the same. A token that is missing, unreadable or older than a week is replaced. Older tokens stay until they expire,
 * because a booting machine may hold one; they are extended while published objects may still embed them.
 */
final class BootstrapTokenPlanner {
    /** Extended this long before expiration: with ten minutes for retries, a hub may be down for 40 min of the remaining hour. */
    static final Duration RENEW_BEFORE = Duration.ofMinutes(70);

    /** Tokens of OSM are not extended earlier, so that adoption writes nothing and booting machines can still join. */
    static final Duration RENEW_PEERS_BEFORE = Duration.ofMinutes(20);

    /** Replicas whose clocks differ by this much must not undo each other's writes. */
    private static final Duration CLOCK_SKEW = Duration.ofMinutes(5);

    private static final Duration REPLACED_AFTER = Duration.ofDays(7);

    private static final Comparator<StoredToken> NEWEST_FIRST = Comparator.comparing(StoredToken::creationTimestamp)
            .thenComparing(StoredToken::name)
            .reversed();

    private final OwnershipAnnotations ownership;
    private final ObjectNames names;
    private final Instant now;
    private final Duration life;
    /** False when nodes join with a ServiceAccount token. */
    private final boolean tokensWanted;
    /** Newest first. */
    private final List<StoredToken> own;

    /** Name of the token that was published last and is missing now; null if none. */
    private final @Nullable String deleted;

    /** Null if no token found is usable. */
    private final @Nullable StoredToken currentToken;

    /** Null unless a new token is needed and was requested. */
    private final @Nullable BootstrapToken createdToken;

    /**
     * @param subject the MachineDeployment of the facts, or one that claims the same names
     * @param random creates a token if one is needed; null if none may be created
     */
    BootstrapTokenPlanner(Facts facts, Facts.NameClaimant subject, @Nullable RandomGenerator random) {
        Bootstrap settings = facts.tenant().settings().bootstrap();
        this.ownership = OwnershipAnnotations.of(subject.machineDeployment(), facts.tenant());
        this.names = ObjectNames.of(subject.machineDeployment());
        this.now = facts.now();
        this.life = settings.tokenTtl();
        this.tokensWanted = settings.serviceAccount() == null;
        this.own = subject.tokens().stream()
                .filter(token -> Ownership.of(ownership, token) != Ownership.FOREIGN)
                .sorted(NEWEST_FIRST)
                .toList();
        this.deleted = facts.found().deletedToken();
        this.currentToken = current();
        this.createdToken = random != null && needsNew() ? BootstrapToken.generate(random, now, life) : null;
    }

    /** The newest valid token, else the newest that an extension makes valid. */
    private @Nullable StoredToken current() {
        List<StoredToken> usable = own.stream()
                .filter(token -> tokensWanted && works(token) && Ownership.of(ownership, token) != Ownership.PREVIOUS)
                .toList();
        return usable.stream()
                .filter(token -> !ended(token))
                .findFirst()
                .orElse(usable.isEmpty() ? null : usable.getFirst());
    }

    private static boolean works(StoredToken token) {
        return token.expiration() != null
                && token.canJoin()
                && !token.id().isEmpty()
                && !token.secret().reveal().isEmpty()
                && token.name().equals(BootstrapToken.SECRET_NAME_PREFIX + token.id());
    }

    /** A token without a readable expiration counts as one of the longest lifetime. */
    private Instant end(StoredToken token) {
        Instant expiration = token.expiration();
        return expiration != null ? expiration : token.creationTimestamp().plus(life);
    }

    private boolean ended(StoredToken token) {
        return !end(token).isAfter(now);
    }

    /** Why the current token cannot be used; null if it can. */
    private @Nullable String whyNewNeeded() {
        if (currentToken == null && deleted != null) {
            return deleted + " was deleted";
        }
        if (currentToken == null) {
            return own.isEmpty() ? "there was no bootstrap token" : "no existing bootstrap token could be used";
        }
        return currentToken.creationTimestamp().plus(REPLACED_AFTER).isBefore(now)
                        && (Ownership.of(ownership, currentToken) != Ownership.OSM || isShort(currentToken))
                ? "the last bootstrap token was older than a week"
                : null;
    }

    /** Whether none found can be used, or not much longer. */
    boolean needsNew() {
        return tokensWanted && whyNewNeeded() != null;
    }

    /** The text to embed; null without a usable token. */
    @Nullable Sensitive text() {
        if (createdToken != null) {
            return createdToken.text();
        }
        return currentToken == null ? null : currentToken.text();
    }

    /** Whether published objects cannot hold this token yet. */
    boolean isNew() {
        return createdToken != null;
    }

    /** The token in use after the changes; null if none. */
    Decision.@Nullable TokenInUse tokenInUse(List<PlannedChange> changes) {
        if (createdToken != null) {
            return new Decision.TokenInUse(createdToken.secretName(), createdToken.expiration());
        }
        if (currentToken == null) {
            return null;
        }
        for (PlannedChange change : changes) {
            if (change instanceof PlannedChange.ExtendToken extension && extension.found() == currentToken) {
                return new Decision.TokenInUse(currentToken.name(), extension.expiration());
            }
        }
        return new Decision.TokenInUse(currentToken.name(), end(currentToken));
    }

    /**
     * Returns the changes of tokens.
     *
     * @param first whether nothing was published before
     * @param othersNeeded whether published objects may embed another token than the chosen one
     */
    List<PlannedChange> changes(boolean first, boolean othersNeeded) {
        List<PlannedChange> changes = new ArrayList<>();
        if (createdToken != null) {
            String because = String.valueOf(whyNewNeeded());
            changes.add(new PlannedChange.Create(
                    WriteStage.TOKEN, (first ? Cause.FIRST : Cause.NEW_TOKEN).because(because), object(createdToken)));
        }
        for (StoredToken token : own) {
            if (needed(token, othersNeeded) ? isShort(token) : isLong(token)) {
                changes.add(newEnd(token));
            } else if (ended(token)) {
                changes.add(new PlannedChange.Delete(
                        WriteStage.OBSOLETE, Cause.REMOVAL.because("the bootstrap token has expired"), token));
            }
        }
        return changes;
    }

    private boolean needed(StoredToken token, boolean othersNeeded) {
        boolean chosen = tokensWanted && token == currentToken && createdToken == null;
        return works(token) && (chosen || othersNeeded && !ended(token));
    }

    private boolean isShort(StoredToken token) {
        return !end(token).isAfter(now.plus(renewBefore(token))) || isLong(token);
    }

    /** Valid longer than the settings allow: the settings or the token were edited. */
    private boolean isLong(StoredToken token) {
        return works(token) && end(token).isAfter(now.plus(life).plus(CLOCK_SKEW));
    }

    private PlannedChange newEnd(StoredToken token) {
        String because = isLong(token)
                ? "the bootstrap token's lifetime exceeds the settings"
                : "the bootstrap token is kept valid";
        // A token adopted from OSM keeps its origin, so that the next run does not take it for the newest own one.
        SortedMap<String, String> annotations =
                Ownership.of(ownership, token) == Ownership.PREVIOUS ? new TreeMap<>() : ownership.workerAnnotations();
        return new PlannedChange.ExtendToken(
                WriteStage.TOKEN, Cause.RENEWAL.because(because), token, now.plus(life), annotations);
    }

    private DesiredSecret object(BootstrapToken token) {
        SortedMap<String, String> labels = new TreeMap<>(OwnershipAnnotations.LABELS);
        labels.put(BootstrapToken.LABEL, names.key());
        return new DesiredSecret(
                null, token.secretName(), ownership.workerAnnotations(), labels, token.secretData(names));
    }

    /** When a token needs attention after the changes; null for never. */
    @Nullable Instant nextCheck(boolean othersNeeded) {
        Instant next = createdToken == null ? null : createdToken.expiration().minus(renewBefore(RENEW_BEFORE, life));
        for (StoredToken token : own) {
            boolean needed = needed(token, othersNeeded);
            boolean moved = needed ? isShort(token) : isLong(token);
            Instant end = moved ? now.plus(life) : end(token);
            Instant moment = needed ? end.minus(moved ? renewBefore(RENEW_BEFORE, life) : renewBefore(token)) : end;
            if (moment.isAfter(now) && (next == null || moment.isBefore(next))) {
                next = moment;
            }
        }
        return next;
    }

    private Duration renewBefore(StoredToken token) {
        return Ownership.of(ownership, token) == Ownership.OSM ? RENEW_PEERS_BEFORE : renewBefore(RENEW_BEFORE, life);
    }

    /** A lifetime too short for the usual time is renewed after a fifth of it. */
    static Duration renewBefore(Duration usual, Duration life) {
        Duration most = life.multipliedBy(4).dividedBy(5);
        return usual.compareTo(most) < 0 ? usual : most;
    }
}
