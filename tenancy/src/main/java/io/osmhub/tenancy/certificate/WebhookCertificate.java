package io.osmhub.tenancy.certificate;

import io.osmhub.tenancy.certificate.CertificateKeyPair.CertificatePem;
import io.vertx.core.net.KeyCertOptions;
import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
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

    private final ReloadableKeyManager keyManager = new ReloadableKeyManager();
    private final KeyCertOptions options = KeyCertOptions.wrap(keyManager);
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private final Supplier<Instant> now;
    private volatile @Nullable String authorities;
    private volatile @Nullable Instant authorityEnds;
    private volatile @Nullable String unusable;

    WebhookCertificate(Supplier<Instant> now) {
        this.now = now;
    }

    /** Starts keeping it up to date. Must not block. */
    public abstract void start();

    /** Stops renewal; the active certificate stays in use. */
    public abstract void stop();

    /** Why it is not kept up to date; null while it is. */
    public @Nullable String problem() {
        return unusable;
    }

    @Override
    public final KeyCertOptions current() {
        return options;
    }

    @Override
    public final void onChange(Runnable task) {
        listeners.add(task);
    }

    @Override
    public final String trusted() {
        CertificateKeyPair leaf = keyManager.shown();
        return (leaf == null ? "" : CertificatePem.encode(leaf.chain())) + Objects.requireNonNullElse(authorities, "");
    }

    @Override
    public final String serverName() {
        CertificateKeyPair leaf = keyManager.shown();
        return leaf == null ? "" : leaf.names().stream().findFirst().orElse("").replace("*", "hub");
    }

    /** Whether a valid certificate is active. */
    public final boolean isLoaded() {
        CertificateKeyPair leaf = keyManager.shown();
        return leaf != null && now.get().isBefore(leaf.notAfter());
    }

    /** CA bundle for callers, PEM; empty if they trust it already; null while unknown. */
    public final @Nullable String authorities() {
        return authorities;
    }

    /** Known expiry times, by {@code ca} and {@code leaf}. */
    public final Map<String, Instant> expiryTimes() {
        Map<String, Instant> ends = new HashMap<>();
        CertificateKeyPair leaf = keyManager.shown();
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
        return keyManager.shown();
    }

    /**
     * Activates a certificate for new connections.
     *
     * @param trusted PEM; empty if callers trust it already
     * @param trustEnds expiry of the signing authority; null if unknown
     */
    final void activate(CertificateKeyPair leaf, String trusted, @Nullable Instant trustEnds) {
        CertificateKeyPair before = keyManager.shown();
        boolean another = before == null || !before.certificate().equals(leaf.certificate());
        boolean otherTrust = !trusted.equals(authorities);
        authorities = trusted;
        authorityEnds = trustEnds;
        unusable = null;
        if (another) {
            keyManager.setCertificate(leaf);
            LOG.atInfo().addKeyValue("ends", leaf.notAfter()).log("Serving certificate loaded");
        }
        if (another || otherTrust) {
            listeners.forEach(Runnable::run);
        }
    }

    /** The provided certificate cannot be used; the active one stays. */
    final void reportUnusable(String cause) {
        if (!cause.equals(unusable)) {
            LOG.atWarn().addKeyValue("cause", cause).log("Provided certificate is unusable");
        }
        unusable = cause;
    }

    /**
     * Serves the current certificate to new connections: a renewal needs no new listener and closes no connection. A handshake in
     * progress keeps the previous key.
     */
    static final class ReloadableKeyManager extends X509ExtendedKeyManager {
        private volatile @Nullable ActiveCertificate newestCertificate;
        private volatile @Nullable ActiveCertificate previousCertificate;

        /** @param alias differs from that of the previous certificate */
        private record ActiveCertificate(String alias, CertificateKeyPair certificate) {}

        synchronized void setCertificate(CertificateKeyPair certificate) {
            previousCertificate = newestCertificate;
            newestCertificate = new ActiveCertificate("leaf-" + System.nanoTime(), certificate);
        }

        @Nullable CertificateKeyPair shown() {
            ActiveCertificate now = newestCertificate;
            return now == null ? null : now.certificate;
        }

        private @Nullable CertificateKeyPair find(@Nullable String alias) {
            ActiveCertificate old = previousCertificate;
            return old != null && old.alias.equals(alias) ? old.certificate : shown();
        }

        @Override
        public @Nullable String chooseServerAlias(
                String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
            ActiveCertificate now = newestCertificate;
            if (now == null) {
                return null;
            }
            String algorithm = now.certificate.certificate().getPublicKey().getAlgorithm();
            return keyType.startsWith(algorithm) || keyType.equals("EC") && algorithm.equals("ECDSA")
                    ? now.alias
                    : null;
        }

        @Override
        public @Nullable String chooseEngineServerAlias(
                String keyType, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
            return chooseServerAlias(keyType, issuers, null);
        }

        @Override
        public String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
            String alias = chooseServerAlias(keyType, issuers, null);
            return alias == null ? null : new String[] {alias};
        }

        @Override
        public X509Certificate @Nullable [] getCertificateChain(@Nullable String alias) {
            CertificateKeyPair found = find(alias);
            return found == null ? null : found.chain().toArray(X509Certificate[]::new);
        }

        @Override
        public @Nullable PrivateKey getPrivateKey(@Nullable String alias) {
            CertificateKeyPair found = find(alias);
            return found == null ? null : found.key();
        }

        @Override
        public @Nullable String chooseClientAlias(
                String @Nullable [] keyTypes, Principal @Nullable [] issuers, @Nullable Socket socket) {
            return null;
        }

        @Override
        public String @Nullable [] getClientAliases(String keyType, Principal @Nullable [] issuers) {
            return null;
        }
    }
}
