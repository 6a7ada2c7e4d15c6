package io.osmhub.core.render;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.osmhub.core.model.Sensitive;
import io.osmhub.core.plan.Facts;
import io.osmhub.core.plan.Facts.LookupResult;
import io.osmhub.core.plan.World;
import io.osmhub.core.problem.ProblemFinding;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.render.Renderer.RenderInput;
import io.osmhub.core.template.Sandbox.RenderLimits;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LimitViolationCacheTest {
    private static final Instant NOW = Instant.parse("2026-03-01T08:00:00Z");

    private final LimitViolationCache limits = new LimitViolationCache();
    private RenderInput input = input(new RenderInput.References("CA", "", RegistryCredentials.NONE, null, Map.of()));
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
                references,
                facts.references());
    }

    private static <T> T found(LookupResult<T> lookup) {
        return ((LookupResult.Found<T>) lookup).value();
    }

    private void exceed(String what, Instant now) {
        assertThatExceptionOfType(TenantMistake.class)
                .isThrownBy(() -> limits.render(input, now, () -> {
                    renderings++;
                    throw new TenantMistake(new ProblemFinding("TemplateLimitExceeded", "", "", what, ""));
                }));
    }

    @ParameterizedTest
    @CsvSource({"more than 5000000 steps, 600", "longer than 2s (limit " + RenderLimits.BY_THE_CLOCK + "), 30"})
    void theLimitOfTimeIsTriedAgainSooner(String what, int seconds) {
        exceed(what, NOW);

        exceed(what, NOW.plusSeconds(seconds - 1));
        assertThat(renderings).isEqualTo(1);

        exceed(what, NOW.plusSeconds(seconds));
        assertThat(renderings).isEqualTo(2);
    }

    @Test
    void anotherFaultOfTheNextTryIsNotHidden() {
        exceed("more than 5000000 steps", NOW);
        Instant later = NOW.plus(Duration.ofMinutes(10));
        assertThatIllegalStateException()
                .isThrownBy(() -> limits.render(input, later, () -> {
                    throw new IllegalStateException("a fault");
                }));

        exceed("more than 5000000 steps", later);

        assertThat(renderings).isEqualTo(2);
    }

    @Test
    void aCorrectedReferenceHasAnEffectAtOnce() {
        exceed("more than 5000000 steps", NOW);

        input = input(new RenderInput.References(
                "CA", "", RegistryCredentials.NONE, new Sensitive("http://proxy.example"), Map.of()));
        exceed("more than 5000000 steps", NOW);
        input = input(new RenderInput.References("CA", "", RegistryCredentials.NONE, null, Map.of("OS_REGION", "a")));
        exceed("more than 5000000 steps", NOW);

        assertThat(renderings).isEqualTo(3);
    }
}
