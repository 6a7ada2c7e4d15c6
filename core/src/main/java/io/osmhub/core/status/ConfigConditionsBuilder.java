package io.osmhub.core.status;

import io.osmhub.core.bootstrap.ObjectNames;
import io.osmhub.core.osc.OperatingSystemConfigStatus;
import io.osmhub.core.plan.Decision;
import io.osmhub.core.plan.Decision.Outcome;
import io.osmhub.core.plan.Decision.RenderSummary;
import io.osmhub.core.plan.Facts;
import io.osmhub.core.plan.OwnershipAnnotations;
import io.osmhub.core.plan.StoredConfig;
import io.osmhub.core.plan.StoredSecret.SecretRole;
import io.osmhub.core.problem.Actor;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.Reason.LinkName;
import io.osmhub.core.problem.ReasonDescription.SubjectKind;
import io.osmhub.core.render.Renderer.RenderInput;
import io.osmhub.core.resource.Condition;
import io.osmhub.core.status.MachineDeploymentReport.PublishedState;
import io.osmhub.core.userdata.UserDataSize;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Builds the conditions of an OperatingSystemConfig after a run. */
final class ConfigConditionsBuilder {
    static final String RENDERED = "Rendered";
    static final String PUBLISHED = "Published";
    static final String TOKEN_VALID = "TokenValid";

    /** The token's is also a step. */
    private static final List<LinkName> LINKS = List.of(
            LinkName.BOOTSTRAP_TOKEN,
            LinkName.PROFILE,
            LinkName.RENDERED_CONFIG,
            LinkName.PROVISIONING_SECRET,
            LinkName.BOOTSTRAP_SECRET,
            LinkName.MACHINE_CONTROLLER_PICK_UP);

    private static final Duration LEAST_LEFT = Duration.ofMinutes(20);

    private final RunResult run;
    private final Facts facts;
    private final Outcome outcome;
    private final @Nullable RenderSummary rendered;
    private final PublishedState published;
    private final List<Problem> decided;
    /** Those of all reasons of these conditions. */
    private final Map<String, String> variables = new HashMap<>();

    ConfigConditionsBuilder(RunResult run, PublishedState published) {
        this.run = run;
        this.facts = run.facts();
        this.outcome = run.decision().outcome();
        this.rendered = outcome.rendered();
        this.published = published;
        this.decided = run.decision().problems();
        ObjectNames names = ObjectNames.of(facts.machineDeployment());
        Decision.TokenInUse token = run.decision().token();
        variables.put("tenant", facts.tenant().namespace());
        variables.put("wc", facts.tenant().workerCluster());
        variables.put("osc", names.operatingSystemConfig());
        variables.put("md", OwnershipAnnotations.owner(facts.machineDeployment()));
        variables.put("token", token != null ? token.name() : "with label " + names.key());
        variables.put("account", names.fetchAccount());
        variables.put("cause", whyNotRenewed());
        variables.put("fix", howToRenew());
        if (rendered != null) {
            UserDataSize.Limit limit = rendered.limit();
            variables.put("osp", MachineDeploymentReport.nameOf(rendered.profile()));
            variables.put("version", rendered.stamps().profileVersion());
            variables.put("revision", rendered.stamps().revision());
            variables.put("bytes", bytes(rendered, SecretRole.BOOTSTRAP));
            variables.put("limit", UserDataSize.formatBytes(limit == null ? UserDataSize.SECRET_BYTES : limit.bytes()));
            variables.put("bytes2", bytes(rendered, SecretRole.PROVISIONING));
        }
    }

    private static String bytes(RenderSummary rendered, SecretRole role) {
        return UserDataSize.formatBytes(rendered.bytes().getOrDefault(role, 0));
    }

    static boolean usesServiceAccount(RunResult run) {
        return run.facts().tenant().settings().bootstrap().serviceAccount() != null;
    }

    private Problem say(Reason reason, String... more) {
        return reason.with(variables, more);
    }

    private Problem pending(String cause) {
        return say(Reason.PublishPending, "cause", cause);
    }

