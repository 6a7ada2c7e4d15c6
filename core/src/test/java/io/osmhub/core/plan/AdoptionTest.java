package io.osmhub.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.core.corpus.OsmFixtures;
import io.osmhub.core.corpus.PeersWorld;
import io.osmhub.core.corpus.PipelineCase;
import io.osmhub.core.corpus.PipelineCorpus;
import io.osmhub.core.plan.StoredSecret.SecretRole;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.template.Sandbox.RenderLimits;
import io.osmhub.core.template.corpus.UnsupportedCases;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;

/** Taking over from OSM, for every pipeline case: what it left is right, so nothing is written. */
class AdoptionTest {
    private final Decider decider = new Decider(RenderLimits.DEFAULT, System::nanoTime, new Random(1));

    @Test
    void nothingOfThePeersIsWritten(TestReporter reporter) {
        PipelineCorpus corpus = OsmFixtures.all();
        List<String> written = new ArrayList<>();
        int adopted = 0;
        for (String name : corpus.names()) {
            PipelineCase test = corpus.read(name);
            // Defects of OSM are fixed, and objects that a case declares as existing were not rendered.
            // No kubelet can read what OSM rendered for the odd one, so it is not published again.
            boolean unreadable = name.equals("ubuntu-aws-kubelet-config-odd");
            boolean refused = UnsupportedCases.refusedName(name) != null;
            if (!refused && !name.startsWith("defect-") && !name.startsWith("existing-") && !unreadable) {
                adopted += adopt(test, written);
            }
        }

        reporter.publishEntry("adopted cases", String.valueOf(adopted));
        assertThat(adopted).isPositive();
        assertThat(written).isEmpty();
    }

    private int adopt(PipelineCase test, List<String> written) {
        PeersWorld world;
        try {
            world = new PeersWorld(test);
        } catch (TenantMistake e) {
            return 0;
        }
        Decision decision = decider.decide(world.facts());
        assertThat(decision.outcome()).as(test.name()).isNotInstanceOf(Decision.Outcome.Failed.class);
        if (!world.isWhole()) {
            return 0;
        }
        assertThat(decision.outcome())
                .as(test.name() + decision.problems())
                .isInstanceOf(Decision.Outcome.Published.class);
        for (PlannedChange change : decision.changes()) {
            // The edge script is ours.
            boolean allowed = change instanceof PlannedChange.Create && change.role() == SecretRole.EDGE_SCRIPT;
            if (!allowed) {
                written.add(test.name() + ": " + change.describe() + " because "
                        + change.reason().explanation());
            }
        }
        return 1;
    }
}
