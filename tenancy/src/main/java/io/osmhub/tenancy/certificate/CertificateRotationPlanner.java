package io.osmhub.tenancy.certificate;

import io.osmhub.tenancy.certificate.HubIssuedCertificate.TrustedAuthorities;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Plans the next change of the stored certificates. Time is a parameter; only key generation is random. */
final class CertificateRotationPlanner {
    private final CertificateOptions terms;
    private final CertificateIssuer maker;

    /** The next step. */
    sealed interface RotationStep {
        /** Store these authorities, then plan again. */
        record StoreAuthorities(TrustedAuthorities authorities, String because) implements RotationStep {}

        /** Store and serve a new certificate. */
        record StoreLeaf(CertificateKeyPair leaf, String because) implements RotationStep {}

        /** Nothing to do until this time. */
        record Keep(Instant until) implements RotationStep {}
    }

    CertificateRotationPlanner(CertificateOptions terms, CertificateIssuer maker) {
        this.terms = terms;
        this.maker = maker;
    }

    /**
     * Plans the next step.
     *
     * @param stored null if none can be read
     * @param leaf null if none can be read
     */
    RotationStep planNextStep(@Nullable TrustedAuthorities stored, @Nullable CertificateKeyPair leaf, Instant now) {
        if (stored == null) {
            return new RotationStep.StoreAuthorities(created(now), "the authority is missing");
        }
        CertificateKeyPair next = stored.next();
        boolean over = !now.isBefore(stored.current().notAfter());
        if (next != null && (over || !now.isBefore(known(next)))) {
            return new RotationStep.StoreAuthorities(
                    stored.withNextPromoted(), "the next authority is trusted everywhere");
        }
        if (over) {
            return new RotationStep.StoreAuthorities(created(now), "the authority has expired");
        }
        if (next == null && !now.isBefore(needsSuccessor(stored))) {
            return new RotationStep.StoreAuthorities(
                    stored.withNext(maker.createAuthority(now, terms.authorityValidity())),
                    "the authority expires soon");
        }
        String because = leaf == null ? "the certificate is missing" : staleness(stored, leaf, now);
        if (leaf == null || because != null) {
            return new RotationStep.StoreLeaf(
                    maker.issueLeaf(stored.current(), terms.names(), now, terms.validity()), String.valueOf(because));
        }
        if (stored.previous() != null && !now.isBefore(known(leaf))) {
            return new RotationStep.StoreAuthorities(
                    stored.withoutPrevious(), "the previous authority is no longer in use");
        }
        return new RotationStep.Keep(until(stored, leaf));
    }

    private TrustedAuthorities created(Instant now) {
        return TrustedAuthorities.only(maker.createAuthority(now, terms.authorityValidity()));
    }

    private Instant needsSuccessor(TrustedAuthorities authorities) {
        return authorities.current().notAfter().minus(terms.authorityRenewal());
    }

    /** The time from which every API server trusts the new authority. */
    private Instant known(CertificateKeyPair made) {
        return made.notBefore().plus(CertificateIssuer.SKEW).plus(terms.overlap());
    }

    /** Why a certificate must be replaced; null if it is current. */
    private @Nullable String staleness(TrustedAuthorities authorities, CertificateKeyPair leaf, Instant now) {
        if (!CertificateIssuer.hasSigned(authorities.current().certificate(), leaf.certificate())) {
            return "the signing authority has changed";
        }
        if (!names(leaf.certificate()).equals(terms.names())) {
            return "the names have changed";
        }
        if (!now.isBefore(leaf.instantAtFraction(terms.renewAt()))) {
            return "the renewal time has come";
        }
        boolean tooLong = leaf.notAfter().isAfter(now.plus(terms.validity()).plus(CertificateIssuer.SKEW));
        return tooLong ? "its validity is too long" : null;
    }

    private Instant until(TrustedAuthorities authorities, CertificateKeyPair leaf) {
        CertificateKeyPair next = authorities.next();
        Instant until = earlier(
                leaf.instantAtFraction(terms.renewAt()), next == null ? needsSuccessor(authorities) : known(next));
        return authorities.previous() == null ? until : earlier(until, known(leaf));
    }

    private static Instant earlier(Instant one, Instant other) {
        return one.isBefore(other) ? one : other;
    }

    /** Hosts and addresses of a certificate; empty if they cannot be read. */
    static SortedSet<String> names(X509Certificate certificate) {
        SortedSet<String> names = new TreeSet<>();
        try {
            Collection<List<?>> alternatives = certificate.getSubjectAlternativeNames();
            if (alternatives != null) {
                alternatives.forEach(entry -> names.add(String.valueOf(entry.get(1))));
            }
        } catch (CertificateParsingException e) {
            return new TreeSet<>();
        }
        return names;
    }
}
