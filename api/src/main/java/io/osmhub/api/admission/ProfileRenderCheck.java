package io.osmhub.api.admission;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.core.lint.LintFinding;
import io.osmhub.core.lint.LintFinding.LintRule;
import io.osmhub.core.lint.LintFinding.LintSeverity;
import io.osmhub.core.lint.Linter;
import io.osmhub.core.lint.Linter.ProfileLintReport;
import io.osmhub.core.lint.ScriptChecker;
import io.osmhub.core.osp.OperatingSystemProfile;
import io.osmhub.core.osp.ProfileContentHash;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.ProblemObject;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.render.CompiledProfile;
import io.osmhub.core.render.CompiledProfile.CompiledProfileCache;
import io.osmhub.core.template.language.TemplateEngines;
import io.osmhub.tenancy.management.WireJson;
import io.osmhub.workersync.reconcile.RenderExecutor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks a profile before it is stored: parses every template, then renders it for everything it supports, like {@code hub lint}.
 * Runs on dedicated threads, fairly between namespaces, within the API server's timeout. Thread-safe.
 */
public final class ProfileRenderCheck {
    private static final Logger LOG = LoggerFactory.getLogger(ProfileRenderCheck.class);
    /** Reserved for the round trip. */
    private static final Duration RESERVE = Duration.ofMillis(1_500);

    private static final Duration LEAST = Duration.ofMillis(500);
    private static final Duration MOST = Duration.ofSeconds(8);
    private static final int WAITING = 32;
    private static final int REMEMBERED = 256;
    private static final int WARNINGS = 8;

    /** Errors that break every rendering. Others affect some machines only, and become warnings. */
    private static final Set<LintRule> FATAL = Set.of(
            LintRule.TEMPLATE_SYNTAX,
            LintRule.TEMPLATE_EXECUTION,
            LintRule.TEMPLATE_LIMIT,
            LintRule.RENDERING,
            LintRule.OPERATING_SYSTEM,
            LintRule.MISSING_CONTENT,
            LintRule.KUBERNETES_VERSIONS);

    private final LongSupplier nanoTime;
    private final CompiledProfileCache compiled = new CompiledProfileCache(new TemplateEngines(), 4);
    private final RenderExecutor renderExecutor;

