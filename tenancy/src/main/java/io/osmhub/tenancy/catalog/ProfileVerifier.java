package io.osmhub.tenancy.catalog;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.lint.LintFinding;
import io.osmhub.core.lint.LintFinding.LintSeverity;
import io.osmhub.core.lint.Linter;
import io.osmhub.core.lint.ScriptChecker;
import io.osmhub.core.osp.OperatingSystemProfile;
import io.osmhub.core.osp.OperatingSystemProfileStatus;
import io.osmhub.core.osp.ProfileAnnotations;
import io.osmhub.core.osp.ProfileContentHash;
import io.osmhub.core.osp.ProfileReader;
import io.osmhub.core.problem.MessageFormatter;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.ProblemObject;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.SourcePosition;
import io.osmhub.core.render.CompiledProfile.CompiledProfileCache;
import io.osmhub.core.resource.Condition;
import io.osmhub.core.resource.NullableCollections;
import io.osmhub.core.resource.ProblemSeverity;
import io.osmhub.core.resource.StoredProblem;
import io.osmhub.tenancy.catalog.StoredProfile.ProfileContent;
import io.osmhub.tenancy.management.WireJson;
import io.osmhub.workersync.reconcile.RenderExecutor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Verifies profiles: compiles them, and renders them for everything that they declare, as {@code hub lint} does. Each content once,
 * regardless of the number of tenants, on threads that do not publish. Skips bundled profiles, which were verified at build time.
 * Blocks.
 */
public final class ProfileVerifier {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final int REMEMBERED = 512;
    private static final int MOST_FINDINGS = 20;
    private static final int LONGEST_MESSAGE = 1024;
    private static final int LONGEST_FIELD = 512;
    private static final ProfileVerification NOTHING_FOUND = new ProfileVerification(List.of(), null);

