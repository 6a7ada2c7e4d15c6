package io.osmhub.tenancy.certificate;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.tenancy.certificate.CertificateKeyPair.CertificatePem;
import io.osmhub.tenancy.certificate.CertificateRotationPlanner.RotationStep;
import io.osmhub.tenancy.certificate.HubIssuedCertificate.TrustedAuthorities;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class CertificateRotationPlannerTest {
    private static final Duration DAY = Duration.ofDays(1);
    private static final CertificateOptions TERMS =
            new CertificateOptions(new TreeSet<>(List.of("hub.svc", "127.0.0.1", "::1")), Duration.ofDays(90), 0.7);

    private final CertificateIssuer maker = new CertificateIssuer(new SecureRandom());
    private final CertificateRotationPlanner plan = new CertificateRotationPlanner(TERMS, maker);
    private final Instant start = Instant.parse("2026-03-01T10:00:00Z");
    private final TrustedAuthorities authorities =
            TrustedAuthorities.only(maker.createAuthority(start, TERMS.authorityValidity()));

    private CertificateKeyPair leaf(TrustedAuthorities by, Instant at) {
        return maker.issueLeaf(by.current(), TERMS.names(), at, TERMS.validity());
    }

    @Test
    void withoutAnAuthorityOneIsMadeAndThenACertificate() {
        RotationStep first = plan.planNextStep(null, null, start);

        assertThat(first).isInstanceOf(RotationStep.StoreAuthorities.class);
        TrustedAuthorities made = ((RotationStep.StoreAuthorities) first).authorities();
        RotationStep second = plan.planNextStep(made, null, start);
        assertThat(second).isInstanceOf(RotationStep.StoreLeaf.class);
        CertificateKeyPair leaf = ((RotationStep.StoreLeaf) second).leaf();
        assertThat(CertificateIssuer.hasSigned(made.current().certificate(), leaf.certificate()))
                .isTrue();
        assertThat(plan.planNextStep(made, leaf, start)).isInstanceOf(RotationStep.Keep.class);
    }

    @Test
    void aCertificateIsForAllNamesAndBeginsInThePast() {
        CertificateKeyPair leaf = leaf(authorities, start);

        assertThat(CertificateRotationPlanner.names(leaf.certificate()))
                .isEqualTo(TERMS.names())
                .hasSize(3);
        assertThat(leaf.notBefore()).isEqualTo(start.minus(CertificateIssuer.SKEW));
        assertThat(leaf.certificate().getPublicKey().getAlgorithm()).startsWith("EC");
    }

    @Test
    void aCertificateIsRenewedWhenMostOfItsLifeIsOver() {
        CertificateKeyPair leaf = leaf(authorities, start);

        assertThat(plan.planNextStep(authorities, leaf, start.plus(DAY.multipliedBy(62))))
                .isInstanceOf(RotationStep.Keep.class);
        assertThat(plan.planNextStep(authorities, leaf, start.plus(DAY.multipliedBy(64))))
                .isInstanceOf(RotationStep.StoreLeaf.class);
    }

    @Test
    void aCertificateForOtherNamesIsReplaced() {
        CertificateKeyPair leaf = maker.issueLeaf(authorities.current(), List.of("other"), start, TERMS.validity());

        assertThat(plan.planNextStep(authorities, leaf, start)).isInstanceOf(RotationStep.StoreLeaf.class);
    }

    @Test
    void aCertificateOfAnotherAuthorityIsReplaced() {
        CertificateKeyPair leaf =
                leaf(TrustedAuthorities.only(maker.createAuthority(start, TERMS.authorityValidity())), start);

        assertThat(plan.planNextStep(authorities, leaf, start)).isInstanceOf(RotationStep.StoreLeaf.class);
    }

    @Test
    void anAuthorityGetsASuccessorThatSignsOnlyWhenEverybodyCanKnowIt() {
        Instant late = authorities.current().notAfter().minus(TERMS.authorityRenewal());
        CertificateKeyPair leaf = leaf(authorities, late);

        RotationStep step = plan.planNextStep(authorities, leaf, late);

        TrustedAuthorities both = ((RotationStep.StoreAuthorities) step).authorities();
        assertThat(both.next()).isNotNull();
        assertThat(both.current()).isEqualTo(authorities.current());
        assertThat(both.bundle())
                .contains(
                        CertificatePem.encode(both.current().chain()),
                        CertificatePem.encode(both.next().chain()));
        assertThat(plan.planNextStep(both, leaf, late)).isInstanceOf(RotationStep.Keep.class);
        Instant known = late.plus(TERMS.overlap());
        TrustedAuthorities promoted =
                ((RotationStep.StoreAuthorities) plan.planNextStep(both, leaf, known)).authorities();
        assertThat(promoted.current()).isEqualTo(both.next());
        assertThat(promoted.previous()).isEqualTo(authorities.current().certificate());
        CertificateKeyPair renewed = ((RotationStep.StoreLeaf) plan.planNextStep(promoted, leaf, known)).leaf();
        assertThat(plan.planNextStep(promoted, renewed, known)).isInstanceOf(RotationStep.Keep.class);
        RotationStep last = plan.planNextStep(promoted, renewed, known.plus(TERMS.overlap()));
        assertThat(((RotationStep.StoreAuthorities) last).authorities().previous())
                .isNull();
    }

    @Test
    void nothingOutlivesItsAuthority() {
        Instant late = authorities.current().notAfter().minus(DAY);

        assertThat(leaf(authorities, late).notAfter())
                .isEqualTo(authorities.current().notAfter());
    }

    @Test
    void noTextShowsAKey() {
        CertificateKeyPair leaf = leaf(authorities, start);
        String key =
                CertificatePem.encode(leaf.key()).lines().skip(1).findFirst().orElseThrow();

        assertThat(List.of(
                        leaf.toString(),
                        authorities.toString(),
                        plan.planNextStep(null, null, start).toString()))
                .noneMatch(text -> text.contains(key) || text.contains("PRIVATE"));
    }
}
