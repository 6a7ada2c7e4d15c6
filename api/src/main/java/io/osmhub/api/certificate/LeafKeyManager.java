package io.osmhub.api.certificate;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * Shows the certificate that there is when somebody connects: a renewal needs no new listener and ends no connection. A handshake
 * that began with the one before gets that one's key.
 */
final class LeafKeyManager extends X509ExtendedKeyManager {
    private volatile @Nullable Shown newest;
    private volatile @Nullable Shown before;
    private int count;

    private record Shown(String alias, KeyedCertificate certificate) {}

    synchronized void show(KeyedCertificate certificate) {
        before = newest;
        newest = new Shown("leaf-" + ++count, certificate);
    }

    @Nullable KeyedCertificate shown() {
        Shown now = newest;
        return now == null ? null : now.certificate;
    }

    private @Nullable Shown find(@Nullable String alias) {
        Shown now = newest;
        if (now != null && now.alias.equals(alias)) {
            return now;
        }
        Shown old = before;
        return old != null && old.alias.equals(alias) ? old : now;
    }

    private @Nullable String alias(String keyType) {
        Shown now = newest;
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
        Shown found = find(alias);
        return found == null ? null : found.certificate.chain().toArray(X509Certificate[]::new);
    }

    @Override
    public @Nullable PrivateKey getPrivateKey(@Nullable String alias) {
        Shown found = find(alias);
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
