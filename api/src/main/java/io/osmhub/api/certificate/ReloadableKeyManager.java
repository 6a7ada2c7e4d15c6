package io.osmhub.api.certificate;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * Serves the current certificate to new connections: a renewal needs no new listener and closes no connection. A handshake in
 * progress keeps the previous key.
 */
final class ReloadableKeyManager extends X509ExtendedKeyManager {
    private volatile @Nullable ActiveCertificate newest;
    private volatile @Nullable ActiveCertificate before;
    private int count;

    private record ActiveCertificate(String alias, CertificateKeyPair certificate) {}

    synchronized void setCertificate(CertificateKeyPair certificate) {
        before = newest;
        newest = new ActiveCertificate("leaf-" + ++count, certificate);
    }

    @Nullable CertificateKeyPair shown() {
        ActiveCertificate now = newest;
        return now == null ? null : now.certificate;
    }

    private @Nullable ActiveCertificate find(@Nullable String alias) {
        ActiveCertificate now = newest;
        if (now != null && now.alias.equals(alias)) {
            return now;
        }
        ActiveCertificate old = before;
        return old != null && old.alias.equals(alias) ? old : now;
    }

    private @Nullable String alias(String keyType) {
        ActiveCertificate now = newest;
        if (now == null) {
            return null;
        }
        String has = now.certificate.certificate().getPublicKey().getAlgorithm();
        return keyType.startsWith(has) || keyType.equals("EC") && has.equals("ECDSA") ? now.alias : null;
    }

    @Override
    public @Nullable String chooseEngineServerAlias(
            String keyType, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
        return alias(keyType);
    }

    @Override
    public @Nullable String chooseServerAlias(String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
        return alias(keyType);
    }

    @Override
    public String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
        String alias = alias(keyType);
        return alias == null ? null : new String[] {alias};
    }

    @Override
    public X509Certificate @Nullable [] getCertificateChain(@Nullable String alias) {
        ActiveCertificate found = find(alias);
        return found == null ? null : found.certificate.chain().toArray(X509Certificate[]::new);
    }

    @Override
    public @Nullable PrivateKey getPrivateKey(@Nullable String alias) {
        ActiveCertificate found = find(alias);
        return found == null ? null : found.certificate.key();
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
