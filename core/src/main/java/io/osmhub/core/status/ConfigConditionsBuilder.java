package io.osmhub.core.status;

import io.osmhub.core.bootstrap.ObjectNames;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.osc.OperatingSystemConfigStatus;
import io.osmhub.core.plan.Decision;
import io.osmhub.core.plan.Decision.Outcome;
import io.osmhub.core.plan.Decision.RenderSummary;
import io.osmhub.core.plan.Facts;
import io.osmhub.core.plan.OwnershipAnnotations;
import io.osmhub.core.plan.StoredConfig;
import io.osmhub.core.plan.StoredSecret.SecretRole;
import io.osmhub.core.problem.Actor;
import io.osmhub.core.problem.ProblemMessage;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.Reason.SubjectKind;
import io.osmhub.core.problem.ReasonMessage;
import io.osmhub.core.resource.Condition;
import io.osmhub.core.resource.Condition.Status;
import io.osmhub.core.status.MachineDeploymentReport.PublishedState;
import io.osmhub.core.userdata.UserDataSize;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Builds the conditions of an OperatingSystemConfig after a run. */
final class ConfigConditionsBuilder {
    static final String RENDERED = "Rendered";
    static final String PUBLISHED = "Published";
    static final String TOKEN_VALID = "TokenValid";

    private static final Duration LEAST_LEFT = Duration.ofMinutes(20);

    private final RunResult run;
    private final Facts facts;
    private final PublishedState published;
    private final String tenant;
    private final String name;
    private final String owner;

    ConfigConditionsBuilder(RunResult run, PublishedState published) {
        this.run = run;
        this.facts = run.facts();
        this.published = published;
        MachineDeployment machineDeployment = facts.machineDeployment();
        this.tenant = facts.tenant().namespace();
        this.name = ObjectNames.of(machineDeployment).operatingSystemConfig();
        this.owner = OwnershipAnnotations.owner(machineDeployment);
    }

    static boolean usesServiceAccount(RunResult run) {
        return run.facts().tenant().settings().bootstrap().serviceAccount() != null;
    }

    /** Ready, Rendered, Published, TokenValid. */
    List<Condition> build() {
        StoredConfig stored = run.stored();
        OperatingSystemConfigStatus before = stored == null ? null : stored.status();
        ConditionsBuilder conditions = new ConditionsBuilder(
                before == null ? null : before.conditions(),
                stored == null ? null : Long.valueOf(stored.generation()),
                facts.now());
        rendered(conditions);
        published(conditions);
        ReasonMessage token = tokenValid();
        conditions.add(
                TOKEN_VALID,
                ConditionsBuilder.findStatus(token.reason(), SubjectKind.CONFIG, TOKEN_VALID)
                        .orElse(Status.UNKNOWN),
                token);
        return conditions.withReady(available());
    }

    private ReasonMessage available() {
        return switch (run.decision().outcome()) {
            case Outcome.Published(RenderSummary rendered) ->
                Reason.Available.with(
                        "tenant", tenant,
                        "osc", name,
                        "md", owner,
                        "osp", osp(rendered),
                        "version", version(rendered));
            // Unreachable: Rendered is True only for held changes, and then Published is not.
            case Outcome.NotManaged _,
                    Outcome.Terminating _,
                    Outcome.Blocked _,
                    Outcome.NotRendered _,
                    Outcome.AwaitingFetchToken _,
                    Outcome.Failed _,
                    Outcome.NotPublished _ -> pending("nothing was published");
        };
    }

    private void rendered(ConditionsBuilder conditions) {
        switch (run.decision().outcome()) {
            case Outcome.Published(RenderSummary rendered) ->
                conditions.add(RENDERED, Status.TRUE, fromProfile(rendered));
            case Outcome.NotPublished(RenderSummary rendered) ->
                conditions.add(RENDERED, Status.TRUE, fromProfile(rendered));
            case Outcome.Failed _ ->
                conditions.add(
                        RENDERED,
                        Status.UNKNOWN,
                        MachineDeploymentReport.internalError(
                                facts.tenant().namespace(), "MachineDeployment", owner, run.id()));
            case Outcome.NotRendered _ -> conditions.add(RENDERED, Status.FALSE, mainProblem());
            case Outcome.AwaitingFetchToken _ ->
                conditions.add(RENDERED, Status.UNKNOWN, pending("its machines have no fetch token yet"));
            case Outcome.Blocked _ -> conditions.add(RENDERED, Status.FALSE, mainProblem());
            case Outcome.NotManaged _ -> conditions.add(RENDERED, Status.UNKNOWN, pending("it names no profile"));
            case Outcome.Terminating _ -> conditions.add(RENDERED, Status.UNKNOWN, pending("it is being deleted"));
        }
    }