    /** By content hash, so that a profile rolled out to many tenants is checked once. */
    private final Map<String, RenderCheckResult> known = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, RenderCheckResult> eldest) {
            return size() > REMEMBERED;
        }
    };

    /**
     * Result of a check.
     *
     * @param mistakes why the profile cannot be rendered; empty if it can, or is unknown
     * @param warnings other findings
     */
    record RenderCheckResult(List<Problem> mistakes, List<String> warnings, boolean complete) {
        RenderCheckResult {
            mistakes = List.copyOf(mistakes);
            warnings = List.copyOf(warnings);
        }

        private static RenderCheckResult unfinished(String why) {
            return new RenderCheckResult(
                    List.of(),
                    List.of("the profile was not checked: " + why + "; see its condition Valid later, or run hub lint"),
                    false);
        }
    }

    /**
     * Runs checks on the given threads.
     *
     * @param nanoTime a monotonic clock
     */
    public ProfileRenderCheck(RenderExecutor renderExecutor, LongSupplier nanoTime) {
        this.renderExecutor = renderExecutor;
        this.nanoTime = nanoTime;
    }

    RenderCheckResult check(JsonNode object, OperatingSystemProfile.Spec spec, Duration patience) {
        String hash = ProfileContentHash.of(spec);
        synchronized (known) {
            RenderCheckResult before = known.get(hash);
            if (before != null) {
                return before;
            }
        }
        String namespace = object.path("metadata").path("namespace").asText("");
        if (renderExecutor.waitingCount(namespace) >= WAITING) {
            return RenderCheckResult.unfinished("too many pending checks in its namespace");
        }
        Duration time = budget(patience);
        CompletableFuture<RenderCheckResult> trial = new CompletableFuture<>();
        try {
            long begun = nanoTime.getAsLong();
            renderExecutor.submit(namespace, () -> run(trial, hash, object, spec, begun, time));
            return trial.get(time.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            return RenderCheckResult.unfinished("it takes longer than the API server waits");
        } catch (ExecutionException e) {
            LOG.error("Profile check failed", e.getCause());
            return RenderCheckResult.unfinished("internal error of the hub");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return RenderCheckResult.unfinished("the hub is stopping");
        }
    }

    private static Duration budget(Duration patience) {
        Duration time = patience.minus(RESERVE);
        return time.compareTo(LEAST) < 0 ? LEAST : time.compareTo(MOST) > 0 ? MOST : time;
    }

    private void run(
            CompletableFuture<RenderCheckResult> trial,
            String hash,
            JsonNode object,
            OperatingSystemProfile.Spec spec,
            long begun,
            Duration time) {
        try {
            Duration left = time.minusNanos(nanoTime.getAsLong() - begun);
            if (left.isNegative()) {
                trial.complete(RenderCheckResult.unfinished("too many pending checks"));
                return;
            }
            RenderCheckResult result = runCheck(object, spec, left);
            if (result.complete()) {
                synchronized (known) {
                    known.put(hash, result);
                }
            }
            trial.complete(result);
        } catch (RuntimeException | StackOverflowError e) {
            trial.completeExceptionally(e);
        }
    }

    private RenderCheckResult runCheck(JsonNode object, OperatingSystemProfile.Spec spec, Duration time) {
        CompiledProfile parsed = compiled.getOrCompile(spec);
        if (!parsed.mistakes().isEmpty()) {
            return new RenderCheckResult(parsed.mistakes(), List.of(), true);
        }
        List<ProfileLintReport> reports = new Linter(ScriptChecker.NONE, nanoTime, time)
                .lint("OperatingSystemProfile", WireJson.text(withKind(object)));
        List<Problem> mistakes = new ArrayList<>();
        List<String> warnings = new ArrayList<>();
        boolean complete = true;
        for (ProfileLintReport report : reports) {
            for (LintFinding finding : report.findings()) {
                complete &= finding.rule() != LintRule.MATRIX_CUT;
                if (isFatal(finding)) {
                    mistakes.add(mistake(finding));
                } else if (finding.severity() != LintSeverity.INFO) {
                    warnings.add(finding.message());
                }
            }
        }
        return new RenderCheckResult(mistakes, truncateWarnings(warnings), complete);
    }

    /** Stored objects have these fields; some API servers omit them in reviews. */
    private static JsonNode withKind(JsonNode object) {
        var whole = WireJson.object();
        whole.put("apiVersion", "operatingsystemmanager.k8c.io/v1alpha1").put("kind", "OperatingSystemProfile");
        var metadata = whole.putObject("metadata");
        for (String field : List.of("namespace", "name")) {
            JsonNode value = object.path("metadata").path(field);
            metadata.put(field, value.asText().isEmpty() ? "unnamed" : value.asText());
        }
        JsonNode annotations = object.path("metadata").path("annotations");
        if (annotations.isObject()) {
            // Annotations name the template language if the spec does not.
            metadata.set("annotations", annotations);
        }
        whole.set("spec", object.path("spec"));
        return whole;
    }

    private static boolean isFatal(LintFinding finding) {
        return finding.severity() == LintSeverity.ERROR && FATAL.contains(finding.rule());
    }

    private static Problem mistake(LintFinding finding) {
        String example =
                finding.evidence() == null ? "" : " (with " + finding.evidence().example() + ")";
        return new Problem(
                Reason.ProfileWarnings,
                ProblemObject.NONE,
                finding.field(),
                finding.inContent(),
                finding.what() + example,
                finding.cure());
    }

    private static List<String> truncateWarnings(List<String> warnings) {
        if (warnings.size() <= WARNINGS) {
            return warnings;
        }
        List<String> few = new ArrayList<>(warnings.subList(0, WARNINGS));
        few.add((warnings.size() - WARNINGS) + " more findings; run hub lint to list all");
        return few;
    }

    /** The cached result of a content, for tests; null if not cached. */
    @Nullable RenderCheckResult remembered(OperatingSystemProfile.Spec spec) {
        synchronized (known) {
            return known.get(ProfileContentHash.of(spec));
        }
    }
}
