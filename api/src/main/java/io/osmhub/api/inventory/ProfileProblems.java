package io.osmhub.api.inventory;

import io.osmhub.core.osp.OperatingSystemProfileStatus;
import io.osmhub.core.resource.Condition;
import io.osmhub.tenancy.catalog.StoredProfile;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Problems in the status of a profile. */
final class ProfileProblems {
    private ProfileProblems() {}

    /** By id. {@code counts}: MachineDeployments that use it, by their effect on new nodes. */
    static Map<String, ProblemRow> of(StoredProfile profile, int[] counts) {
        OperatingSystemProfileStatus status = profile.status();
        Map<String, ProblemRow> problems = new HashMap<>();
        for (Condition condition :
                status == null || status.conditions() == null ? List.<Condition>of() : status.conditions()) {
            if (StatusParser.isProblem(condition)) {
                ProblemRow.ProblemSubject about = new ProblemRow.ProblemSubject(
                        profile.namespace(), "", ProblemRow.Kind.PROFILE, profile.namespace(), profile.name());
                ProblemRow row = ProblemRow.open(
                        about,
                        StatusParser.reason(condition.reason()),
                        condition.message(),
                        Objects.requireNonNullElse(StatusParser.time(condition.lastTransitionTime()), Instant.EPOCH),
                        counts);
                problems.put(row.id(), row);
            }
        }
        return problems;
    }
}