    /** The problem that prevents rendering, else the worst one. */
    private ReasonMessage mainProblem() {
        List<ReasonMessage> problems = run.decision().problems();
        return problems.stream()
                .filter(problem -> says(problem, RENDERED))
                .findFirst()
                .orElseGet(problems::getFirst);
    }

    private static boolean says(ReasonMessage problem, String type) {
        return ConditionsBuilder.findStatus(problem.reason(), SubjectKind.CONFIG, type)
                .isPresent();
    }

    private ReasonMessage fromProfile(RenderSummary rendered) {
        return Reason.RenderedFromProfile.with(
                "tenant", tenant,
                "osc", name,
                "osp", osp(rendered),
                "version", version(rendered),
                "revision", rendered.stamps().revision());
    }

    private void published(ConditionsBuilder conditions) {
        ReasonMessage failure = run.failure();
        switch (run.decision().outcome()) {
            case Outcome.Published _ when failure != null -> conditions.add(PUBLISHED, Status.FALSE, failure);
            case Outcome.Published(RenderSummary rendered)
            when run.isComplete() -> conditions.add(PUBLISHED, Status.TRUE, published(rendered));
            case Outcome.Published _ -> conditions.add(PUBLISHED, Status.UNKNOWN, pending(cause()));
            case Outcome.AwaitingFetchToken _ when failure != null -> conditions.add(PUBLISHED, Status.FALSE, failure);
            case Outcome.AwaitingFetchToken _
            when !run.decision().problems().isEmpty() -> conditions.add(PUBLISHED, Status.FALSE, heldBy());
            case Outcome.AwaitingFetchToken _ -> conditions.add(PUBLISHED, Status.UNKNOWN, pending(cause()));
            case Outcome.NotPublished _ -> conditions.add(PUBLISHED, Status.FALSE, heldBy());
            case Outcome.NotRendered _,
                    Outcome.Failed _,
                    Outcome.Blocked _,
                    Outcome.NotManaged _,
                    Outcome.Terminating _ ->
                conditions.add(PUBLISHED, Status.UNKNOWN, pending("nothing new is rendered"));
        }
    }

    private ReasonMessage heldBy() {
        List<ReasonMessage> problems = run.decision().problems();
        return problems.stream()
                .filter(problem -> says(problem, PUBLISHED))
                .findFirst()
                .orElseGet(problems::getFirst);
    }

    private String cause() {
        return run.circumstances().paused()
                ? "the tenant is paused"
                : Objects.requireNonNullElse(run.waitingFor(), "writes are in progress");
    }

    private ReasonMessage pending(String cause) {
        return Reason.PublishPending.with("tenant", tenant, "osc", name, "cause", cause);
    }

    private ReasonMessage published(RenderSummary rendered) {
        UserDataSize.Limit limit = rendered.limit();
        return Reason.SecretsPublished.with(
                "tenant", tenant,
                "osc", name,
                "bytes", bytes(rendered, SecretRole.BOOTSTRAP),
                "limit", UnitFormatter.formatBytes(limit == null ? UserDataSize.SECRET_BYTES : limit.bytes()),
                "bytes2", bytes(rendered, SecretRole.PROVISIONING));
    }

    private static String bytes(RenderSummary rendered, SecretRole role) {
        return UnitFormatter.formatBytes(
                Optional.ofNullable(rendered.bytes().get(role)).orElse(0));
    }

    /** Its reason determines the status. */
    private ReasonMessage tokenValid() {
        ReasonMessage said = run.decision().problems().stream()
                .filter(problem -> says(problem, TOKEN_VALID))
                .findFirst()
                .orElse(null);
        if (!hasToken()) {
            return pending("it has no bootstrap token");
        }
        if (said != null) {
            return said;
        }
        return usesServiceAccount(run) ? byFetchToken() : byToken(published.tokenExpiration());
    }

    /** Objects under the names of a blocked one belong to another. */
    private boolean hasToken() {
        return switch (run.decision().outcome()) {
            case Outcome.Blocked _, Outcome.NotManaged _, Outcome.Terminating _ -> false;
            case Outcome.NotRendered _,
                    Outcome.AwaitingFetchToken _,
                    Outcome.Failed _,
                    Outcome.NotPublished _,
                    Outcome.Published _ -> true;
        };
    }

