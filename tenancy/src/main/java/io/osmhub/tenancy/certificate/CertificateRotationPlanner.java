package io.osmhub.tenancy.certificate;

import java.time.Instant;
import java.util.Set;

/**
 * Plans the next change of the stored certificate. Time is a parameter; only key generation is random.
 *
 * <p>A new authority is stored long before the one before it ends. Callers then trust both, and the certificate in use stays until
 * its renewal, which waits until every API server can know the new authority.
 */
final class CertificateRotationPlanner {
    private final CertificateOptions options;
    private final CertificateIssuer issuer;

    /** The next step. */
    sealed interface RotationStep {
        /** Store and serve this, then plan again. */
        record Store(IssuedCertificate certificate, String because) implements RotationStep {}

        /** Nothing to do until this time. */
        record Keep(Instant until) implements RotationStep {}
    }

    CertificateRotationPlanner(CertificateOptions options, CertificateIssuer issuer) {
        this.options = options;
        this.issuer = issuer;
    }

    RotationStep planNextStep(IssuedCertificate stored, Instant now) {
        CertificateKeyPair authority = stored.authority();
        if (authority == null || !now.isBefore(needsSuccessor(authority))) {
            CertificateKeyPair successor = issuer.createAuthority(now, options.authorityValidity());
            IssuedCertificate next = stored.withAuthority(successor, now);
            return new RotationStep.Store(
                    next.isTrusted() ? next : issue(next, successor, now),
                    authority == null ? "the authority is missing" : "the authority expires soon");
        }
        CertificateKeyPair leaf = stored.leaf();
        if (leaf == null || !stored.isTrusted()) {
            return new RotationStep.Store(issue(stored, authority, now), "the certificate is missing");
        }
        Instant renewal = renewal(authority, leaf);
        String because = !Set.copyOf(leaf.names()).equals(options.names())
                ? "the names have changed"
                : leaf.notAfter().isAfter(now.plus(options.validity()).plus(CertificateIssuer.SKEW))
                        ? "its validity is too long"
                        : now.isBefore(renewal) ? null : "the renewal time has come";
        return because == null
                ? new RotationStep.Keep(earlier(renewal, needsSuccessor(authority)))
                : new RotationStep.Store(issue(stored, authority, now), because);
    }

    private IssuedCertificate issue(IssuedCertificate stored, CertificateKeyPair authority, Instant now) {
        return stored.withLeaf(issuer.issueLeaf(authority, options.names(), now, options.validity()));
    }

    private Instant needsSuccessor(CertificateKeyPair authority) {
        return authority.notAfter().minus(options.authorityRenewal());
    }

    /** An authority that has not signed yet waits for API servers, but not until the certificate in use ends. */
    private Instant renewal(CertificateKeyPair authority, CertificateKeyPair leaf) {
        Instant due = leaf.instantAtFraction(options.renewAt());
        Instant known = authority.notBefore().plus(CertificateIssuer.SKEW).plus(options.overlap());
        return due.isAfter(known) || CertificateIssuer.hasSigned(authority.certificate(), leaf.certificate())
                ? due
                : earlier(known, leaf.instantAtFraction((1 + options.renewAt()) / 2));
    }

    private static Instant earlier(Instant one, Instant other) {
        return one.isBefore(other) ? one : other;
    }
}
