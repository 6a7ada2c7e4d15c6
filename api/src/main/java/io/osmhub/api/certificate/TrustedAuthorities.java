package io.osmhub.api.certificate;

import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The hub's authorities. A new one is created long before it signs, so that every API server trusts it by then; an old one stays
 * trusted while a certificate it signed is in use.
 * <pre>
 *   current ──► current + next (trusted, does not sign) ──► current (was next) + previous (trusted) ──► current
 * </pre>
 *
 * @param current signs
 * @param next will sign; null while none is needed
 * @param previous signed before; null if no longer needed
 */
record TrustedAuthorities(
        CertificateKeyPair current,
        @Nullable CertificateKeyPair next,
        @Nullable X509Certificate previous) {

    static TrustedAuthorities only(CertificateKeyPair current) {
        return new TrustedAuthorities(current, null, null);
    }

    TrustedAuthorities withNext(CertificateKeyPair made) {
        return new TrustedAuthorities(current, made, previous);
    }

    /** Makes the next one the signing authority. */
    TrustedAuthorities withNextPromoted() {
        return next == null ? this : new TrustedAuthorities(next, null, current.certificate());
    }

    TrustedAuthorities withoutPrevious() {
        return new TrustedAuthorities(current, next, null);
    }

    /** PEM bundle for callers; the signing authority comes first. */
    String bundle() {
        List<X509Certificate> all = new ArrayList<>();
        all.add(current.certificate());
        if (next != null) {
            all.add(next.certificate());
        }
        if (previous != null) {
            all.add(previous);
        }
        return CertificatePem.encode(all);
    }
}
