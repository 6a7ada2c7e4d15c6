package io.osmhub.api.certificate;

import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Decides what the stored certificates are to become. Time is passed in; only making keys is random. */
final class CertificatePlan {
    private final CertificateTerms terms;
    private final Authority maker;

    /** What is to be done next. */
    sealed interface Step {
        /** The authorities are to be stored so, and all is to be looked at again. */
        record StoreAuthorities(Authorities authorities, String because) implements Step {}

        /** A new certificate is to be stored and shown. */
        record StoreLeaf(KeyedCertificate leaf, String because) implements Step {}

        /** All is right until a moment. */
        record Keep(Instant until) implements Step {}
    }

    CertificatePlan(CertificateTerms terms, Authority maker) {
        this.terms = terms;
        this.maker = maker;
    }

    /**
     * Decides.
     *
     * @param stored null when there are none that can be read
     * @param leaf likewise
     */
    Step decide(@Nullable Authorities stored, @Nullable KeyedCertificate leaf, Instant now) {
        if (stored == null) {
            return new Step.StoreAuthorities(created(now), "the authority is missing");
        }
        KeyedCertificate next = stored.next();
        boolean over = !now.isBefore(stored.current().ends());
        if (next != null && (over || !now.isBefore(known(next)))) {
            return new Step.StoreAuthorities(stored.promoted(), "the next authority is known everywhere");
        }
        if (over) {
            return new Step.StoreAuthorities(created(now), "the authority has ended");
        }
        if (next == null && !now.isBefore(needsSuccessor(stored))) {
            return new Step.StoreAuthorities(
                    stored.withNext(maker.create(now, terms.authorityValidity())), "the authority ends soon");
        }
        String because = leaf == null ? "there is none" : staleness(stored, leaf, now);
        if (leaf == null || because != null) {
            return new Step.StoreLeaf(
                    maker.issue(stored.current(), terms.names(), now, terms.validity()), String.valueOf(because));
        }
        if (stored.previous() != null && !now.isBefore(known(leaf))) {
            return new Step.StoreAuthorities(stored.withoutPrevious(), "nothing that the previous one signed is shown");
        }
        return new Step.Keep(until(stored, leaf));
    }

    private Authorities created(Instant now) {
        return Authorities.only(maker.create(now, terms.authorityValidity()));
    }

    private Instant needsSuccessor(Authorities authorities) {
        return authorities.current().ends().minus(terms.authorityRenewal());
    }

    /** From when on everybody has had the time to take over what was made. */
    private Instant known(KeyedCertificate made) {
        return made.begins().plus(Authority.SKEW).plus(terms.overlap());
    }

    /** Why a certificate is not to be shown any longer; null when it is. */
    private @Nullable String staleness(Authorities authorities, KeyedCertificate leaf, Instant now) {
        if (!Authority.hasSigned(authorities.current().certificate(), leaf.certificate())) {
            return "another authority signs now";
        }
        if (!names(leaf.certificate()).equals(terms.names())) {
            return "it is for other names";
        }
        if (!now.isBefore(leaf.at(terms.renewAt()))) {
            return "most of its life is over";
        }
        boolean tooLong = leaf.ends().isAfter(now.plus(terms.validity()).plus(Authority.SKEW));
        return tooLong ? "it lives longer than it should" : null;
    }

    private Instant until(Authorities authorities, KeyedCertificate leaf) {
        KeyedCertificate next = authorities.next();
        Instant until = earlier(leaf.at(terms.renewAt()), next == null ? needsSuccessor(authorities) : known(next));
        return authorities.previous() == null ? until : earlier(until, known(leaf));
    }

    private static Instant earlier(Instant one, Instant other) {
        return one.isBefore(other) ? one : other;
    }

    /** Hosts and addresses that a certificate is for; none when they cannot be read. */
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
