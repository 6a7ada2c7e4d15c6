package io.osmhub.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.core.render.CompiledProfile;
import io.osmhub.core.render.CompiledProfile.CompiledProfileCache;
import io.osmhub.core.template.language.TemplateEngines;
import org.junit.jupiter.api.Test;

class WorkloadTest {
    private final Workload own = Workload.forName(Workload.OWN);

    @Test
    void hasDocumentsOfTheUsualSize() {
        Workload.RenderedTexts texts = own.render(own.input(own.compile()));

        assertThat(texts.provisioning()).startsWith("#cloud-config").hasSizeBetween(20_000, 25_000);
        assertThat(texts.bootstrap()).startsWith("#cloud-config").hasSizeBetween(3_500, 6_000);
        assertThat(texts.osc()).hasSizeBetween(20_000, 25_000);
    }

    @Test
    void extensionsChangeTheOscInEachWay() {
        Workload extended = Workload.forName(Workload.OWN_EXTENDED);

        String osc = extended.render(extended.input(extended.compile())).osc();

        assertThat(osc)
                .contains(
                        "/usr/local/share/ca-certificates/corp-root.crt",
                        "--no-install-recommends",
                        "# for kubelet v1.33.1",
                        "/opt/osm/extensions/before/S0500-corp-audit",
                        "/opt/osm/extensions/after/S0500-corp-audit",
                        "cpuManagerPolicy: static");
    }

    @Test
    void tenantsWithTheSameProfileShareItsCompiledForm() {
        CompiledProfileCache profiles = new CompiledProfileCache(new TemplateEngines(), 1);
        CompiledProfile first = profiles.getOrCompile(own.decodeAgain());

        assertThat(profiles.getOrCompile(own.decodeAgain())).isSameAs(first);
    }
}
