package io.osmhub.core.status;

import io.osmhub.core.bootstrap.SourceAnnotations;
import io.osmhub.core.osc.OperatingSystemConfigStatus;
import io.osmhub.core.osc.OperatingSystemConfigStatus.ChangeResult;
import io.osmhub.core.plan.ChangeReason;
import io.osmhub.core.plan.Decision.Outcome;
import io.osmhub.core.plan.OwnershipAnnotations;
import io.osmhub.core.plan.PlannedChange;
import io.osmhub.core.plan.SecretRole;
import io.osmhub.core.plan.StoredConfig;
import io.osmhub.core.plan.StoredSecret;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.ReasonMessage;
import io.osmhub.core.resource.NullableCollections;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The latest changes of published content, newest first. Token renewals are left out: they change nothing visible. */
final class ChangeHistory {
    private static final int LONGEST = 10;
    private static final int LONGEST_SENTENCE = 512;

    private final RunResult run;
    private final PublishedState published;
    private final @Nullable OperatingSystemConfigStatus before;

    ChangeHistory(RunResult run, PublishedState published, @Nullable OperatingSystemConfigStatus before) {
        this.run = run;
        this.published = published;
        this.before = before;
    }

    List<OperatingSystemConfigStatus.ChangeEntry> build() {
        List<OperatingSystemConfigStatus.ChangeEntry> history = new ArrayList<>();
        OperatingSystemConfigStatus.ChangeEntry last = NullableCollections.stream(
                        before == null ? null : before.history())
                .findFirst()
                .orElse(null);
        OperatingSystemConfigStatus.ChangeEntry latest = latest();
        if (latest != null && !(last != null && isRepetition(latest, last))) {
            history.add(latest);
        }
        NullableCollections.stream(before == null ? null : before.history())
                .limit(LONGEST - history.size())
                .forEach(history::add);
        return history;
    }

    /** A rejection repeated by each run counts once. */
    private static boolean isRepetition(
            OperatingSystemConfigStatus.ChangeEntry latest, OperatingSystemConfigStatus.ChangeEntry last) {
        return latest.result() == ChangeResult.REFUSED
                && last.result() == ChangeResult.REFUSED
                && latest.because().equals(last.because());
    }

    private OperatingSystemConfigStatus.@Nullable ChangeEntry latest() {
        ChangeReason why = null;
        for (PlannedChange change : run.appliedChanges()) {
            if (isRecorded(change.reason().cause()) && (why == null || why.cause() == ChangeReason.Cause.DRIFT)) {
                why = change.reason();
            }
        }
        if (why != null) {
            boolean restored = why.cause() == ChangeReason.Cause.DRIFT;
            return entry(restored ? ChangeResult.RESTORED : ChangeResult.PUBLISHED, reason(why), why.explanation());
        }
        boolean refused = run.decision().outcome() instanceof Outcome.NotPublished
                || run.decision().outcome() instanceof Outcome.NotRendered;
        if (refused && !run.decision().problems().isEmpty()) {
            ReasonMessage problem = run.decision().problems().getFirst();
            return entry(ChangeResult.REFUSED, problem.reason(), problem.message());
        }
        return adopted()
                ? entry(ChangeResult.ADOPTED, Reason.ObjectsAdopted, "objects of operating-system-manager were adopted")
                : null;
    }

    private static boolean isRecorded(ChangeReason.Cause cause) {
        return switch (cause) {
            case FIRST, CONTENT, REVISION, DRIFT, NEW_TOKEN -> true;
            case RENEWAL, REMOVAL -> false;
        };
    }

    private static Reason reason(ChangeReason why) {
        return switch (why.cause()) {
            case DRIFT -> Reason.DriftRepaired;
            case NEW_TOKEN -> Reason.BootstrapTokenReplaced;
            case FIRST, CONTENT, REVISION, RENEWAL, REMOVAL -> Reason.ConfigRotated;
        };
    }

    private boolean adopted() {
        StoredConfig config = run.facts().found().config();
        return before == null
                && config != null
                && !config.annotations().containsKey(OwnershipAnnotations.OWNER)
                && run.decision().outcome() instanceof Outcome.Published;
    }

    private OperatingSystemConfigStatus.ChangeEntry entry(ChangeResult result, Reason reason, String because) {
        StoredSecret old = run.facts().found().secret(SecretRole.BOOTSTRAP);
        String from = old == null ? "" : old.annotations().getOrDefault(SourceAnnotations.REVISION, "");
        String to = published.revision(SecretRole.BOOTSTRAP);
        long writes =
                run.appliedChanges().stream().filter(ChangeHistory::isInWorker).count();
        return new OperatingSystemConfigStatus.ChangeEntry(
                UnitFormatter.formatTime(run.facts().now()),
                result,
                reason.wireName(),
                because.length() <= LONGEST_SENTENCE ? because : because.substring(0, LONGEST_SENTENCE - 3) + "...",
                NullableCollections.nullIfEmpty(from),
                to == null ? null : NullableCollections.nullIfEmpty(to),
                result == ChangeResult.REFUSED ? null : Integer.valueOf((int) writes),
                result == ChangeResult.REFUSED
                        ? null
                        : Integer.valueOf((int) run.duration().toMillis()));
    }

    private static boolean isInWorker(PlannedChange change) {
        return !(change instanceof PlannedChange.CreateConfig
                || change instanceof PlannedChange.ReplaceConfig
                || change instanceof PlannedChange.DeleteConfig);
    }
}