    /**
     * Ready, the steps Rendered, Published and TokenValid, and one condition for each link of the {@link Chain} except the connection.
     * Each problem is shown at the condition of its link.
     *
     * @param token of {@link #tokenValid}
     */
    List<Condition> build(List<Problem> problems, Problem token) {
        StoredConfig stored = run.stored();
        OperatingSystemConfigStatus before = stored == null ? null : stored.status();
        // The steps come first, because Ready has the reason of the first condition that is not True.
        ConditionsBuilder conditions = new ConditionsBuilder(
                        SubjectKind.CONFIG,
                        before == null ? null : before.conditions(),
                        stored == null ? null : Long.valueOf(stored.generation()),
                        facts.now())
                .add(RENDERED, rendering())
                .add(PUBLISHED, publication());
        for (LinkName link : LINKS) {
            Problem shown = Chain.problemAt(link, problems).orElseGet(() -> intact(link, token));
            conditions.add(Objects.requireNonNull(Chain.condition(link)), shown);
        }
        return conditions.withReady(rendered == null ? pending("nothing was published") : say(Reason.Available));
    }

    /** Of a link that no problem breaks: what it has, or what it waits for. */
    private Problem intact(LinkName link, Problem token) {
        RenderInput.Profile profile = facts.profile().value();
        return switch (link) {
            case BOOTSTRAP_TOKEN -> token;
            case PROFILE ->
                profile != null
                        ? say(
                                Reason.ProfileFound,
                                "osp",
                                MachineDeploymentReport.nameOf(profile),
                                "version",
                                profile.version())
                        : pending("its profile is not known");
            case RENDERED_CONFIG ->
                rendered == null ? pending("nothing new is rendered") : say(Reason.RenderedFromProfile);
            case PROVISIONING_SECRET -> secret(SecretRole.PROVISIONING);
            case BOOTSTRAP_SECRET -> secret(SecretRole.BOOTSTRAP);
            case MACHINE_CONTROLLER_PICK_UP -> {
                String revision = facts.machineDeployment().revision();
                yield revision.isEmpty()
                        ? pending("machine-controller has not set a revision")
                        : revision.equals(published.revisions().get(SecretRole.BOOTSTRAP))
                                ? say(Reason.RevisionPublished, "revision", revision)
                                : pending("nothing is published for revision " + revision);
            }
            case WORKER_CONNECTION -> throw new IllegalArgumentException("has no condition");
        };
    }

    private Problem secret(SecretRole role) {
        if (!(outcome instanceof Outcome.Published)) {
            return pending("nothing new is rendered");
        }
        return published.has(role) && !published.outdated().contains(role)
                ? say(Reason.SecretsPublished)
                : pending(waitingFor());
    }

    private Problem rendering() {
        return switch (outcome) {
            case Outcome.Published _, Outcome.NotPublished _ -> say(Reason.RenderedFromProfile);
            case Outcome.Failed _ -> MachineDeploymentReport.internalError(run);
            case Outcome.NotRendered _, Outcome.Blocked _ -> mainProblem(RENDERED);
            case Outcome.AwaitingFetchToken _ -> pending("its machines have no fetch token yet");
            case Outcome.NotManaged _ -> pending("it names no profile");
            case Outcome.Terminating _ -> pending("it is being deleted");
        };
    }

    private Problem publication() {
        Problem failure = run.failure();
        return switch (outcome) {
            case Outcome.NotPublished _ -> mainProblem(PUBLISHED);
            case Outcome.Published _, Outcome.AwaitingFetchToken _ when failure != null -> failure;
            case Outcome.Published _ when run.isComplete() -> say(Reason.SecretsPublished);
            case Outcome.AwaitingFetchToken _ when !decided.isEmpty() -> mainProblem(PUBLISHED);
            case Outcome.Published _, Outcome.AwaitingFetchToken _ -> pending(waitingFor());
            case Outcome.NotRendered _,
                    Outcome.Failed _,
                    Outcome.Blocked _,
                    Outcome.NotManaged _,
                    Outcome.Terminating _ -> pending("nothing new is rendered");
        };
    }

