package io.osmhub.tenancy.certificate;

import io.osmhub.tenancy.certificate.CertificateKeyPair.CertificatePem;
import io.osmhub.tenancy.certificate.SharedSecret.SecretContent;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The hub's certificate and the authority that issues it, as their Secret stores them.
 *
 * @param authority issues the next certificate; null if there is none
 * @param trusted for callers: the authority, then those before it
 * @param leaf is served; null if there is none
 */
record IssuedCertificate(
        @Nullable CertificateKeyPair authority,
        List<X509Certificate> trusted,
        @Nullable CertificateKeyPair leaf) {
    static final IssuedCertificate NONE = new IssuedCertificate(null, List.of(), null);

    private static final String TRUSTED = "ca.crt";
    private static final String AUTHORITY_KEY = "ca.key";

    @FunctionalInterface
    private interface PemReader<T> {
        T read() throws GeneralSecurityException;
    }

    IssuedCertificate {
        trusted = List.copyOf(trusted);
    }

    /** Without the parts that cannot be read. */
    static IssuedCertificate of(SecretContent secret) {
        List<X509Certificate> trusted = find(() -> CertificatePem.readCertificates(secret.value(TRUSTED)));
        return new IssuedCertificate(
                find(() -> CertificateKeyPair.read(secret.value(TRUSTED), secret.value(AUTHORITY_KEY))),
                trusted == null ? List.of() : trusted,
                find(secret::leaf));
    }

    private static <T> @Nullable T find(PemReader<T> reader) {
        try {
            return reader.read();
        } catch (GeneralSecurityException e) {
            return null;
        }
    }

    Map<String, String> data() {
        Map<String, String> data = new LinkedHashMap<>();
        if (leaf != null) {
            data.put(SecretContent.CERTIFICATE, CertificatePem.encode(leaf.chain()));
            data.put(SecretContent.KEY, CertificatePem.encode(leaf.key()));
        }
        data.put(TRUSTED, bundle());
        if (authority != null) {
            data.put(AUTHORITY_KEY, CertificatePem.encode(authority.key()));
        }
        return data;
    }

    /** PEM of the trusted authorities. */
    String bundle() {
        return CertificatePem.encode(trusted);
    }

    IssuedCertificate withLeaf(@Nullable CertificateKeyPair another) {
        return new IssuedCertificate(authority, trusted, another);
    }

    /** Trusts the authorities before it that have not expired, because they have signed what is served. */
    IssuedCertificate withAuthority(CertificateKeyPair another, Instant now) {
        List<X509Certificate> all = new ArrayList<>(List.of(another.certificate()));
        trusted.stream()
                .filter(earlier -> earlier.getNotAfter().toInstant().isAfter(now))
                .forEach(all::add);
        return new IssuedCertificate(another, all, leaf);
    }

    /** Whether callers that trust the authorities accept the certificate. */
    boolean isTrusted() {
        return leaf != null
                && trusted.stream().anyMatch(signer -> CertificateIssuer.hasSigned(signer, leaf.certificate()));
    }

    /** When the authority ends; null without one. */
    @Nullable Instant authorityEnd() {
        return authority == null ? null : authority.notAfter();
    }
}