    private ReasonMessage byToken(@Nullable Instant end) {
        if (end == null && !published.has(SecretRole.BOOTSTRAP)) {
            return pending("no bootstrap token yet");
        }
        if (published.deletedToken() != null) {
            return deletedToken(published.deletedToken());
        }
        if (end == null && isTokenOfAnotherHubValid()) {
            return pending("its bootstrap token is another hub's");
        }
        if (end == null || !end.isAfter(facts.now())) {
            return Reason.BootstrapTokenExpired.with(
                    "tenant", tenant,
                    "token", token(),
                    "time", end == null ? "(none)" : UnitFormatter.formatTime(end),
                    "cause", whyNotRenewed(),
                    "cure", cure());
        }
        if (end.isBefore(facts.now().plus(LEAST_LEFT))) {
            return Reason.BootstrapTokenExpiring.with(
                    "tenant", tenant,
                    "token", token(),
                    "duration", UnitFormatter.formatDuration(Duration.between(facts.now(), end)),
                    "cause", whyNotRenewed(),
                    "cure", cure());
        }
        return byFetchToken();
    }

    private boolean isTokenOfAnotherHubValid() {
        return facts.found().tokens().stream()
                .filter(token ->
                        facts.tenant().hub().isOther(token.annotations().get(OwnershipAnnotations.HUB_ID)))
                .anyMatch(token ->
                        token.expiration() != null && token.expiration().isAfter(facts.now()));
    }

    private ReasonMessage deletedToken(String token) {
        return run.isInProgress()
                ? pending("Secret kube-system/" + token + " was deleted, " + cause())
                : Reason.BootstrapTokenMissing.with(
                        "tenant", tenant, "token", token, "cause", whyNotRenewed(), "cure", cureOfMissing());
    }

    /** Deleted tokens are replaced as soon as the problem that prevents it is fixed. */
    private String cureOfMissing() {
        ReasonMessage failure = run.failure();
        String fix = failure == null || failure.reason().actor() == Actor.HUB
                ? ""
                : ProblemMessage.parse(failure.message()).fix();
        return fix.isEmpty() ? cure() : fix;
    }

    /** By the scoped fetch token, if machines use one. */
    private ReasonMessage byFetchToken() {
        Instant end = published.fetchTokenExpiration();
        String account = ObjectNames.of(facts.machineDeployment()).fetchAccount();
        if (end == null || !end.isBefore(facts.now().plus(LEAST_LEFT))) {
            return Reason.TokenRenewed.with("tenant", tenant, "osc", name);
        }
        if (end.isAfter(facts.now())) {
            return Reason.FetchTokenExpiring.with(
                    "tenant", tenant,
                    "account", account,
                    "duration", UnitFormatter.formatDuration(Duration.between(facts.now(), end)),
                    "cause", whyNotRenewed(),
                    "cure", cure());
        }
        return Reason.FetchTokenExpired.with(
                "tenant", tenant,
                "account", account,
                "time", UnitFormatter.formatTime(end),
                "cause", whyNotRenewed(),
                "cure", cure());
    }

    private String token() {
        Decision.TokenInUse token = run.decision().token();
        return token != null
                ? token.name()
                : "with label " + ObjectNames.of(facts.machineDeployment()).key();
    }

    private String whyNotRenewed() {
        ReasonMessage failure = run.failure();
        if (run.circumstances().paused()) {
            return "the tenant is paused";
        }
        if (!run.circumstances().connected()) {
            return "the worker cluster cannot be reached";
        }
        return failure != null ? failure.reason().wireName() : "no new one is created while rendering fails";
    }

    private String cure() {
        if (run.circumstances().paused()) {
            return "resume WorkerCluster " + facts.tenant().workerCluster() + " as its condition Synced says";
        }
        return !run.circumstances().connected() || run.failure() != null
                ? "see the conditions of WorkerCluster " + facts.tenant().workerCluster()
                : "see condition Rendered";
    }

    private static String osp(RenderSummary rendered) {
        String namespace = rendered.profile().namespace();
        return namespace.isEmpty()
                ? rendered.profile().name()
                : namespace + "/" + rendered.profile().name();
    }

    private static String version(RenderSummary rendered) {
        return rendered.stamps().profileVersion();
    }
}
