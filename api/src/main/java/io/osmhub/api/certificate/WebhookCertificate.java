package io.osmhub.api.certificate;

import io.vertx.core.net.KeyCertOptions;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A serving certificate with what webhooks need besides: what API servers are to trust, and until when all that holds. Where it comes
 * from and who renews it is the matter of each source; what is shown, and who hears of another, is the same for all. Safe for use by
 * many threads.
 */
public abstract sealed class WebhookCertificate implements ServingCertificate
        permits OwnCertificate, ProvidedCertificate, SecretCertificate {
    private static final Logger LOG = LoggerFactory.getLogger(WebhookCertificate.class);

    private final LeafKeyManager keys = new LeafKeyManager();
    private final KeyCertOptions options = KeyCertOptions.wrap(keys);
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private final Supplier<Instant> now;
    private volatile @Nullable String authorities;
    private volatile @Nullable Instant authorityEnds;

    WebhookCertificate(Supplier<Instant> now) {
        this.now = now;
    }

    /** Begins to keep it up to date; returns at once. */
    public abstract void start();

    /** Nothing is renewed afterwards; what is shown goes on being shown. */
    public abstract void stop();

    /** What people are to know: why it is not kept up to date; null while it is. */
    public abstract @Nullable String problem();

    @Override
    public final KeyCertOptions current() {
        return options;
    }

    @Override
    public final void onChange(Runnable task) {
        listeners.add(task);
    }

    /** Whether there is one that is valid now. */
    public final boolean isLoaded() {
        KeyedCertificate leaf = keys.shown();
        return leaf != null && now.get().isBefore(leaf.ends());
    }

    /** Authorities that callers are to trust, PEM; empty when they know them without being told; null while none are known. */
    public final @Nullable String authorities() {
        return authorities;
    }

    /** Ends of validity, by {@code ca} and {@code leaf}, as far as they are known. */
    public final Map<String, Instant> ends() {
        Map<String, Instant> ends = new HashMap<>();
        KeyedCertificate leaf = keys.shown();
        if (leaf != null) {
            ends.put("leaf", leaf.ends());
        }
        Instant authority = authorityEnds;
        if (authority != null) {
            ends.put("ca", authority);
        }
        return ends;
    }

    /** What is shown at the moment; null before the first. */
    final @Nullable KeyedCertificate leaf() {
        return keys.shown();
    }

    /**
     * Shows a certificate from the next connection on.
     *
     * @param trusted PEM; empty when callers know it already
     * @param trustEnds of the authority that has signed; null when it is not known
     */
    final void show(KeyedCertificate leaf, String trusted, @Nullable Instant trustEnds) {
        KeyedCertificate before = keys.shown();
        boolean another = before == null || !before.certificate().equals(leaf.certificate());
        boolean otherTrust = !trusted.equals(authorities);
        authorities = trusted;
        authorityEnds = trustEnds;
        if (another) {
            keys.show(leaf);
            LOG.atInfo().addKeyValue("ends", leaf.ends()).log("Serving certificate loaded");
        }
        if (another || otherTrust) {
            listeners.forEach(Runnable::run);
        }
    }
}
