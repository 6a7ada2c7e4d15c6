package io.osmhub.api.preview;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.api.access.CallerAuthorizer;
import io.osmhub.api.http.Call;
import io.osmhub.api.http.Reply;
import io.osmhub.api.preview.PreviewOperations.PreviewLimiter;
import io.osmhub.api.preview.PreviewOperations.RequestBodyReader;
import io.osmhub.api.problem.ApiProblem;
import io.osmhub.api.schema.Finding;
import io.osmhub.api.schema.LintReport;
import io.osmhub.api.schema.LintRequest;
import io.osmhub.api.schema.ObjectSource;
import io.osmhub.api.schema.ObjectSource.ObjectByName;
import io.osmhub.api.schema.ObjectSource.ObjectInFull;
import io.osmhub.core.lint.LintFinding;
import io.osmhub.core.lint.LintFinding.LintSeverity;
import io.osmhub.core.lint.Linter;
import io.osmhub.core.lint.MatrixFilter;
import io.osmhub.core.lint.ScriptChecker;
import io.osmhub.core.problem.MessageFormatter;
import io.osmhub.core.resource.ProblemSeverity;
import io.osmhub.tenancy.HubQueries;
import io.osmhub.tenancy.catalog.StoredProfile;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.apiserver.Verb;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Lints profiles, like the command line. */
final class LintOperation {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final int MOST_FINDINGS = 500;
    private static final int LONGEST_TEXT = 1024;
    private static final int LONGEST_FIELD = 512;
    private static final Pattern MINOR = Pattern.compile("[0-9]{1,3}\\.[0-9]{1,4}");

    private final HubQueries details;
    private final CallerAuthorizer access;
    private final PreviewLimiter turns;

    LintOperation(HubQueries details, CallerAuthorizer access, PreviewLimiter turns) {
        this.details = details;
        this.access = access;
        this.turns = turns;
    }

    /** A profile as text, with its name in findings. */
    private record LintSubject(String name, String json) {}

    /** {@code lint}. */
    Reply lint(Call call) throws ApiProblem {
        LintRequest request = RequestBodyReader.read(call.body(), LintRequest.class);
        List<LintSubject> subjects = new ArrayList<>();
        for (int i = 0; i < request.profiles().size(); i++) {
            subjects.add(subject(call, request.profiles().get(i), "/profiles/" + i));
        }
        MatrixFilter choice = choice(request);
        return Reply.ok(turns.runLimited(
                call.caller().user(), () -> report(call.caller().user(), subjects, choice)));
    }

    private LintSubject subject(Call call, ObjectSource source, String pointer) throws ApiProblem {
        return switch (source) {
            case ObjectInFull full -> {
                JsonNode metadata = full.object().path("metadata");
                yield new LintSubject(
                        name(
                                metadata.path("namespace").asText(""),
                                metadata.path("name").asText("")),
                        full.object().toString());
            }
            case ObjectByName named -> stored(call, named, pointer);
        };
    }

    private static String name(String namespace, String name) {
        return namespace.isEmpty() ? name : namespace + "/" + name;
    }

    private LintSubject stored(Call call, ObjectByName named, String pointer) throws ApiProblem {
        String namespace = named.namespace();
        if (namespace == null) {
            throw RequestBodyReader.invalidBody(
                    pointer + "/namespace", "it is missing", "name the namespace of the profile");
        }
        StoredProfile found =
                access.isAllowed(call.caller(), Verb.GET, Resource.OPERATING_SYSTEM_PROFILES, namespace, named.name())
                        ? details.profile(namespace, named.name()).orElse(null)
                        : null;
        if (found == null) {
            throw ApiProblem.notFound("OperatingSystemProfile " + named.name() + " in namespace " + namespace);
        }
        try {
            return new LintSubject(name(namespace, named.name()), details.read(found));
        } catch (ApiFailure e) {
            throw ApiProblem.unavailable(
                    "the management cluster did not return OperatingSystemProfile " + named.name() + ": " + e.text(),
                    Duration.ofSeconds(5));
        }
    }

    private static MatrixFilter choice(LintRequest request) throws ApiProblem {
        List<String> providers = request.cloudProviders();
        List<String> versions = request.kubernetesVersions() == null ? List.of() : request.kubernetesVersions();
        for (int i = 0; i < versions.size(); i++) {
            if (!MINOR.matcher(versions.get(i)).matches()) {
                throw RequestBodyReader.invalidBody(
                        "/kubernetesVersions/" + i, "not a minor version", "write for example 1.34");
            }
        }
        return new MatrixFilter(Set.of(), providers == null ? Set.of() : Set.copyOf(providers), Set.copyOf(versions));
    }

    private LintReport report(String caller, List<LintSubject> subjects, MatrixFilter choice) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        List<Finding> findings = new ArrayList<>();
        int combinations = 0;
        for (LintSubject subject : subjects) {
            // Each profile gets a share of the remaining time, so that a slow one does not starve the next.
            Duration left = Duration.ofNanos(Math.max(0, end - System.nanoTime()));
            Linter linter = new Linter(
                    ScriptChecker.NONE,
                    System::nanoTime,
                    left,
                    // One turn for each part, so that a slow profile does not delay those of others.
                    part -> details.compute(caller, () -> {
                        part.run();
                        return true;
                    }));
            for (io.osmhub.core.lint.Linter.ProfileLintReport report :
                    linter.lint(subject.name(), subject.json(), choice)) {
                combinations += report.matrix().renderings();
                report.findings().forEach(finding -> findings.add(finding(subject.name(), finding)));
            }
        }
        findings.sort(Comparator.comparing(Finding::severity));
        int errors = (int) findings.stream()
                .filter(finding -> finding.severity() == ProblemSeverity.ERROR)
                .count();
        return new LintReport(
                errors,
                findings.size() - errors,
                combinations,
                findings.subList(0, Math.min(MOST_FINDINGS, findings.size())));
    }

    private static Finding finding(String profile, LintFinding found) {
        int path = found.field().indexOf(" (");
        boolean named = path >= 0 && found.field().endsWith(")");
        String field = named ? found.field().substring(0, path) : found.field();
        String file = named ? found.field().substring(path + 2, found.field().length() - 1) : "";
        LintFinding.Evidence evidence = found.evidence();
        return new Finding(
                found.severity() == LintSeverity.ERROR ? ProblemSeverity.ERROR : ProblemSeverity.WARNING,
                found.rule().wireName(),
                cut(profile, 317),
                cut(field, LONGEST_FIELD),
                cut(file, LONGEST_TEXT),
                found.inContent().isKnown() ? Integer.valueOf(found.inContent().line()) : null,
                found.inContent().isKnown() && found.inContent().column() > 0
                        ? Integer.valueOf(found.inContent().column())
                        : null,
                Objects.requireNonNullElse(cut(found.what(), LONGEST_TEXT), ""),
                cut(found.cure(), LONGEST_TEXT),
                null,
                evidence == null ? null : Integer.valueOf(Math.max(1, evidence.combinations())));
    }

    private static @Nullable String cut(String given, int most) {
        String text = MessageFormatter.visible(given);
        return text.isEmpty() ? null : text.substring(0, Math.min(most, text.length()));
    }
}
