package io.osmhub.core.plan;

import io.osmhub.core.bootstrap.BootstrapToken;
import io.osmhub.core.bootstrap.ObjectNames;
import io.osmhub.core.model.Sensitive;
import io.osmhub.core.plan.Decider.WriteStage;
import io.osmhub.core.plan.OwnershipAnnotations.Ownership;
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

    private final OwnershipAnnotations marks;
    private final ObjectNames names;
    private final Instant now;
    private final Duration life;
    private final boolean tokensWanted;
    /** Newest first. */
    private final List<StoredToken> own;

    /** Name of the token that was published last and is missing now; null if none. */
    private final @Nullable String deleted;

    /** Null if no token found is usable. */
    private final @Nullable StoredToken current;

    /** Null unless a new token is needed and was requested. */
    private final @Nullable BootstrapToken made;

    BootstrapTokenPlanner(Facts facts, OwnershipAnnotations marks, ObjectNames names) {
        this(
                marks,
                names,
                facts.found().tokens(),
                facts.tenant().settings().bootstrap().tokenTtl(),
                facts.tenant().settings().bootstrap().serviceAccount() == null,
                facts.now(),
                facts.found().deletedToken());
    }

    /**
     * @param tokensWanted false when nodes join with a ServiceAccount token
     * @param deleted name of the Secret with the token that was published last and is missing now; null if none
     */
    BootstrapTokenPlanner(
            OwnershipAnnotations marks,
            ObjectNames names,
            List<StoredToken> found,
            Duration life,
            boolean tokensWanted,
            Instant now,
            @Nullable String deleted) {
        this.marks = marks;
        this.names = names;
        this.now = now;
        this.life = life;
        this.tokensWanted = tokensWanted;
        this.own = found.stream()
                .filter(token -> Ownership.of(marks, token) != Ownership.FOREIGN)
                .sorted(NEWEST_FIRST)
                .toList();
        this.deleted = deleted;
        this.current = current();
        this.made = null;
    }

    private BootstrapTokenPlanner(BootstrapTokenPlanner without, BootstrapToken made) {
        this.marks = without.marks;
        this.names = without.names;
        this.now = without.now;
        this.life = without.life;
        this.tokensWanted = without.tokensWanted;
        this.own = without.own;
        this.deleted = without.deleted;
        this.current = without.current;
        this.made = made;
    }

    /** A copy with a new token, if one is needed. */
    BootstrapTokenPlanner withNewToken(RandomGenerator random) {
        return tokensWanted && whyNewNeeded() != null
                ? new BootstrapTokenPlanner(this, BootstrapToken.generate(random, now, life))
                : this;
    }

    /** The newest valid token, else the newest that an extension makes valid. */
    private @Nullable StoredToken current() {
        if (!tokensWanted) {
            return null;
        }
        StoredToken ended = null;
        for (StoredToken token : own) {
            if (works(token) && Ownership.of(marks, token) != Ownership.PREVIOUS) {
                if (!ended(token)) {
                    return token;
                }
                ended = ended == null ? token : ended;
            }
        }
        return ended;
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
        if (current == null && deleted != null) {
            return deleted + " was deleted";
        }
        if (current == null) {
            return own.isEmpty() ? "there was none" : "no existing token could be used";
        }
        return current.creationTimestamp().plus(REPLACED_AFTER).isBefore(now)
                        && (Ownership.of(marks, current) != Ownership.OSM || isShort(current))
                ? "the last one was older than a week"
                : null;
    }

    /** The text to embed; null without a usable token. */
    @Nullable Sensitive text() {
        if (made != null) {
            return made.text();
        }
        return current == null ? null : current.text();
    }

    /** Whether published objects cannot hold this token yet. */
    boolean isNew() {
        return made != null;
    }

    /** The token in use after the changes; null if none. */
    Decision.@Nullable TokenInUse tokenInUse(List<PlannedChange> changes) {
        if (made != null) {
            return new Decision.TokenInUse(made.secretName(), made.expiration());
        }
        if (current == null) {
            return null;
        }
        for (PlannedChange change : changes) {
            if (change instanceof PlannedChange.ExtendToken extension && extension.found() == current) {
                return new Decision.TokenInUse(current.name(), extension.expiration());
            }
        }
        return new Decision.TokenInUse(current.name(), end(current));
    }

    /**
     * Returns the changes of tokens.
     *
     * @param first whether nothing was published before
     * @param othersNeeded whether published objects may embed another token than the chosen one
     */
    List<PlannedChange> changes(boolean first, boolean othersNeeded) {
        List<PlannedChange> changes = new ArrayList<>();
        if (made != null) {
            String because = "a new bootstrap token is needed: " + whyNewNeeded();
            changes.add(new PlannedChange.CreateToken(
                    WriteStage.TOKEN,
                    new ChangeReason(first ? ChangeReason.Cause.FIRST : ChangeReason.Cause.NEW_TOKEN, because),
                    made,
                    object(made)));
        }
        for (StoredToken token : own) {
            if (needed(token, othersNeeded) ? isShort(token) : isLong(token)) {
                changes.add(newEnd(token));
            } else if (ended(token)) {
                changes.add(new PlannedChange.DeleteToken(
                        WriteStage.OBSOLETE,
                        new ChangeReason(ChangeReason.Cause.REMOVAL, "the bootstrap token has expired"),
                        token));
            }
        }
        return changes;
    }

    private boolean needed(StoredToken token, boolean othersNeeded) {
        boolean chosen = tokensWanted && token == current && made == null;
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
                Ownership.of(marks, token) == Ownership.PREVIOUS ? new TreeMap<>() : marks.workerAnnotations();
        return new PlannedChange.ExtendToken(
                WriteStage.TOKEN,
                new ChangeReason(ChangeReason.Cause.RENEWAL, because),
                token,
                now.plus(life),
                annotations);
    }

    private DesiredSecret object(BootstrapToken token) {
        SortedMap<String, Sensitive> data = new TreeMap<>();
        token.secretData(names).forEach((key, value) -> data.put(key, new Sensitive(value)));
        SortedMap<String, String> labels = new TreeMap<>(OwnershipAnnotations.LABELS);
        labels.put(BootstrapToken.LABEL, names.key());
        return new DesiredSecret(
                ObjectNames.TOKEN_NAMESPACE,
                token.secretName(),
                BootstrapToken.SECRET_TYPE,
                marks.workerAnnotations(),
                labels,
                data);
    }

    /** When a token needs attention after the changes; null for never. */
    @Nullable Instant nextCheck(boolean othersNeeded) {
        Instant next = made == null ? null : made.expiration().minus(renewBefore());
        for (StoredToken token : own) {
            boolean needed = needed(token, othersNeeded);
            boolean moved = needed ? isShort(token) : isLong(token);
            Instant end = moved ? now.plus(life) : end(token);
            Instant moment = needed ? end.minus(moved ? renewBefore() : renewBefore(token)) : end;
            if (moment.isAfter(now) && (next == null || moment.isBefore(next))) {
                next = moment;
            }
        }
        return next;
    }

    private Duration renewBefore(StoredToken token) {
        return Ownership.of(marks, token) == Ownership.OSM ? RENEW_PEERS_BEFORE : renewBefore();
    }

    /** A lifetime too short for {@link #RENEW_BEFORE} is extended after a fifth of it. */
    private Duration renewBefore() {
        Duration most = life.multipliedBy(4).dividedBy(5);
        return RENEW_BEFORE.compareTo(most) < 0 ? RENEW_BEFORE : most;
    }
}
