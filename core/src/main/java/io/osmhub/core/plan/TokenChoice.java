package io.osmhub.core.plan;

import io.osmhub.core.bootstrap.BootstrapToken;
import io.osmhub.core.bootstrap.ObjectNames;
import io.osmhub.core.model.Sensitive;
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
 * Which bootstrap token a MachineDeployment's nodes join with, and what is done to keep it valid.
 *
 * <p>The newest of its own that works is kept and extended, so that its text, and with it every secret that embeds it, stays. One
 * that is missing, unreadable or older than a week is replaced by a new one. Older ones stay until they end, because a machine
 * that boots may hold one; and as long as something published may still embed them, they are extended as well.
 */
final class TokenChoice {
    /** Extended this long before the end: with ten minutes for tries, an hour is always left, a hub may be away for 40 min of it. */
    static final Duration RENEW_BEFORE = Duration.ofMinutes(70);

    /** A token of the peer is left as it is until then, so that a takeover writes nothing and machines that boot can still join. */
    static final Duration RENEW_PEERS_BEFORE = Duration.ofMinutes(20);

    /** Replicas whose clocks differ by this much must not undo each other's work. */
    private static final Duration CLOCK_SKEW = Duration.ofMinutes(5);

    private static final Duration REPLACED_AFTER = Duration.ofDays(7);

    private static final Comparator<StoredToken> NEWEST_FIRST = Comparator.comparing(StoredToken::creationTimestamp)
            .thenComparing(StoredToken::name)
            .reversed();

    private final Marks marks;
    private final ObjectNames names;
    private final Instant now;
    private final Duration life;
    private final boolean tokensWanted;
    /** Newest first. */
    private final List<StoredToken> own;

    /** Name of the one that was published last and is missing now; null without. */
    private final @Nullable String deleted;

    /** Null when none of those found is of use. */
    private final @Nullable StoredToken current;

    /** Null unless a new one is needed and was asked for. */
    private final @Nullable BootstrapToken made;

    TokenChoice(Facts facts, Marks marks, ObjectNames names) {
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
     * @param tokensWanted false when nodes join with the token of a ServiceAccount
     * @param deleted name of the Secret with the token that was published last and is missing now; null without
     */
    TokenChoice(
            Marks marks,
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
                .filter(token -> Holder.of(marks, token) != Holder.STRANGERS)
                .sorted(NEWEST_FIRST)
                .toList();
        this.deleted = deleted;
        this.current = current();
        this.made = null;
    }

    private TokenChoice(TokenChoice without, BootstrapToken made) {
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

    /** The same with a new token, if one is needed. */
    TokenChoice renewed(RandomGenerator random) {
        return tokensWanted && inNeedOfNew() != null
                ? new TokenChoice(this, BootstrapToken.generate(random, now, life))
                : this;
    }

    /** The newest that is valid, else the newest that an extension makes valid. */
    private @Nullable StoredToken current() {
        if (!tokensWanted) {
            return null;
        }
        StoredToken ended = null;
        for (StoredToken token : own) {
            if (works(token) && Holder.of(marks, token) != Holder.PREDECESSORS) {
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
                && token.admits()
                && !token.id().isEmpty()
                && !token.secret().reveal().isEmpty()
                && token.name().equals(BootstrapToken.SECRET_NAME_PREFIX + token.id());
    }

    /** One without an end that can be read is taken for one of the longest life. */
    private Instant end(StoredToken token) {
        Instant expiration = token.expiration();
        return expiration != null ? expiration : token.creationTimestamp().plus(life);
    }

    private boolean ended(StoredToken token) {
        return !end(token).isAfter(now);
    }

    /** Why the current one will not do; null when it does. */
    private @Nullable String inNeedOfNew() {
        if (current == null && deleted != null) {
            return deleted + " was deleted";
        }
        if (current == null) {
            return own.isEmpty() ? "there was none" : "none of those found could be used";
        }
        return current.creationTimestamp().plus(REPLACED_AFTER).isBefore(now)
                        && (Holder.of(marks, current) != Holder.PEERS || isShort(current))
                ? "the last one was older than a week"
                : null;
    }

    /** The text to embed; null without a token of use. */
    @Nullable Sensitive text() {
        if (made != null) {
            return made.text();
        }
        return current == null ? null : current.text();
    }

    /** Whether the token is another one than what was published can hold. */
    boolean isNew() {
        return made != null;
    }

    /** The one in use once the changes are made; null without. */
    Decision.@Nullable Token inUse(List<Change> changes) {
        if (made != null) {
            return new Decision.Token(made.secretName(), made.expiration());
        }
        if (current == null) {
            return null;
        }
        for (Change change : changes) {
            if (change instanceof Change.ExtendToken extension && extension.found() == current) {
                return new Decision.Token(current.name(), extension.expiration());
            }
        }
        return new Decision.Token(current.name(), end(current));
    }

    /**
     * What to do to tokens.
     *
     * @param first whether nothing was published before
     * @param othersNeeded whether something published may embed another token than the one that was chosen
     */
    List<Change> changes(boolean first, boolean othersNeeded) {
        List<Change> changes = new ArrayList<>();
        if (made != null) {
            String because = "a new bootstrap token is needed: " + inNeedOfNew();
            changes.add(new Change.CreateToken(
                    Stage.TOKEN, new Why(first ? Why.Cause.FIRST : Why.Cause.NEW_TOKEN, because), made, object(made)));
        }
        for (StoredToken token : own) {
            if (needed(token, othersNeeded) ? isShort(token) : isLong(token)) {
                changes.add(newEnd(token));
            } else if (ended(token)) {
                changes.add(new Change.DeleteToken(
                        Stage.NEEDED_NO_MORE, new Why(Why.Cause.REMOVAL, "the bootstrap token has ended"), token));
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

    /** Longer than the settings allow: they were changed, or somebody edited the token. */
    private boolean isLong(StoredToken token) {
        return works(token) && end(token).isAfter(now.plus(life).plus(CLOCK_SKEW));
    }

    private Change newEnd(StoredToken token) {
        String because = isLong(token)
                ? "the bootstrap token would last longer than the settings allow"
                : "the bootstrap token is kept valid";
        // A predecessor's stays one, so that it is not taken for the newest of its own at the next run.
        SortedMap<String, String> annotations =
                Holder.of(marks, token) == Holder.PREDECESSORS ? new TreeMap<>() : marks.inWorker();
        return new Change.ExtendToken(
                Stage.TOKEN, new Why(Why.Cause.RENEWAL, because), token, now.plus(life), annotations);
    }

    private SecretObject object(BootstrapToken token) {
        SortedMap<String, Sensitive> data = new TreeMap<>();
        token.secretData(names).forEach((key, value) -> data.put(key, new Sensitive(value)));
        SortedMap<String, String> labels = new TreeMap<>(Marks.LABELS);
        labels.put(BootstrapToken.LABEL, names.key());
        return new SecretObject(
                ObjectNames.TOKEN_NAMESPACE,
                token.secretName(),
                BootstrapToken.SECRET_TYPE,
                marks.inWorker(),
                labels,
                data);
    }

    /** When a token wants attention, once the changes are made; null for never. */
    @Nullable Instant again(boolean othersNeeded) {
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
        return Holder.of(marks, token) == Holder.PEERS ? RENEW_PEERS_BEFORE : renewBefore();
    }

    /** A life too short for {@link #RENEW_BEFORE} is extended after a fifth of it. */
    private Duration renewBefore() {
        Duration most = life.multipliedBy(4).dividedBy(5);
        return RENEW_BEFORE.compareTo(most) < 0 ? RENEW_BEFORE : most;
    }
}
