package io.osmhub.api.certificate;

import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The hub's authorities at one moment. A new one is made long before it signs anything, so that every API server trusts it by
 * then; an old one stays trusted until nothing that it signed is shown any more.
 *
 * <pre>
 *   current ──► current + next (trusted, does not sign) ──► current (was next) + previous (trusted) ──► current
 * </pre>
 *
 * @param current signs
 * @param next will sign; null while none is needed
 * @param previous has signed; null when nothing of it is left
 */
record Authorities(
        KeyedCertificate current,
        @Nullable KeyedCertificate next,
        @Nullable X509Certificate previous) {

    static Authorities only(KeyedCertificate current) {
        return new Authorities(current, null, null);
    }

    Authorities withNext(KeyedCertificate made) {
        return new Authorities(current, made, previous);
    }

    /** The next one signs from now on. */
    Authorities promoted() {
        return next == null ? this : new Authorities(next, null, current.certificate());
    }

    Authorities withoutPrevious() {
        return new Authorities(current, next, null);
    }

    /** What callers are to trust, PEM; the one that signs comes first. */
    String bundle() {
        List<X509Certificate> all = new ArrayList<>();
        all.add(current.certificate());
        if (next != null) {
            all.add(next.certificate());
        }
        if (previous != null) {
            all.add(previous);
        }
        return Pem.of(all);
    }
}
