package io.osmhub.api.diagnosis;

import static io.osmhub.api.schema.WhyReport.Link.LinkState.BROKEN;
import static io.osmhub.api.schema.WhyReport.Link.LinkState.OK;
import static io.osmhub.api.schema.WhyReport.Link.LinkState.OLDER_KEPT;
import static io.osmhub.api.schema.WhyReport.Link.LinkState.UNKNOWN;
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
        assertThat(ChainSummary.of(NewNodes.CURRENT, null, true)).isEqualTo(Collections.nCopies(7, OK));
        assertThat(ChainSummary.of(NewNodes.PENDING, null, true))
                .containsExactly(WAITING, WAITING, WAITING, WAITING, WAITING, OK, WAITING);
    }

    @Test
    void whatComesAfterTheBrokenLinkFollowsFromIt() {
        assertThat(ChainSummary.of(NewNodes.BLOCKED, Reason.UserDataTooLarge, true))
                .containsExactly(OK, BROKEN, WAITING, WAITING, WAITING, OK, WAITING);
        assertThat(ChainSummary.of(NewNodes.OUTDATED, Reason.ProfileNotFound, true))
                .containsExactly(BROKEN, WAITING, OLDER_KEPT, OLDER_KEPT, WAITING, OK, WAITING);
        assertThat(ChainSummary.of(NewNodes.AT_RISK, Reason.WorkerClusterUnreachable, true))
                .containsExactly(OK, OK, OK, OK, OK, BROKEN, OK);
    }

    @Test
    void linksInAWorkerClusterAreUnknownWithoutAConnection() {
        assertThat(ChainSummary.of(NewNodes.AT_RISK, Reason.WorkerClusterUnreachable, false))
                .containsExactly(OK, OK, UNKNOWN, UNKNOWN, UNKNOWN, BROKEN, UNKNOWN);
        assertThat(ChainSummary.of(NewNodes.CURRENT, null, false))
                .containsExactly(OK, OK, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN);
        assertThat(ChainSummary.of(NewNodes.OUTDATED, Reason.ProfileNotFound, false))
                .containsExactly(BROKEN, WAITING, OLDER_KEPT, OLDER_KEPT, WAITING, UNKNOWN, WAITING);
    }

    @Test
    void aReasonThatDoesNotSayWhichObjectBreaksNoLink() {
        assertThat(ChainSummary.of(NewNodes.BLOCKED, Reason.WriteForbidden, true))
                .containsExactly(WAITING, WAITING, WAITING, WAITING, WAITING, OK, WAITING);
    }

    @ParameterizedTest
    @EnumSource(Reason.class)
    void atMostOneLinkIsBroken(Reason reason) {
        for (NewNodes newNodes : NewNodes.values()) {
            assertThat(ChainSummary.of(newNodes, reason, true)).hasSize(7);
            assertThat(Collections.frequency(ChainSummary.of(newNodes, reason, true), BROKEN))
                    .isLessThanOrEqualTo(1);
        }
    }
}
