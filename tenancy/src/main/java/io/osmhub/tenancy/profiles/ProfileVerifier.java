package io.osmhub.tenancy.profiles;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.lint.LintFinding;
import io.osmhub.core.lint.LintFinding.LintRule;
import io.osmhub.core.lint.LintFinding.LintSeverity;
import io.osmhub.core.lint.Linter;
import io.osmhub.core.lint.Linter.ProfileLintReport;
import io.osmhub.core.lint.ScriptChecker;
import io.osmhub.core.osp.OperatingSystemProfile;
import io.osmhub.core.osp.OperatingSystemProfileStatus;
import io.osmhub.core.osp.ProfileAnnotations;
import io.osmhub.core.osp.ProfileContentHash;
import io.osmhub.core.problem.MessageFormatter;
import io.osmhub.core.problem.ProblemFinding;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.ReasonMessage;
import io.osmhub.core.render.CompiledProfile;
import io.osmhub.core.render.CompiledProfile.CompiledProfileCache;
import io.osmhub.core.resource.Condition;
import io.osmhub.core.resource.NullableCollections;
import io.osmhub.core.resource.ProblemSeverity;
import io.osmhub.core.template.Sandbox.RenderLimits;
import io.osmhub.tenancy.catalog.StoredProfile;
import io.osmhub.tenancy.catalog.StoredProfile.ProfileContent;
import io.osmhub.tenancy.wire.WireJson;
import io.osmhub.workersync.reconcile.RenderExecutor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Renders profiles for everything that they declare, as {@code hub lint} does: each content once, regardless of the number of
 * tenants, on threads that do not publish. Skips bundled profiles, which were verified at build time. Blocks.
 */
public final class ProfileVerifier {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final int REMEMBERED = 512;
    private static final int MOST_FINDINGS = 20;
    private static final int LONGEST_MESSAGE = 1024;
    private static final int LONGEST_FIELD = 512;
    private static final ProfileVerification NOTHING_FOUND = new ProfileVerification(List.of(), null);

