package io.osmhub.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.core.render.CompiledProfile;
import io.osmhub.core.render.CompiledProfiles;
import io.osmhub.core.render.TemplateLanguages;
import org.junit.jupiter.api.Test;

class WorkloadTest {
    private final Workload own = Workload.named(Workload.OWN);

    @Test
    void hasDocumentsOfTheUsualSize() {
        Workload.Texts texts = own.render(own.input(own.compile()));

        assertThat(texts.provisioning()).startsWith("#cloud-config").hasSizeBetween(20_000, 25_000);
        assertThat(texts.bootstrap()).startsWith("#cloud-config").hasSizeBetween(3_500, 6_000);
        assertThat(texts.osc()).hasSizeBetween(20_000, 25_000);
    }

    @Test
    void tenantsWithTheSameProfileShareItsCompiledForm() {
        CompiledProfiles profiles = new CompiledProfiles(new TemplateLanguages(), 1);
        CompiledProfile first = profiles.of(own.decodedAgain());

        assertThat(profiles.of(own.decodedAgain())).isSameAs(first);
    }
}
