package io.osmhub.tenancy.certificate;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.tenancy.certificate.CertificateKeyPair.CertificatePem;
import io.osmhub.tenancy.certificate.CertificateRotationPlanner.RotationStep;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class CertificateRotationPlannerTest {
    private static final Duration DAY = Duration.ofDays(1);
    private static final CertificateOptions TERMS =
            new CertificateOptions(new TreeSet<>(List.of("hub.svc", "127.0.0.1", "::1")), Duration.ofDays(90), 0.7);

    private final CertificateIssuer maker = new CertificateIssuer(new SecureRandom());
    private final CertificateRotationPlanner plan = new CertificateRotationPlanner(TERMS, maker);
    private final Instant start = Instant.parse("2026-03-01T10:00:00Z");
    private final CertificateKeyPair authority = maker.createAuthority(start, TERMS.authorityValidity());

    private CertificateKeyPair leaf(CertificateKeyPair by, Instant at) {
        return maker.issueLeaf(by, TERMS.names(), at, TERMS.validity());
    }

    private IssuedCertificate stored(CertificateKeyPair leaf) {
        return IssuedCertificate.NONE.withAuthority(authority, start).withLeaf(leaf);
    }

    private IssuedCertificate changed(IssuedCertificate stored, Instant now) {
        RotationStep step = plan.planNextStep(stored, now);
        assertThat(step).isInstanceOf(RotationStep.Store.class);
        return ((RotationStep.Store) step).certificate();
    }

    private void assertKept(IssuedCertificate stored, Instant now) {
        assertThat(plan.planNextStep(stored, now)).isInstanceOf(RotationStep.Keep.class);
    }

    @Test
    void withoutAnythingAnAuthorityAndACertificateAreMade() {
        IssuedCertificate made = changed(IssuedCertificate.NONE, start);

        assertThat(made.isTrusted()).isTrue();
        assertThat(made.trusted()).hasSize(1);
        assertKept(made, start);
    }

    @Test
    void aCertificateIsForAllNamesAndBeginsInThePast() {
        CertificateKeyPair leaf = leaf(authority, start);

        assertThat(leaf.names())
                .containsExactlyInAnyOrderElementsOf(TERMS.names())
                .hasSize(3);
        assertThat(leaf.names().getFirst()).isEqualTo("hub.svc");
        assertThat(leaf.notBefore()).isEqualTo(start.minus(CertificateIssuer.SKEW));
        assertThat(leaf.certificate().getPublicKey().getAlgorithm()).startsWith("EC");
    }

    @Test
    void aCertificateIsRenewedWhenMostOfItsLifeIsOver() {
        IssuedCertificate stored = stored(leaf(authority, start));

        assertKept(stored, start.plus(DAY.multipliedBy(62)));
        IssuedCertificate renewed = changed(stored, start.plus(DAY.multipliedBy(64)));
        assertThat(renewed.leaf()).isNotEqualTo(stored.leaf());
        assertThat(renewed.trusted()).isEqualTo(stored.trusted());
    }

    @Test
    void aCertificateForOtherNamesIsReplaced() {
        IssuedCertificate stored = stored(maker.issueLeaf(authority, List.of("other"), start, TERMS.validity()));

        assertThat(changed(stored, start).leaf()).isNotEqualTo(stored.leaf());
    }

    @Test
    void aCertificateOfAnotherAuthorityIsReplaced() {
        IssuedCertificate stored = stored(leaf(maker.createAuthority(start, TERMS.authorityValidity()), start));

        assertThat(changed(stored, start).isTrusted()).isTrue();
    }

    @Test
    void anAuthorityGetsASuccessorThatSignsOnlyWhenEverybodyCanKnowIt() {
        Instant late = authority.notAfter().minus(TERMS.authorityRenewal());
        CertificateKeyPair leaf = leaf(authority, late.minus(DAY.multipliedBy(62)));

        IssuedCertificate both = changed(stored(leaf), late);

        assertThat(both.leaf()).isEqualTo(leaf);
        assertThat(both.trusted())
                .containsExactly(Objects.requireNonNull(both.authority()).certificate(), authority.certificate());
        assertKept(both, late);
        Instant known = late.plus(TERMS.overlap());
        assertKept(both, known.minus(DAY));
        IssuedCertificate renewed = changed(both, known);
        assertThat(CertificateIssuer.hasSigned(
                        both.trusted().getFirst(),
                        Objects.requireNonNull(renewed.leaf()).certificate()))
                .isTrue();
        assertKept(renewed, known);
    }

    @Test
    void anAuthorityThatHasExpiredIsNotTrusted() {
        IssuedCertificate stored = stored(leaf(authority, start));

        IssuedCertificate made = changed(stored, authority.notAfter());

        assertThat(made.trusted()).hasSize(1).doesNotContain(authority.certificate());
        assertThat(made.isTrusted()).isTrue();
    }

    @Test
    void nothingOutlivesItsAuthority() {
        Instant late = authority.notAfter().minus(DAY);

        assertThat(leaf(authority, late).notAfter()).isEqualTo(authority.notAfter());
    }

    @Test
    void noTextShowsAKey() {
        IssuedCertificate stored = stored(leaf(authority, start));
        String key = CertificatePem.encode(authority.key())
                .lines()
                .skip(1)
                .findFirst()
                .orElseThrow();

        assertThat(List.of(
                        stored.toString(),
                        authority.toString(),
                        plan.planNextStep(stored, start).toString()))
                .noneMatch(text -> text.contains(key) || text.contains("PRIVATE"));
    }
}
