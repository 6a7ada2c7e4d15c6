package io.osmhub.api.admission;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.core.lint.LintFinding;
import io.osmhub.core.lint.LintReport;
import io.osmhub.core.lint.Linter;
import io.osmhub.core.lint.Rule;
import io.osmhub.core.lint.ScriptChecker;
import io.osmhub.core.lint.Severity;
import io.osmhub.core.osp.ContentHash;
import io.osmhub.core.osp.OperatingSystemProfile;
import io.osmhub.core.problem.Finding;
import io.osmhub.core.render.CompiledProfile;
import io.osmhub.core.render.CompiledProfiles;
import io.osmhub.core.render.TemplateLanguages;
import io.osmhub.core.template.Limits;
import io.osmhub.tenancy.wire.WireJson;
import io.osmhub.workersync.reconcile.RenderThreads;
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
 * Tries a profile before it is stored: parses every template, then renders it over all that it says to serve, as {@code hub lint} does.
 * On threads that publish nothing, where namespaces take turns, and within the time that the API server waits. Safe for use by many threads.
 */
public final class AdmissionTrials {
    private static final Logger LOG = LoggerFactory.getLogger(AdmissionTrials.class);
    /** What is left for the way there and back. */
    private static final Duration RESERVE = Duration.ofMillis(1_500);

    private static final Duration LEAST = Duration.ofMillis(500);
    private static final Duration MOST = Duration.ofSeconds(8);
    private static final int WAITING = 32;
    private static final int REMEMBERED = 256;
    private static final int WARNINGS = 8;

    /** Findings of severity error that no rendering would survive. Others show up in some machines only, and are told. */
    private static final Set<Rule> FATAL = Set.of(
            Rule.TEMPLATE_SYNTAX,
            Rule.TEMPLATE_EXECUTION,
            Rule.TEMPLATE_LIMIT,
            Rule.RENDERING,
            Rule.OPERATING_SYSTEM,
            Rule.MISSING_CONTENT,
            Rule.KUBERNETES_VERSIONS);

    private final LongSupplier nanoTime;
    private final CompiledProfiles compiled = new CompiledProfiles(new TemplateLanguages(), 4);
    private final RenderThreads threads;

    /** By hash of the content: what a thousand tenants get at once is tried once. */
    private final Map<String, Result> known = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Result> eldest) {
            return size() > REMEMBERED;
        }
    };

    /**
     * What came of it.
     *
     * @param mistakes why the profile cannot be rendered; empty when it can, or nobody knows yet
     * @param warnings what else people should look at
     */
    record Result(List<Finding> mistakes, List<String> warnings, boolean complete) {
        Result {
            mistakes = List.copyOf(mistakes);
            warnings = List.copyOf(warnings);
        }

        private static Result unfinished(String why) {
            return new Result(
                    List.of(),
                    List.of("the profile was not tried, " + why
                            + "; its condition Valid will say whether it can be rendered, and hub lint does so now"),
                    false);
        }
    }

    /**
     * Trials on the given threads.
     *
     * @param nanoTime a clock that never goes back
     */
    public AdmissionTrials(RenderThreads threads, LongSupplier nanoTime) {
        this.threads = threads;
        this.nanoTime = nanoTime;
    }

    Result judge(JsonNode object, OperatingSystemProfile.Spec spec, Duration patience) {
        String hash = ContentHash.of(spec);
        synchronized (known) {
            Result before = known.get(hash);
            if (before != null) {
                return before;
            }
        }
        String namespace = object.path("metadata").path("namespace").asText("");
        if (threads.waiting(namespace) >= WAITING) {
            return Result.unfinished("as too many others of its namespace wait");
        }
        Duration time = budget(patience);
        CompletableFuture<Result> trial = new CompletableFuture<>();
        try {
            long begun = nanoTime.getAsLong();
            threads.submit(namespace, () -> run(trial, hash, object, spec, begun, time));
            return trial.get(time.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            return Result.unfinished("as that takes longer than the API server waits");
        } catch (ExecutionException e) {
            LOG.error("A profile could not be tried", e.getCause());
            return Result.unfinished("by a fault of the hub");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Result.unfinished("as the hub stops");
        }
    }

    private static Duration budget(Duration patience) {
        Duration time = patience.minus(RESERVE);
        return time.compareTo(LEAST) < 0 ? LEAST : time.compareTo(MOST) > 0 ? MOST : time;
    }

    private void run(
            CompletableFuture<Result> trial,
            String hash,
            JsonNode object,
            OperatingSystemProfile.Spec spec,
            long begun,
            Duration time) {
        try {
            Duration left = time.minusNanos(nanoTime.getAsLong() - begun);
            if (left.isNegative()) {
                trial.complete(Result.unfinished("as others came first"));
                return;
            }
            Result result = tried(object, spec, left);
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

    private Result tried(JsonNode object, OperatingSystemProfile.Spec spec, Duration time) {
        CompiledProfile parsed = compiled.of(spec);
        if (!parsed.mistakes().isEmpty()) {
            return new Result(parsed.mistakes(), List.of(), true);
        }
        List<LintReport> reports = new Linter(ScriptChecker.NONE, nanoTime, time)
                .lint("OperatingSystemProfile", WireJson.text(withKind(object)));
        List<Finding> mistakes = new ArrayList<>();
        List<String> warnings = new ArrayList<>();
        boolean complete = true;
        for (LintReport report : reports) {
            for (LintFinding finding : report.findings()) {
                complete &= finding.rule() != Rule.MATRIX_CUT;
                if (isFatal(finding)) {
                    mistakes.add(mistake(finding));
                } else if (finding.severity() != Severity.INFO) {
                    warnings.add(finding.message());
                }
            }
        }
        return new Result(mistakes, few(warnings), complete);
    }

    /** As stored objects have them; a review of some API servers leaves them out. */
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
            // They say in which language the templates are, where the spec does not.
            metadata.set("annotations", annotations);
        }
        whole.set("spec", object.path("spec"));
        return whole;
    }

    private static boolean isFatal(LintFinding finding) {
        return finding.severity() == Severity.ERROR
                && FATAL.contains(finding.rule())
                && !finding.what().contains(Limits.BY_THE_CLOCK);
    }

    private static Finding mistake(LintFinding finding) {
        String example =
                finding.evidence() == null ? "" : " (with " + finding.evidence().example() + ")";
        return new Finding(
                finding.rule().word(),
                "",
                finding.field(),
                finding.inContent().line(),
                finding.inContent().column(),
                finding.what() + example,
                finding.cure());
    }

    private static List<String> few(List<String> warnings) {
        if (warnings.size() <= WARNINGS) {
            return warnings;
        }
        List<String> few = new ArrayList<>(warnings.subList(0, WARNINGS));
        few.add((warnings.size() - WARNINGS) + " more findings; hub lint lists all");
        return few;
    }

    /** What is remembered of a content, for tests of the memory; null when nothing is. */
    @Nullable Result remembered(OperatingSystemProfile.Spec spec) {
        synchronized (known) {
            return known.get(ContentHash.of(spec));
        }
    }
}