    private String waitingFor() {
        return run.circumstances().paused()
                ? "the tenant is paused"
                : Objects.requireNonNullElse(run.waitingFor(), "writes are in progress");
    }

    /** The problem that prevents that step, else the worst one. */
    private Problem mainProblem(String type) {
        return problemAt(type).orElseGet(decided::getFirst);
    }

    private Optional<Problem> problemAt(String type) {
        List<Problem> problems = decided.stream()
                .filter(problem -> ConditionsBuilder.findStatus(problem.reason(), SubjectKind.CONFIG, type)
                        .isPresent())
                .toList();
        return Chain.cause(problems).or(() -> problems.stream().findFirst());
    }

    /** Whether nodes can join with the published token; its reason determines the status. */
    Problem tokenValid() {
        if (!outcome.ownsObjects()) {
            return pending("it has no bootstrap token");
        }
        return problemAt(TOKEN_VALID).orElseGet(() -> usesServiceAccount(run) ? fetchToken() : bootstrapToken());
    }

    private Problem bootstrapToken() {
        String deleted = published.deletedToken();
        if (deleted != null) {
            return run.isInProgress()
                    ? pending("Secret kube-system/" + deleted + " was deleted, " + waitingFor())
                    : missingToken(deleted);
        }
        Instant end = published.tokenExpiration();
        if (end != null) {
            return expiry(end, Reason.BootstrapTokenExpiring, Reason.BootstrapTokenExpired)
                    .orElseGet(this::fetchToken);
        }
        if (!published.has(SecretRole.BOOTSTRAP)) {
            return pending("no bootstrap token yet");
        }
        return isTokenOfAnotherHubValid()
                ? pending("its bootstrap token is another hub's")
                : say(Reason.BootstrapTokenExpired, "time", "(none)");
    }

    private boolean isTokenOfAnotherHubValid() {
        return facts.found().tokens().stream()
                .filter(token ->
                        facts.tenant().hub().isOther(token.annotations().get(OwnershipAnnotations.HUB_ID)))
                .anyMatch(token ->
                        token.expiration() != null && token.expiration().isAfter(facts.now()));
    }

    /** Deleted tokens are replaced as soon as the problem that prevents it is fixed. */
    private Problem missingToken(String token) {
        Problem failure = run.failure();
        Problem missing = say(Reason.BootstrapTokenMissing, "token", token);
        return failure == null || failure.actor() == Actor.HUB || failure.fix().isEmpty()
                ? missing
                : missing.withFix(failure.fix(), failure.command());
    }

    /** By the scoped fetch token, if machines use one. */
    private Problem fetchToken() {
        return Optional.ofNullable(published.fetchTokenExpiration())
                .flatMap(end -> expiry(end, Reason.FetchTokenExpiring, Reason.FetchTokenExpired))
                .orElseGet(() -> say(Reason.TokenRenewed));
    }

    /** Empty while enough time is left. */
    private Optional<Problem> expiry(Instant end, Reason expiring, Reason expired) {
        Duration left = Duration.between(facts.now(), end);
        if (left.compareTo(LEAST_LEFT) >= 0) {
            return Optional.empty();
        }
        return Optional.of(
                left.isPositive()
                        ? say(expiring, "duration", UnitFormatter.formatDuration(left))
                        : say(expired, "time", UnitFormatter.formatTime(end)));
    }

    private String whyNotRenewed() {
        Problem failure = run.failure();
        if (run.circumstances().paused()) {
            return "the tenant is paused";
        }
        if (!run.circumstances().connected()) {
            return "the worker cluster cannot be reached";
        }
        return failure != null ? failure.reason().wireName() : "no new one is created while rendering fails";
    }

    private String howToRenew() {
        boolean ofTenant = run.circumstances().paused() || !run.circumstances().connected() || run.failure() != null;
        return ofTenant
                ? "see the conditions of WorkerCluster " + facts.tenant().workerCluster()
                : "see condition Rendered";
    }
}