    private final RenderExecutor threads;
    private final LongSupplier nanoTime;
    private final Supplier<Set<String>> proven;
    private final Map<String, ProfileVerification> known = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, ProfileVerification> eldest) {
            return size() > REMEMBERED;
        }
    };

    /**
     * Result of verifying a profile.
     *
     * @param findings errors first, at most as many as a status lists
     * @param mistake why some declared machine cannot be rendered; null if all can
     */
    public record ProfileVerification(
            List<OperatingSystemProfileStatus.ReportedLintFinding> findings,
            @Nullable ProblemFinding mistake) {
        public ProfileVerification {
            findings = List.copyOf(findings);
        }
    }

    /**
     * @param proven hashes of contents known to be free of findings: the bundled profiles, which tests verify at build time
     * @param nanoTime monotonic clock
     */
    public ProfileVerifier(RenderExecutor threads, Supplier<Set<String>> proven, LongSupplier nanoTime) {
        this.threads = threads;
        this.proven = proven;
        this.nanoTime = nanoTime;
    }

    /**
     * Blocks until verified.
     *
     * @param namespace of the profile: tenants take turns
     * @param hash identifies the content, see {@link ProfileContentHash}
     */
    public ProfileVerification verify(String namespace, String hash, OperatingSystemProfile.Spec spec) {
        if (proven.get().contains(hash)) {
            return NOTHING_FOUND;
        }
        synchronized (known) {
            ProfileVerification before = known.get(hash);
            if (before != null) {
                return before;
            }
        }
        ProfileVerification made = threads.call(namespace, () -> tried(spec));
        synchronized (known) {
            known.put(hash, made);
        }
        return made;
    }

    private ProfileVerification tried(OperatingSystemProfile.Spec spec) {
        String object = asStored(spec);
        List<LintFinding> found = new ArrayList<>();
        for (ProfileLintReport report : new Linter(ScriptChecker.NONE, nanoTime, PATIENCE).lint("profile", object)) {
            report.findings().stream()
                    .filter(finding -> finding.severity() != LintSeverity.INFO)
                    .forEach(found::add);
        }
        found.sort(Comparator.comparing(LintFinding::severity));
        ProblemFinding mistake = null;
        for (LintFinding finding : found) {
            Reason reason = reason(finding, spec);
            if (mistake == null && reason != null) {
                mistake = mistake(reason, finding);
            }
        }
        return new ProfileVerification(
                found.stream().limit(MOST_FINDINGS).map(ProfileVerifier::told).toList(), mistake);
    }

    /** The manifest of a profile with this content. */
    private static String asStored(OperatingSystemProfile.Spec spec) {
        ObjectNode object = WireJson.object()
                .put("apiVersion", "operatingsystemmanager.k8c.io/v1alpha1")
                .put("kind", "OperatingSystemProfile");
        object.putObject("metadata").put("namespace", "tried").put("name", "tried");
        try {
            object.set("spec", WireJson.read(ProfileContentHash.json(spec).getBytes(StandardCharsets.UTF_8)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        ProfileAnnotations.replaceFields(object);
        return WireJson.text(object);
    }

    /** Null if the finding prevents no machine from being rendered. */
    private static @Nullable Reason reason(LintFinding finding, OperatingSystemProfile.Spec spec) {
        if (finding.severity() != LintSeverity.ERROR || finding.what().contains(RenderLimits.BY_THE_CLOCK)) {
            return null;
        }
        LintRule rule = finding.rule();
        if (rule == LintRule.USER_DATA) {
            return spec.provisioningUtility().equals("ignition")
                    ? Reason.IgnitionConversionFailed
                    : Reason.CloudConfigInvalid;
        }
        return switch (rule) {
            case TEMPLATE_SYNTAX -> Reason.TemplateSyntaxError;
            case FUNCTION_REFUSED -> Reason.TemplateFunctionRefused;
            case TEMPLATE_EXECUTION, RENDERING -> Reason.TemplateExecutionFailed;
            case TEMPLATE_LIMIT -> Reason.TemplateLimitExceeded;
            case MISSING_CONTENT -> Reason.ProfileFileInvalid;
            default -> null;
        };
    }

    private static ProblemFinding mistake(Reason reason, LintFinding finding) {
        String example =
                finding.evidence() == null ? "" : " (with " + finding.evidence().example() + ")";
        return new ProblemFinding(
                reason.wireName(),
                "",
                finding.field(),
                finding.inContent().isKnown() ? finding.inContent().line() : 0,
                finding.inContent().isKnown() ? finding.inContent().column() : 0,
                finding.what() + example,
                finding.cure());
    }

    private static OperatingSystemProfileStatus.ReportedLintFinding told(LintFinding finding) {
        boolean placed = finding.inContent().isKnown();
        String said = finding.cure().isEmpty() ? finding.what() : finding.what() + "; " + finding.cure();
        return new OperatingSystemProfileStatus.ReportedLintFinding(
                finding.severity() == LintSeverity.ERROR ? ProblemSeverity.ERROR : ProblemSeverity.WARNING,
                finding.rule().wireName(),
                finding.field().isEmpty() ? null : cut(finding.field(), LONGEST_FIELD),
                placed ? Integer.valueOf(finding.inContent().line()) : null,
                placed && finding.inContent().column() > 0
                        ? Integer.valueOf(finding.inContent().column())
                        : null,
                cut(MessageFormatter.escape(said), LONGEST_MESSAGE));
    }

    private static String cut(String text, int most) {
        return text.substring(0, Math.min(most, text.length()));
    }

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
                            findings.size() + (findings.size() == 1 ? " finding" : " findings") + ", first: "
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
                    : count(content.spec().bootstrapConfig())
                            + count(content.spec().provisioningConfig());
            String engine =
                    content == null ? "" : content.spec().templateEngine().wireName();
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
}
