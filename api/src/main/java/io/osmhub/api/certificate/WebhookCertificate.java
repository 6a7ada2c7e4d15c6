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
 * A serving certificate with what webhooks need: the CA bundle for API servers, and expiry times. Subclasses differ in source and
 * renewal. Thread-safe.
 */
public abstract sealed class WebhookCertificate implements ServingCertificate
        permits HubIssuedCertificate, FileCertificate, SecretCertificate {
    private static final Logger LOG = LoggerFactory.getLogger(WebhookCertificate.class);

    private final ReloadableKeyManager keys = new ReloadableKeyManager();
    private final KeyCertOptions options = KeyCertOptions.wrap(keys);
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private final Supplier<Instant> now;
    private volatile @Nullable String authorities;
    private volatile @Nullable Instant authorityEnds;

    WebhookCertificate(Supplier<Instant> now) {
        this.now = now;
    }

    /** Starts keeping it up to date. Must not block. */
    public abstract void start();

    /** Stops renewal; the active certificate stays in use. */
    public abstract void stop();

    /** Why it is not kept up to date; null while it is. */
    public abstract @Nullable String problem();

    @Override
    public final KeyCertOptions current() {
        return options;
    }

    @Override
    public final void onChange(Runnable task) {
        listeners.add(task);
    }

    /** Whether a valid certificate is active. */
    public final boolean isLoaded() {
        CertificateKeyPair leaf = keys.shown();
        return leaf != null && now.get().isBefore(leaf.notAfter());
    }

    /** CA bundle for callers, PEM; empty if they trust it already; null while unknown. */
    public final @Nullable String authorities() {
        return authorities;
    }

    /** Known expiry times, by {@code ca} and {@code leaf}. */
    public final Map<String, Instant> expiryTimes() {
        Map<String, Instant> ends = new HashMap<>();
        CertificateKeyPair leaf = keys.shown();
        if (leaf != null) {
            ends.put("leaf", leaf.notAfter());
        }
        Instant authority = authorityEnds;
        if (authority != null) {
            ends.put("ca", authority);
        }
        return ends;
    }

    /** The active certificate; null before the first. */
    final @Nullable CertificateKeyPair leaf() {
        return keys.shown();
    }

    /**
     * Activates a certificate for new connections.
     *
     * @param trusted PEM; empty if callers trust it already
     * @param trustEnds expiry of the signing authority; null if unknown
     */
    final void activate(CertificateKeyPair leaf, String trusted, @Nullable Instant trustEnds) {
        CertificateKeyPair before = keys.shown();
        boolean another = before == null || !before.certificate().equals(leaf.certificate());
        boolean otherTrust = !trusted.equals(authorities);
        authorities = trusted;
        authorityEnds = trustEnds;
        if (another) {
            keys.setCertificate(leaf);
            LOG.atInfo().addKeyValue("ends", leaf.notAfter()).log("Serving certificate loaded");
        }
        if (another || otherTrust) {
            listeners.forEach(Runnable::run);
        }
    }
}
