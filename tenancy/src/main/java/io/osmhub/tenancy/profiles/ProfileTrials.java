package io.osmhub.tenancy.profiles;

import io.osmhub.core.lint.LintFinding;
import io.osmhub.core.lint.LintReport;
import io.osmhub.core.lint.Linter;
import io.osmhub.core.lint.Rule;
import io.osmhub.core.lint.ScriptChecker;
import io.osmhub.core.lint.Severity;
import io.osmhub.core.osp.ContentHash;
import io.osmhub.core.osp.OperatingSystemProfile;
import io.osmhub.core.osp.OperatingSystemProfileStatus;
import io.osmhub.core.problem.Finding;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.resource.ProblemSeverity;
import io.osmhub.core.template.Limits;
import io.osmhub.workersync.reconcile.RenderThreads;
import java.time.Duration;
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
 * Tries profiles over everything that they say they serve, as {@code hub lint} does: each content once, however many tenants have it, and
 * on threads that publish nothing. What the program brought along was tried when it was built. Waits for it.
 */
public final class ProfileTrials {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final int REMEMBERED = 512;
    private static final int MOST_FINDINGS = 20;
    private static final int LONGEST_MESSAGE = 1024;
    private static final int LONGEST_FIELD = 512;
    private static final Trial NOTHING_FOUND = new Trial(List.of(), null);

    private final RenderThreads threads;
    private final LongSupplier nanoTime;
    private final Supplier<Set<String>> proven;
    private final Map<String, Trial> known = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Trial> eldest) {
            return size() > REMEMBERED;
        }
    };

    /**
     * What came of trying.
     *
     * @param findings errors first, as many as a status lists
     * @param mistake why some machine that the profile says it serves would get nothing; null when all would
     */
    public record Trial(
            List<OperatingSystemProfileStatus.LintFinding> findings,
            @Nullable Finding mistake) {
        public Trial {
            findings = List.copyOf(findings);
        }
    }

    /**
     * @param proven hashes of contents that are known to give no finding: those of the profiles that are packed into the program, which
     *     the tests of its build try
     * @param nanoTime a clock that never goes back
     */
    public ProfileTrials(RenderThreads threads, Supplier<Set<String>> proven, LongSupplier nanoTime) {
        this.threads = threads;
        this.proven = proven;
        this.nanoTime = nanoTime;
    }

    /**
     * Waits until it was tried.
     *
     * @param namespace of the profile: tenants take turns
     * @param hash tells its content from others, see {@link ContentHash}
     */
    public Trial of(String namespace, String hash, OperatingSystemProfile.Spec spec) {
        if (proven.get().contains(hash)) {
            return NOTHING_FOUND;
        }
        synchronized (known) {
            Trial before = known.get(hash);
            if (before != null) {
                return before;
            }
        }
        Trial made = threads.call(namespace, () -> tried(spec));
        synchronized (known) {
            known.put(hash, made);
        }
        return made;
    }

    private Trial tried(OperatingSystemProfile.Spec spec) {
        String object =
                "{\"apiVersion\":\"operatingsystemmanager.k8c.io/v1alpha1\",\"kind\":\"OperatingSystemProfile\","
                        + "\"metadata\":{\"namespace\":\"tried\",\"name\":\"tried\"},\"spec\":" + ContentHash.json(spec)
                        + "}";
        List<LintFinding> found = new ArrayList<>();
        for (LintReport report : new Linter(ScriptChecker.NONE, nanoTime, PATIENCE).lint("profile", object)) {
            report.findings().stream()
                    .filter(finding -> finding.severity() != Severity.INFO)
                    .forEach(found::add);
        }
        found.sort(Comparator.comparing(LintFinding::severity));
        Finding mistake = null;
        for (LintFinding finding : found) {
            Reason reason = reason(finding, spec);
            if (mistake == null && reason != null) {
                mistake = mistake(reason, finding);
            }
        }
        return new Trial(
                found.stream().limit(MOST_FINDINGS).map(ProfileTrials::told).toList(), mistake);
    }

    /** Null for what keeps no machine away. */
    private static @Nullable Reason reason(LintFinding finding, OperatingSystemProfile.Spec spec) {
        if (finding.severity() != Severity.ERROR || finding.what().contains(Limits.BY_THE_CLOCK)) {
            return null;
        }
        Rule rule = finding.rule();
        if (rule == Rule.USER_DATA) {
            return spec.provisioningUtility().equals("ignition")
                    ? Reason.IgnitionConversionFailed
                    : Reason.CloudConfigInvalid;
        }
        return switch (rule) {
            case TEMPLATE_SYNTAX -> Reason.TemplateSyntaxError;
            case TEMPLATE_EXECUTION, RENDERING -> Reason.TemplateExecutionFailed;
            case TEMPLATE_LIMIT -> Reason.TemplateLimitExceeded;
            case MISSING_CONTENT -> Reason.ProfileFileInvalid;
            default -> null;
        };
    }

    private static Finding mistake(Reason reason, LintFinding finding) {
        String example =
                finding.evidence() == null ? "" : " (with " + finding.evidence().example() + ")";
        return new Finding(
                reason.word(),
                "",
                finding.field(),
                finding.inContent().known() ? finding.inContent().line() : 0,
                finding.inContent().known() ? finding.inContent().column() : 0,
                finding.what() + example,
                finding.cure());
    }

    private static OperatingSystemProfileStatus.LintFinding told(LintFinding finding) {
        boolean placed = finding.inContent().known();
        String said = finding.cure().isEmpty() ? finding.what() : finding.what() + "; " + finding.cure();
        return new OperatingSystemProfileStatus.LintFinding(
                finding.severity() == Severity.ERROR ? ProblemSeverity.ERROR : ProblemSeverity.WARNING,
                finding.rule().word(),
                finding.field().isEmpty() ? null : cut(finding.field(), LONGEST_FIELD),
                placed ? Integer.valueOf(finding.inContent().line()) : null,
                placed && finding.inContent().column() > 0
                        ? Integer.valueOf(finding.inContent().column())
                        : null,
                cut(said, LONGEST_MESSAGE));
    }

    private static String cut(String text, int most) {
        return text.substring(0, Math.min(most, text.length()));
    }
}
