package io.osmhub.deploy.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.core.osp.ContentHash;
import io.osmhub.tenancy.profiles.PackedProfile;
import io.osmhub.tenancy.profiles.ProfileTrials;
import io.osmhub.workersync.reconcile.RenderThreads;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a hub takes for granted of the profiles that it brings along: it does not try them again in each process. */
class PackedProfilesTest {
    @Test
    void noneHasAFinding() {
        ProfileTrials trials = new ProfileTrials(RenderThreads.start(1), Set::of, System::nanoTime);

        assertThat(PackedProfile.all()).hasSizeGreaterThanOrEqualTo(8).allSatisfy(packed -> {
            ProfileTrials.Trial trial = trials.of(
                    "osm-profiles",
                    ContentHash.of(packed.profile().spec()),
                    packed.profile().spec());
            assertThat(trial.findings()).isEmpty();
            assertThat(trial.mistake()).isNull();
        });
    }

    @Test
    void whatIsProvenIsNotTried() {
        ProfileTrials trials = new ProfileTrials(RenderThreads.start(1), PackedProfile::hashes, () -> {
            throw new AssertionError("tried");
        });

        assertThat(PackedProfile.all()).allSatisfy(packed -> assertThat(trials.of(
                                "osm-profiles",
                                ContentHash.of(packed.profile().spec()),
                                packed.profile().spec())
                        .findings())
                .isEmpty());
    }
}
