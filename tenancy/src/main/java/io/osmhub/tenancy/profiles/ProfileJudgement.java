package io.osmhub.tenancy.profiles;

import io.osmhub.core.osp.OperatingSystemProfile;
import io.osmhub.core.osp.OperatingSystemProfileStatus;
import io.osmhub.core.plan.Diagnosis;
import io.osmhub.core.problem.Finding;
import io.osmhub.core.problem.Message;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.render.CompiledProfile;
import io.osmhub.core.render.CompiledProfiles;
import io.osmhub.core.resource.Condition;
import io.osmhub.core.resource.Copies;
import io.osmhub.tenancy.catalog.ProfileContent;
import io.osmhub.tenancy.catalog.StoredProfile;
import io.osmhub.tenancy.profiles.ProfileTrials.Trial;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Whether a profile can be rendered for everything that it says it serves.
 *
 * @param problem null when it can
 */
public record ProfileJudgement(
        OperatingSystemProfileStatus status, @Nullable Diagnosis problem) {
    private static final String VALID = "Valid";

    /** Whether its status already says what came of just this content. */
    public static boolean isDone(StoredProfile profile) {
        OperatingSystemProfileStatus status = profile.status();
        return status != null
                && status.findings() != null
                && !profile.contentHash().isEmpty()
                && profile.contentHash().equals(status.contentHash())
                && Long.valueOf(profile.generation()).equals(status.observedGeneration())
                && Copies.stream(status.conditions())
                        .anyMatch(condition ->
                                condition.type().equals(VALID) && condition.status() != Condition.Status.UNKNOWN);
    }

    /** Compiles it if nobody did yet and, if that works, tries it; says what came of it. Waits for the trial. */
    public static ProfileJudgement of(
            StoredProfile profile, CompiledProfiles compiled, ProfileTrials trials, Instant now) {
        Finding mistake = mistake(profile, compiled);
        ProfileContent content = profile.content();
        Trial trial = mistake == null && content != null
                ? trials.of(profile.namespace(), content.hash(), content.spec())
                : null;
        if (trial != null) {
            mistake = trial.mistake();
        }
        String object = "OperatingSystemProfile " + profile.namespace() + "/" + profile.name();
        Diagnosis diagnosis = mistake == null
                ? verified(profile)
                : Diagnosis.of(
                        profile.namespace(),
                        new Finding(
                                mistake.reason(),
                                object,
                                mistake.field(),
                                mistake.line(),
                                mistake.column(),
                                mistake.what(),
                                mistake.cure()));
        Condition.Status status = mistake == null ? Condition.Status.TRUE : Condition.Status.FALSE;
        Condition condition = new Condition(
                VALID,
                status,
                profile.generation(),
                since(profile, status, now),
                diagnosis.reason().word(),
                diagnosis.message());
        OperatingSystemProfileStatus before = profile.status();
        return new ProfileJudgement(
                new OperatingSystemProfileStatus(
                        profile.generation(),
                        List.of(condition),
                        profile.contentHash().isEmpty() ? null : profile.contentHash(),
                        before == null ? null : before.usedBy(),
                        trial == null ? List.of() : trial.findings()),
                mistake == null ? null : diagnosis);
    }

    /** What people should look at though all can be rendered; null when lint found nothing. */
    public @Nullable Diagnosis warning(StoredProfile profile) {
        List<OperatingSystemProfileStatus.LintFinding> findings = status.findings();
        if (problem != null || findings == null || findings.isEmpty()) {
            return null;
        }
        String name = profile.namespace() + "/" + profile.name();
        OperatingSystemProfileStatus.LintFinding first = findings.getFirst();
        return Diagnosis.of(
                profile.namespace(),
                new Finding(
                        Reason.ProfileWarnings.word(),
                        "OperatingSystemProfile " + name,
                        "",
                        findings.size() + (findings.size() == 1 ? " finding" : " findings") + "; first: "
                                + (first.field() == null ? "" : first.field() + ": ") + first.message(),
                        "see hub lint -n " + profile.namespace() + " " + profile.name()));
    }

    private static @Nullable Finding mistake(StoredProfile profile, CompiledProfiles compiled) {
        ProfileContent content = profile.content();
        if (content == null) {
            return profile.mistakes().getFirst();
        }
        CompiledProfile made = content.compiled(compiled);
        return made.mistakes().isEmpty() ? null : made.mistakes().getFirst();
    }

    private static Diagnosis verified(StoredProfile profile) {
        ProfileContent content = profile.content();
        int templates = content == null
                ? 0
                : count(content.spec().bootstrapConfig()) + count(content.spec().provisioningConfig());
        String engine = content == null ? "" : content.spec().templateEngine().wireName();
        return new Diagnosis(
                Reason.TemplatesVerified,
                Message.of(
                        Reason.TemplatesVerified,
                        Map.of(
                                "tenant",
                                profile.namespace(),
                                "osp",
                                profile.namespace() + "/" + profile.name(),
                                "n",
                                Integer.toString(templates),
                                "engine",
                                engine)));
    }

    private static int count(OperatingSystemProfile.Config config) {
        return config.files().size() + config.templates().size();
    }

    /** The time of a condition moves only when its status does. */
    private static String since(StoredProfile profile, Condition.Status status, Instant now) {
        OperatingSystemProfileStatus before = profile.status();
        if (before != null && before.conditions() != null) {
            for (Condition condition : before.conditions()) {
                if (condition.type().equals(VALID) && condition.status() == status) {
                    return condition.lastTransitionTime();
                }
            }
        }
        return now.truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
