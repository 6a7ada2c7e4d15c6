package io.osmhub.api.diagnosis;

import static io.osmhub.api.schema.WhyReport.Link.LinkState.BROKEN;
import static io.osmhub.api.schema.WhyReport.Link.LinkState.OK;
import static io.osmhub.api.schema.WhyReport.Link.LinkState.OLDER_KEPT;
import static io.osmhub.api.schema.WhyReport.Link.LinkState.WAITING;
import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.core.osc.OperatingSystemConfigStatus.NewNodes;
import io.osmhub.core.problem.Reason;
import java.util.Collections;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ChainSummaryTest {
    @Test
    void whatIsCurrentIsWholeAndWhatIsNotKnownWaits() {
        assertThat(ChainSummary.of(NewNodes.CURRENT, null)).isEqualTo(Collections.nCopies(7, OK));
        assertThat(ChainSummary.of(NewNodes.PENDING, null)).isEqualTo(Collections.nCopies(7, WAITING));
    }

    @Test
    void whatComesAfterTheBrokenLinkFollowsFromIt() {
        assertThat(ChainSummary.of(NewNodes.BLOCKED, Reason.UserDataTooLarge))
                .containsExactly(OK, BROKEN, WAITING, WAITING, WAITING, WAITING, WAITING);
        assertThat(ChainSummary.of(NewNodes.OUTDATED, Reason.ProfileNotFound))
                .containsExactly(BROKEN, WAITING, OLDER_KEPT, OLDER_KEPT, WAITING, WAITING, WAITING);
        assertThat(ChainSummary.of(NewNodes.AT_RISK, Reason.WorkerClusterUnreachable))
                .containsExactly(OK, OK, OK, OK, OK, BROKEN, OK);
    }

    @Test
    void aReasonThatDoesNotSayWhichObjectBreaksNoLink() {
        assertThat(ChainSummary.of(NewNodes.BLOCKED, Reason.WriteForbidden)).isEqualTo(Collections.nCopies(7, WAITING));
    }

    @ParameterizedTest
    @EnumSource(Reason.class)
    void atMostOneLinkIsBroken(Reason reason) {
        for (NewNodes newNodes : NewNodes.values()) {
            assertThat(ChainSummary.of(newNodes, reason)).hasSize(7);
            assertThat(Collections.frequency(ChainSummary.of(newNodes, reason), BROKEN))
                    .isLessThanOrEqualTo(1);
        }
    }
}