    private final RenderExecutor renderExecutor;
    private final CompiledProfileCache compiledProfiles;
    private final LongSupplier nanoTime;
    private final Supplier<Set<String>> provenHashes;
    /** By content hash. */
    private final Map<String, ProfileVerification> verifications = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, ProfileVerification> eldest) {
            return size() > REMEMBERED;
        }
    };

    /**
     * Result of rendering a profile.
     *
     * @param findings errors first, at most as many as a status lists
     * @param mistake why some declared machine cannot be rendered; null if all can
     */
    public record ProfileVerification(
            List<OperatingSystemProfileStatus.ReportedLintFinding> findings,
            @Nullable Problem mistake) {
        public ProfileVerification {
            findings = List.copyOf(findings);
        }
    }

    /**
     * @param provenHashes of contents known to be free of findings: the bundled profiles, which tests verify at build time
     * @param nanoTime monotonic clock
     */
    public ProfileVerifier(
            RenderExecutor renderExecutor,
            CompiledProfileCache compiledProfiles,
            Supplier<Set<String>> provenHashes,
            LongSupplier nanoTime) {
        this.renderExecutor = renderExecutor;
        this.compiledProfiles = compiledProfiles;
        this.provenHashes = provenHashes;
        this.nanoTime = nanoTime;
    }

    /** The status of a profile, and what to tell about it. */
    ProfileAssessment assess(StoredProfile profile, Instant now) {
        ProfileContent content = profile.content();
        List<? extends Problem> mistakes = content == null
                ? profile.mistakes()
                : content.compiled(compiledProfiles).mistakes();
        ProfileVerification verification = mistakes.isEmpty() && content != null
                ? verify(profile.namespace(), content.hash(), content.spec())
                : new ProfileVerification(List.of(), mistakes.getFirst());
        return ProfileAssessment.of(profile, verification, now);
    }

    /**
     * Blocks until verified.
     *
     * @param namespace of the profile: tenants take turns
     * @param hash identifies the content, see {@link ProfileContentHash}
     */
    public ProfileVerification verify(String namespace, String hash, OperatingSystemProfile.Spec spec) {
        if (provenHashes.get().contains(hash)) {
            return NOTHING_FOUND;
        }
        synchronized (verifications) {
            ProfileVerification known = verifications.get(hash);
            if (known != null) {
                return known;
            }
        }
        ProfileVerification made = renderExecutor.call(namespace, () -> render(spec));
        synchronized (verifications) {
            verifications.put(hash, made);
        }
        return made;
    }

    private ProfileVerification render(OperatingSystemProfile.Spec spec) {
        List<LintFinding> findings = new Linter(ScriptChecker.NONE, nanoTime, PATIENCE)
                .lint("profile", manifest(spec)).stream()
                        .flatMap(report -> report.findings().stream())
                        .filter(finding -> finding.severity() != LintSeverity.INFO)
                        .sorted(Comparator.comparing(LintFinding::severity))
                        .toList();
        return new ProfileVerification(
                findings.stream()
                        .limit(MOST_FINDINGS)
                        .map(ProfileVerifier::reported)
                        .toList(),
                findings.stream()
                        .flatMap(finding -> Stream.ofNullable(mistake(finding, spec)))
                        .findFirst()
                        .orElse(null));
    }

    /** The manifest of a profile with this content. */
    private static String manifest(OperatingSystemProfile.Spec spec) {
        ObjectNode object =
                WireJson.object().put("apiVersion", ProfileReader.API_VERSION).put("kind", ProfileReader.KIND);
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
    private static @Nullable Problem mistake(LintFinding finding, OperatingSystemProfile.Spec spec) {
        if (finding.severity() != LintSeverity.ERROR) {
            return null;
        }
        Reason reason =
                switch (finding.rule()) {
                    case USER_DATA ->
                        spec.provisioningUtility().equals("ignition")
                                ? Reason.IgnitionConversionFailed
                                : Reason.CloudConfigInvalid;
                    case TEMPLATE_SYNTAX -> Reason.TemplateSyntaxError;
                    case FUNCTION_REFUSED -> Reason.TemplateFunctionRefused;
                    case TEMPLATE_EXECUTION, RENDERING -> Reason.TemplateExecutionFailed;
                    case TEMPLATE_LIMIT -> Reason.TemplateLimitExceeded;
                    case MISSING_CONTENT -> Reason.ProfileFileInvalid;
                    default -> null;
                };
        if (reason == null) {
            return null;
        }
        String example =
                finding.evidence() == null ? "" : " (with " + finding.evidence().example() + ")";
        return new Problem(
                reason,
                ProblemObject.NONE,
                finding.field(),
                finding.inContent(),
                finding.what() + example,
                finding.cure());
    }

    private static OperatingSystemProfileStatus.ReportedLintFinding reported(LintFinding finding) {
        SourcePosition position = finding.inContent();
        String message = finding.cure().isEmpty() ? finding.what() : finding.what() + "; " + finding.cure();
        return new OperatingSystemProfileStatus.ReportedLintFinding(
                finding.severity() == LintSeverity.ERROR ? ProblemSeverity.ERROR : ProblemSeverity.WARNING,
                finding.rule().wireName(),
                finding.field().isEmpty() ? null : cut(finding.field(), LONGEST_FIELD),
                position.isKnown() ? Integer.valueOf(position.line()) : null,
                position.isKnown() && position.column() > 0 ? Integer.valueOf(position.column()) : null,
                cut(MessageFormatter.visible(message), LONGEST_MESSAGE));
    }

    private static String cut(String text, int most) {
        return text.substring(0, Math.min(most, text.length()));
    }

    /**
     * Whether a profile can be rendered for everything that it declares.
     *
     * @param problem null if it can
     */
    record ProfileAssessment(
            OperatingSystemProfileStatus status, @Nullable Problem problem) {
        /** Whether the status already contains the result for this content. */
        static boolean isDone(StoredProfile profile) {
            OperatingSystemProfileStatus status = profile.status();
            return status != null
                    && status.findings() != null
                    && !profile.contentHash().isEmpty()
                    && profile.contentHash().equals(status.contentHash())
                    && Long.valueOf(profile.generation()).equals(status.observedGeneration())
                    && NullableCollections.stream(status.conditions())
                            .anyMatch(condition -> condition.type().equals(OperatingSystemProfileStatus.VALID)
                                    && condition.status() != Condition.Status.UNKNOWN);
        }

        static ProfileAssessment of(StoredProfile profile, ProfileVerification verification, Instant now) {
            Problem mistake = verification.mistake();
            Problem problem =
                    mistake == null ? null : mistake.withObject(object(profile)).inTenant(profile.namespace(), "");
            Problem told = problem == null ? verified(profile) : problem;
            OperatingSystemProfileStatus before = profile.status();
            return new ProfileAssessment(
                    new OperatingSystemProfileStatus(
                            profile.generation(),
                            List.of(OperatingSystemProfileStatus.valid(
                                    before == null ? null : before.conditions(), profile.generation(), told, now)),
                            profile.contentHash().isEmpty() ? null : profile.contentHash(),
                            before == null ? null : before.usedBy(),
                            verification.findings(),
                            problem == null ? null : List.of(StoredProblem.of(problem))),
                    problem);
        }

        /** Lint findings that do not prevent rendering; null if there are none. */
        @Nullable Problem warning(StoredProfile profile) {
            List<OperatingSystemProfileStatus.ReportedLintFinding> findings = status.findings();
            if (problem != null || findings == null || findings.isEmpty()) {
                return null;
            }
            OperatingSystemProfileStatus.ReportedLintFinding first = findings.getFirst();
            return new Problem(
                            Reason.ProfileWarnings,
                            object(profile),
                            "",
                            findings.size() + (findings.size() == 1 ? " finding" : " findings") + ", first: "
                                    + (first.field() == null ? "" : first.field() + ": ") + first.message(),
                            "see all findings")
                    .inTenant(profile.namespace(), "");
        }

        private static ProblemObject object(StoredProfile profile) {
            return ProblemObject.of("OperatingSystemProfile", profile.namespace() + "/" + profile.name());
        }

        private static Problem verified(StoredProfile profile) {
            ProfileContent content = Objects.requireNonNull(profile.content(), "verified");
            int templates = Stream.of(
                            content.spec().bootstrapConfig(), content.spec().provisioningConfig())
                    .mapToInt(
                            config -> config.files().size() + config.templates().size())
                    .sum();
            return Reason.TemplatesVerified.with(
                    "tenant", profile.namespace(),
                    "osp", profile.namespace() + "/" + profile.name(),
                    "n", Integer.toString(templates),
                    "engine", content.spec().templateEngine().wireName());
        }
    }
}
