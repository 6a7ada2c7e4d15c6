package io.osmhub.core.render;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.osmhub.core.model.Sensitive;
import io.osmhub.core.plan.Facts;
import io.osmhub.core.plan.Facts.LookupResult;
import io.osmhub.core.plan.World;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.ProblemObject;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.render.Renderer.RenderInput;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LimitViolationCacheTest {
    private static final Instant NOW = Instant.parse("2026-03-01T08:00:00Z");

    private final LimitViolationCache limits = new LimitViolationCache();
    private RenderInput input = input(new RenderInput.References("CA", "", RegistryCredentials.NONE, null));
    private int renderings;

    private static RenderInput input(RenderInput.References references) {
        Facts facts = new World(1).machineDeployment("kube-system", "workers").facts("kube-system/workers");
        return new RenderInput(
                facts.tenant().namespace(),
                facts.machineDeployment(),
                found(facts.profile()),
                facts.tenant().settings(),
                new RenderInput.BootstrapAccess(
                        found(facts.apiServer()), new Sensitive("join"), new Sensitive("fetch")),
                references);
    }

    private static <T> T found(LookupResult<T> lookup) {
        return Objects.requireNonNull(lookup.value());
    }

    private void exceed(Reason reason, Instant now) {
        assertThatExceptionOfType(TenantMistake.class)
                .isThrownBy(() -> limits.render(input, now, () -> {
                    renderings++;
                    throw new TenantMistake(new Problem(reason, ProblemObject.NONE, "", "exceeded", ""));
                }));
    }

    @ParameterizedTest
    @CsvSource({"TemplateLimitExceeded, 600", "TemplateTimeLimitExceeded, 30"})
    void theLimitOfTimeIsTriedAgainSooner(Reason reason, int seconds) {
        exceed(reason, NOW);

        exceed(reason, NOW.plusSeconds(seconds - 1));
        assertThat(renderings).isEqualTo(1);

        exceed(reason, NOW.plusSeconds(seconds));
        assertThat(renderings).isEqualTo(2);
    }

    @Test
    void anotherFaultOfTheNextTryIsNotHidden() {
        exceed(Reason.TemplateLimitExceeded, NOW);
        Instant later = NOW.plus(Duration.ofMinutes(10));
        assertThatIllegalStateException()
                .isThrownBy(() -> limits.render(input, later, () -> {
                    throw new IllegalStateException("a fault");
                }));

        exceed(Reason.TemplateLimitExceeded, later);

        assertThat(renderings).isEqualTo(2);
    }

    @Test
    void aCorrectedReferenceHasAnEffectAtOnce() {
        exceed(Reason.TemplateLimitExceeded, NOW);

        input = input(
                new RenderInput.References("CA", "", RegistryCredentials.NONE, new Sensitive("http://proxy.example")));
        exceed(Reason.TemplateLimitExceeded, NOW);
        input = input(new RenderInput.References("CA", "host", RegistryCredentials.NONE, null));
        exceed(Reason.TemplateLimitExceeded, NOW);

        assertThat(renderings).isEqualTo(3);
    }
}
