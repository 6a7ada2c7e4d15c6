package io.osmhub.core.status;

import io.osmhub.core.bootstrap.Stamps;
import io.osmhub.core.osc.OperatingSystemConfigStatus;
import io.osmhub.core.osc.OperatingSystemConfigStatus.ChangeResult;
import io.osmhub.core.plan.Change;
import io.osmhub.core.plan.Decision.Outcome;
import io.osmhub.core.plan.Diagnosis;
import io.osmhub.core.plan.Marks;
import io.osmhub.core.plan.SecretRole;
import io.osmhub.core.plan.StoredConfig;
import io.osmhub.core.plan.StoredSecret;
import io.osmhub.core.plan.Why;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.resource.Copies;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The last changes of what is published, newest first. Renewals of tokens are not among them: they change nothing that is seen. */
final class History {
    private static final int LONGEST = 10;
    private static final int LONGEST_SENTENCE = 512;

    private final Run run;
    private final PublishedSet published;
    private final @Nullable OperatingSystemConfigStatus before;

    History(Run run, PublishedSet published, @Nullable OperatingSystemConfigStatus before) {
        this.run = run;
        this.published = published;
        this.before = before;
    }

    List<OperatingSystemConfigStatus.Change> list() {
        List<OperatingSystemConfigStatus.Change> history = new ArrayList<>();
        OperatingSystemConfigStatus.Change last = Copies.stream(before == null ? null : before.history())
                .findFirst()
                .orElse(null);
        OperatingSystemConfigStatus.Change latest = latest();
        if (latest != null && !(last != null && isRepetition(latest, last))) {
            history.add(latest);
        }
        Copies.stream(before == null ? null : before.history())
                .limit(LONGEST - history.size())
                .forEach(history::add);
        return history;
    }

    /** The same refusal at each run is one. */
    private static boolean isRepetition(
            OperatingSystemConfigStatus.Change latest, OperatingSystemConfigStatus.Change last) {
        return latest.result() == ChangeResult.REFUSED
                && last.result() == ChangeResult.REFUSED
                && latest.because().equals(last.because());
    }

    private OperatingSystemConfigStatus.@Nullable Change latest() {
        Why why = null;
        for (Change change : run.done()) {
            if (tells(change.why().cause()) && (why == null || why.cause() == Why.Cause.DRIFT)) {
                why = change.why();
            }
        }
        if (why != null) {
            boolean restored = why.cause() == Why.Cause.DRIFT;
            return entry(restored ? ChangeResult.RESTORED : ChangeResult.PUBLISHED, reason(why), why.because());
        }
        boolean refused = run.decision().outcome() instanceof Outcome.Held
                || run.decision().outcome() instanceof Outcome.NotRendered;
        if (refused && !run.decision().problems().isEmpty()) {
            Diagnosis problem = run.decision().problems().getFirst();
            return entry(ChangeResult.REFUSED, problem.reason(), problem.message());
        }
        return adopted()
                ? entry(
                        ChangeResult.ADOPTED,
                        Reason.ObjectsAdopted,
                        "objects of operating-system-manager were found right")
                : null;
    }

    private static boolean tells(Why.Cause cause) {
        return switch (cause) {
            case FIRST, CONTENT, REVISION, DRIFT, NEW_TOKEN -> true;
            case RENEWAL, REMOVAL -> false;
        };
    }

    private static Reason reason(Why why) {
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
                && !config.annotations().containsKey(Marks.OWNER)
                && run.decision().outcome() instanceof Outcome.Wanted;
    }

    private OperatingSystemConfigStatus.Change entry(ChangeResult result, Reason reason, String because) {
        StoredSecret old = run.facts().found().secret(SecretRole.BOOTSTRAP);
        String from = old == null ? "" : old.annotations().getOrDefault(Stamps.REVISION, "");
        String to = published.revision(SecretRole.BOOTSTRAP);
        long writes = run.done().stream().filter(History::isInWorker).count();
        return new OperatingSystemConfigStatus.Change(
                Wording.time(run.facts().now()),
                result,
                reason.word(),
                because.length() <= LONGEST_SENTENCE ? because : because.substring(0, LONGEST_SENTENCE - 3) + "...",
                Copies.nullIfEmpty(from),
                to == null ? null : Copies.nullIfEmpty(to),
                result == ChangeResult.REFUSED ? null : Integer.valueOf((int) writes),
                result == ChangeResult.REFUSED
                        ? null
                        : Integer.valueOf((int) run.took().toMillis()));
    }

    private static boolean isInWorker(Change change) {
        return !(change instanceof Change.CreateConfig
                || change instanceof Change.ReplaceConfig
                || change instanceof Change.DeleteConfig);
    }
}
