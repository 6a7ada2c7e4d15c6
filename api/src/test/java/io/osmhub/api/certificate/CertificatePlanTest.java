package io.osmhub.api.certificate;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.api.certificate.CertificatePlan.Step;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class CertificatePlanTest {
    private static final Duration DAY = Duration.ofDays(1);
    private static final CertificateTerms TERMS =
            new CertificateTerms(new TreeSet<>(List.of("hub.svc", "127.0.0.1", "::1")), Duration.ofDays(90), 0.7);

    private final Authority maker = new Authority(new SecureRandom());
    private final CertificatePlan plan = new CertificatePlan(TERMS, maker);
    private final Instant start = Instant.parse("2026-03-01T10:00:00Z");
    private final Authorities authorities = Authorities.only(maker.create(start, TERMS.authorityValidity()));

    private KeyedCertificate leaf(Authorities by, Instant at) {
        return maker.issue(by.current(), TERMS.names(), at, TERMS.validity());
    }

    @Test
    void withoutAnAuthorityOneIsMadeAndThenACertificate() {
        Step first = plan.decide(null, null, start);

        assertThat(first).isInstanceOf(Step.StoreAuthorities.class);
        Authorities made = ((Step.StoreAuthorities) first).authorities();
        Step second = plan.decide(made, null, start);
        assertThat(second).isInstanceOf(Step.StoreLeaf.class);
        KeyedCertificate leaf = ((Step.StoreLeaf) second).leaf();
        assertThat(Authority.hasSigned(made.current().certificate(), leaf.certificate()))
                .isTrue();
        assertThat(plan.decide(made, leaf, start)).isInstanceOf(Step.Keep.class);
    }

    @Test
    void aCertificateIsForAllNamesAndBeginsInThePast() {
        KeyedCertificate leaf = leaf(authorities, start);

        assertThat(CertificatePlan.names(leaf.certificate()))
                .isEqualTo(TERMS.names())
                .hasSize(3);
        assertThat(leaf.begins()).isEqualTo(start.minus(Authority.SKEW));
        assertThat(leaf.certificate().getPublicKey().getAlgorithm()).startsWith("EC");
    }

    @Test
    void aCertificateIsRenewedWhenMostOfItsLifeIsOver() {
        KeyedCertificate leaf = leaf(authorities, start);

        assertThat(plan.decide(authorities, leaf, start.plus(DAY.multipliedBy(62))))
                .isInstanceOf(Step.Keep.class);
        assertThat(plan.decide(authorities, leaf, start.plus(DAY.multipliedBy(64))))
                .isInstanceOf(Step.StoreLeaf.class);
    }

    @Test
    void aCertificateForOtherNamesIsReplaced() {
        KeyedCertificate leaf = maker.issue(authorities.current(), List.of("other"), start, TERMS.validity());

        assertThat(plan.decide(authorities, leaf, start)).isInstanceOf(Step.StoreLeaf.class);
    }

    @Test
    void aCertificateOfAnotherAuthorityIsReplaced() {
        KeyedCertificate leaf = leaf(Authorities.only(maker.create(start, TERMS.authorityValidity())), start);

        assertThat(plan.decide(authorities, leaf, start)).isInstanceOf(Step.StoreLeaf.class);
    }

    @Test
    void anAuthorityGetsASuccessorThatSignsOnlyWhenEverybodyCanKnowIt() {
        Instant late = authorities.current().ends().minus(TERMS.authorityRenewal());
        KeyedCertificate leaf = leaf(authorities, late);

        Step step = plan.decide(authorities, leaf, late);

        Authorities both = ((Step.StoreAuthorities) step).authorities();
        assertThat(both.next()).isNotNull();
        assertThat(both.current()).isEqualTo(authorities.current());
        assertThat(both.bundle())
                .contains(Pem.of(both.current().chain()), Pem.of(both.next().chain()));
        assertThat(plan.decide(both, leaf, late)).isInstanceOf(Step.Keep.class);
        Instant known = late.plus(TERMS.overlap());
        Authorities promoted = ((Step.StoreAuthorities) plan.decide(both, leaf, known)).authorities();
        assertThat(promoted.current()).isEqualTo(both.next());
        assertThat(promoted.previous()).isEqualTo(authorities.current().certificate());
        KeyedCertificate renewed = ((Step.StoreLeaf) plan.decide(promoted, leaf, known)).leaf();
        assertThat(plan.decide(promoted, renewed, known)).isInstanceOf(Step.Keep.class);
        Step last = plan.decide(promoted, renewed, known.plus(TERMS.overlap()));
        assertThat(((Step.StoreAuthorities) last).authorities().previous()).isNull();
    }

    @Test
    void nothingOutlivesItsAuthority() {
        Instant late = authorities.current().ends().minus(DAY);

        assertThat(leaf(authorities, late).ends())
                .isEqualTo(authorities.current().ends());
    }

    @Test
    void noTextShowsAKey() {
        KeyedCertificate leaf = leaf(authorities, start);
        String key = Pem.of(leaf.key()).lines().skip(1).findFirst().orElseThrow();

        assertThat(List.of(
                        leaf.toString(),
                        authorities.toString(),
                        plan.decide(null, null, start).toString()))
                .noneMatch(text -> text.contains(key) || text.contains("PRIVATE"));
    }
}
