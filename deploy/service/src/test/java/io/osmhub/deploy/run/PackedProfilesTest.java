package io.osmhub.deploy.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.core.osp.ProfileContentHash;
import io.osmhub.core.render.CompiledProfile.CompiledProfileCache;
import io.osmhub.core.template.language.TemplateEngines;
import io.osmhub.tenancy.catalog.BundledProfile;
import io.osmhub.tenancy.catalog.ProfileVerifier;
import io.osmhub.workersync.reconcile.RenderExecutor;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a hub takes for granted of the profiles that it brings along: it does not try them again in each process. */
class PackedProfilesTest {
    private static final CompiledProfileCache COMPILED = new CompiledProfileCache(new TemplateEngines(), 1);

    @Test
    void noneHasAFinding() {
        ProfileVerifier trials = new ProfileVerifier(RenderExecutor.start(1), COMPILED, Set::of, System::nanoTime);

        assertThat(BundledProfile.all()).hasSizeGreaterThanOrEqualTo(8).allSatisfy(packed -> {
            ProfileVerifier.ProfileVerification trial = trials.verify(
                    "osm-profiles",
                    ProfileContentHash.of(packed.profile().spec()),
                    packed.profile().spec());
            assertThat(trial.findings()).isEmpty();
            assertThat(trial.mistake()).isNull();
        });
    }

    @Test
    void whatIsProvenIsNotTried() {
        ProfileVerifier trials = new ProfileVerifier(RenderExecutor.start(1), COMPILED, BundledProfile::hashes, () -> {
            throw new AssertionError("tried");
        });

        assertThat(BundledProfile.all()).allSatisfy(packed -> assertThat(trials.verify(
                                "osm-profiles",
                                ProfileContentHash.of(packed.profile().spec()),
                                packed.profile().spec())
                        .findings())
                .isEmpty());
    }
}
