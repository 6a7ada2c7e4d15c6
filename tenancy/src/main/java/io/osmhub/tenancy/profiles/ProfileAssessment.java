package io.osmhub.tenancy.profiles;

import io.osmhub.core.osp.OperatingSystemProfile;
import io.osmhub.core.osp.OperatingSystemProfileStatus;
import io.osmhub.core.problem.ProblemFinding;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.ReasonMessage;
import io.osmhub.core.render.CompiledProfile;
import io.osmhub.core.render.CompiledProfileCache;
import io.osmhub.core.resource.Condition;
import io.osmhub.core.resource.NullableCollections;
import io.osmhub.tenancy.catalog.ProfileContent;
import io.osmhub.tenancy.catalog.StoredProfile;
import io.osmhub.tenancy.profiles.ProfileVerifier.ProfileVerification;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whether a profile can be rendered for everything that it declares.
 *
 * @param problem null if it can
 */
public record ProfileAssessment(
        OperatingSystemProfileStatus status, @Nullable ReasonMessage problem) {
    private static final String VALID = "Valid";

    /** Whether the status already contains the result for this content. */
    public static boolean isDone(StoredProfile profile) {
        OperatingSystemProfileStatus status = profile.status();
        return status != null
                && status.findings() != null
                && !profile.contentHash().isEmpty()
                && profile.contentHash().equals(status.contentHash())
                && Long.valueOf(profile.generation()).equals(status.observedGeneration())
                && NullableCollections.stream(status.conditions())
                        .anyMatch(condition ->
                                condition.type().equals(VALID) && condition.status() != Condition.Status.UNKNOWN);
    }

    /** Compiles a profile unless done and verifies it; blocks. */
    public static ProfileAssessment of(
            StoredProfile profile, CompiledProfileCache compiled, ProfileVerifier trials, Instant now) {
        ProblemFinding mistake = mistake(profile, compiled);
        ProfileContent content = profile.content();
        ProfileVerification trial = mistake == null && content != null
                ? trials.verify(profile.namespace(), content.hash(), content.spec())
                : null;
        if (trial != null) {
            mistake = trial.mistake();
        }
        String object = "OperatingSystemProfile " + profile.namespace() + "/" + profile.name();
        ReasonMessage diagnosis = mistake == null
                ? verified(profile)
                : ReasonMessage.of(
                        profile.namespace(),
                        new ProblemFinding(
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
                diagnosis.reason().wireName(),
                diagnosis.message());
        OperatingSystemProfileStatus before = profile.status();
        return new ProfileAssessment(
                new OperatingSystemProfileStatus(
                        profile.generation(),
                        List.of(condition),
                        profile.contentHash().isEmpty() ? null : profile.contentHash(),
                        before == null ? null : before.usedBy(),
                        trial == null ? List.of() : trial.findings()),
                mistake == null ? null : diagnosis);
    }

    /** Lint findings that do not prevent rendering; null if there are none. */
    public @Nullable ReasonMessage warning(StoredProfile profile) {
        List<OperatingSystemProfileStatus.ReportedLintFinding> findings = status.findings();
        if (problem != null || findings == null || findings.isEmpty()) {
            return null;
        }
        String name = profile.namespace() + "/" + profile.name();
        OperatingSystemProfileStatus.ReportedLintFinding first = findings.getFirst();
        return ReasonMessage.of(
                profile.namespace(),
                new ProblemFinding(
                        Reason.ProfileWarnings.wireName(),
                        "OperatingSystemProfile " + name,
                        "",
                        findings.size() + (findings.size() == 1 ? " finding" : " findings") + "; first: "
                                + (first.field() == null ? "" : first.field() + ": ") + first.message(),
                        "see hub lint -n " + profile.namespace() + " " + profile.name()));
    }

    private static @Nullable ProblemFinding mistake(StoredProfile profile, CompiledProfileCache compiled) {
        ProfileContent content = profile.content();
        if (content == null) {
            return profile.mistakes().getFirst();
        }
        CompiledProfile made = content.compiled(compiled);
        return made.mistakes().isEmpty() ? null : made.mistakes().getFirst();
    }

    private static ReasonMessage verified(StoredProfile profile) {
        ProfileContent content = profile.content();
        int templates = content == null
                ? 0
                : count(content.spec().bootstrapConfig()) + count(content.spec().provisioningConfig());
        String engine = content == null ? "" : content.spec().templateEngine().wireName();
        return Reason.TemplatesVerified.with(
                "tenant",
                profile.namespace(),
                "osp",
                profile.namespace() + "/" + profile.name(),
                "n",
                Integer.toString(templates),
                "engine",
                engine);
    }

    private static int count(OperatingSystemProfile.Config config) {
        return config.files().size() + config.templates().size();
    }

    /** A condition's transition time changes only with its status. */
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
