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

class BriefChainTest {
    @Test
    void whatIsCurrentIsWholeAndWhatIsNotKnownWaits() {
        assertThat(BriefChain.of(NewNodes.CURRENT, null)).isEqualTo(Collections.nCopies(7, OK));
        assertThat(BriefChain.of(NewNodes.PENDING, null)).isEqualTo(Collections.nCopies(7, WAITING));
    }

    @Test
    void whatComesAfterTheBrokenLinkFollowsFromIt() {
        assertThat(BriefChain.of(NewNodes.BLOCKED, Reason.UserDataTooLarge))
                .containsExactly(OK, BROKEN, WAITING, WAITING, WAITING, WAITING, WAITING);
        assertThat(BriefChain.of(NewNodes.OUTDATED, Reason.ProfileNotFound))
                .containsExactly(BROKEN, WAITING, OLDER_KEPT, OLDER_KEPT, WAITING, WAITING, WAITING);
        assertThat(BriefChain.of(NewNodes.AT_RISK, Reason.WorkerClusterUnreachable))
                .containsExactly(OK, OK, OK, OK, OK, BROKEN, OK);
    }

    @Test
    void aReasonThatDoesNotSayWhichObjectBreaksNoLink() {
        assertThat(BriefChain.of(NewNodes.BLOCKED, Reason.WriteForbidden)).isEqualTo(Collections.nCopies(7, WAITING));
    }

    @ParameterizedTest
    @EnumSource(Reason.class)
    void atMostOneLinkIsBroken(Reason reason) {
        for (NewNodes newNodes : NewNodes.values()) {
            assertThat(BriefChain.of(newNodes, reason)).hasSize(7);
            assertThat(Collections.frequency(BriefChain.of(newNodes, reason), BROKEN))
                    .isLessThanOrEqualTo(1);
        }
    }
}
