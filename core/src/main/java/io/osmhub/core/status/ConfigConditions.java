package io.osmhub.core.status;

import io.osmhub.core.bootstrap.ObjectNames;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.osc.OperatingSystemConfigStatus;
import io.osmhub.core.plan.Decision;
import io.osmhub.core.plan.Decision.Outcome;
import io.osmhub.core.plan.Decision.Rendered;
import io.osmhub.core.plan.Diagnosis;
import io.osmhub.core.plan.Facts;
import io.osmhub.core.plan.Marks;
import io.osmhub.core.plan.SecretRole;
import io.osmhub.core.plan.StoredConfig;
import io.osmhub.core.problem.Actor;
import io.osmhub.core.problem.Message;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.Subject;
import io.osmhub.core.render.UserDataLimit;
import io.osmhub.core.resource.Condition;
import io.osmhub.core.resource.Condition.Status;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The conditions of an OperatingSystemConfig after a run. */
final class ConfigConditions {
    static final String RENDERED = "Rendered";
    static final String PUBLISHED = "Published";
    static final String TOKEN_VALID = "TokenValid";

    private static final Duration LEAST_LEFT = Duration.ofMinutes(20);

    private final Run run;
    private final Facts facts;
    private final PublishedSet published;
    private final String tenant;
    private final String name;
    private final String owner;

    ConfigConditions(Run run, PublishedSet published) {
        this.run = run;
        this.facts = run.facts();
        this.published = published;
        MachineDeployment machineDeployment = facts.machineDeployment();
        this.tenant = facts.tenant().namespace();
        this.name = ObjectNames.of(machineDeployment).operatingSystemConfig();
        this.owner = Marks.owner(machineDeployment);
    }

    static boolean byServiceAccount(Run run) {
        return run.facts().tenant().settings().bootstrap().serviceAccount() != null;
    }

    /** Ready, Rendered, Published, TokenValid. */
    List<Condition> list() {
        StoredConfig stored = run.stored();
        OperatingSystemConfigStatus before = stored == null ? null : stored.status();
        Conditions conditions = new Conditions(
                before == null ? null : before.conditions(),
                stored == null ? null : Long.valueOf(stored.generation()),
                facts.now());
        rendered(conditions);
        published(conditions);
        tokenValid(conditions);
        return conditions.withReady(available());
    }

    private Diagnosis available() {
        return switch (run.decision().outcome()) {
            case Outcome.Wanted(Rendered rendered) ->
                diagnosis(
                        Reason.Available,
                        Map.of("osc", name, "md", owner, "osp", osp(rendered), "version", version(rendered)));
            // Not said: Rendered is True for nothing else but what is held, and then Published is not.
            case Outcome.NotOurs _,
                    Outcome.Leaving _,
                    Outcome.Blocked _,
                    Outcome.NotRendered _,
                    Outcome.AwaitsToken _,
                    Outcome.Failed _,
                    Outcome.Held _ -> pending("nothing is published");
        };
    }

    private void rendered(Conditions conditions) {
        switch (run.decision().outcome()) {
            case Outcome.Wanted(Rendered rendered) -> conditions.add(RENDERED, Status.TRUE, fromProfile(rendered));
            case Outcome.Held(Rendered rendered) -> conditions.add(RENDERED, Status.TRUE, fromProfile(rendered));
            case Outcome.Failed _ ->
                conditions.add(
                        RENDERED, Status.UNKNOWN, Report.internalError(tenant, "MachineDeployment", owner, run.id()));
            case Outcome.NotRendered _ -> conditions.add(RENDERED, Status.FALSE, mainProblem());
            case Outcome.AwaitsToken _ ->
                conditions.add(RENDERED, Status.UNKNOWN, pending("its machines have no token to fetch with yet"));
            case Outcome.Blocked _ -> conditions.add(RENDERED, Status.FALSE, mainProblem());
            case Outcome.NotOurs _ -> conditions.add(RENDERED, Status.UNKNOWN, pending("it names no profile"));
            case Outcome.Leaving _ -> conditions.add(RENDERED, Status.UNKNOWN, pending("it is being deleted"));
        }
    }

    /** What keeps it from being rendered: a problem of the rendering, else whatever is worst. */
    private Diagnosis mainProblem() {
        List<Diagnosis> problems = run.decision().problems();
        return problems.stream()
                .filter(problem -> says(problem, RENDERED))
                .findFirst()
                .orElseGet(problems::getFirst);
    }

    private static boolean says(Diagnosis problem, String type) {
        return Conditions.statusBy(problem.reason(), Subject.CONFIG, type).isPresent();
    }

    private Diagnosis fromProfile(Rendered rendered) {
        return diagnosis(
                Reason.RenderedFromProfile,
                Map.of(
                        "osc", name,
                        "osp", osp(rendered),
                        "version", version(rendered),
                        "revision", rendered.stamps().revision()));
    }

    private void published(Conditions conditions) {
        Diagnosis failure = run.failure();
        switch (run.decision().outcome()) {
            case Outcome.Wanted _ when failure != null -> conditions.add(PUBLISHED, Status.FALSE, failure);
            case Outcome.Wanted(Rendered rendered)
            when run.complete() -> conditions.add(PUBLISHED, Status.TRUE, published(rendered));
            case Outcome.Wanted _ -> conditions.add(PUBLISHED, Status.UNKNOWN, pending(cause()));
            case Outcome.AwaitsToken _ when failure != null -> conditions.add(PUBLISHED, Status.FALSE, failure);
            case Outcome.AwaitsToken _
            when !run.decision().problems().isEmpty() -> conditions.add(PUBLISHED, Status.FALSE, heldBy());
            case Outcome.AwaitsToken _ -> conditions.add(PUBLISHED, Status.UNKNOWN, pending(cause()));
            case Outcome.Held _ -> conditions.add(PUBLISHED, Status.FALSE, heldBy());
            case Outcome.NotRendered _, Outcome.Failed _, Outcome.Blocked _, Outcome.NotOurs _, Outcome.Leaving _ ->
                conditions.add(PUBLISHED, Status.UNKNOWN, pending("nothing new is rendered"));
        }
    }

    private Diagnosis heldBy() {
        List<Diagnosis> problems = run.decision().problems();
        return problems.stream()
                .filter(problem -> says(problem, PUBLISHED))
                .findFirst()
                .orElseGet(problems::getFirst);
    }

    private String cause() {
        return run.circumstances().paused()
                ? "the tenant is paused"
                : Objects.requireNonNullElse(run.waiting(), "writes are not over");
    }

    private Diagnosis pending(String cause) {
        return diagnosis(Reason.PublishPending, Map.of("osc", name, "cause", cause));
    }

    private Diagnosis published(Rendered rendered) {
        Integer limit = rendered.limitBytes();
        return diagnosis(
                Reason.SecretsPublished,
                Map.of(
                        "osc", name,
                        "bytes", bytes(rendered, SecretRole.BOOTSTRAP),
                        "limit", Wording.bytes(limit == null ? UserDataLimit.SECRET_BYTES : limit),
                        "bytes2", bytes(rendered, SecretRole.PROVISIONING)));
    }

    private static String bytes(Rendered rendered, SecretRole role) {
        return Wording.bytes(Optional.ofNullable(rendered.bytes().get(role)).orElse(0));
    }

    private void tokenValid(Conditions conditions) {
        Diagnosis said = run.decision().problems().stream()
                .filter(problem -> says(problem, TOKEN_VALID))
                .findFirst()
                .orElse(null);
        if (!hasToken()) {
            conditions.add(TOKEN_VALID, Status.UNKNOWN, pending("it has no token of its own"));
        } else if (said != null) {
            conditions.add(TOKEN_VALID, Status.FALSE, said);
        } else if (byServiceAccount(run)) {
            byFetchToken(conditions, published.fetchEnd());
        } else {
            byToken(conditions, published.tokenEnd());
        }
    }

    /** What is found under the names of a blocked one is another one's. */
    private boolean hasToken() {
        return switch (run.decision().outcome()) {
            case Outcome.Blocked _, Outcome.NotOurs _, Outcome.Leaving _ -> false;
            case Outcome.NotRendered _, Outcome.AwaitsToken _, Outcome.Failed _, Outcome.Held _, Outcome.Wanted _ ->
                true;
        };
    }

    private void byToken(Conditions conditions, @Nullable Instant end) {
        if (end == null && !published.has(SecretRole.BOOTSTRAP)) {
            conditions.add(TOKEN_VALID, Status.UNKNOWN, pending("no bootstrap token yet"));
        } else if (published.deletedToken() != null) {
            deletedToken(conditions, published.deletedToken());
        } else if (end == null || !end.isAfter(facts.now())) {
            String time = end == null ? "(there is none)" : Wording.time(end);
            conditions.add(
                    TOKEN_VALID,
                    Status.FALSE,
                    diagnosis(
                            Reason.BootstrapTokenExpired,
                            Map.of("token", token(), "time", time, "cause", whyNotRenewed(), "cure", cure())));
        } else if (end.isBefore(facts.now().plus(LEAST_LEFT))) {
            String left = Wording.duration(Duration.between(facts.now(), end));
            conditions.add(
                    TOKEN_VALID,
                    Status.FALSE,
                    diagnosis(
                            Reason.BootstrapTokenExpiring,
                            Map.of("token", token(), "duration", left, "cause", whyNotRenewed(), "cure", cure())));
        } else {
            byFetchToken(conditions, published.fetchEnd());
        }
    }

    private void deletedToken(Conditions conditions, String token) {
        if (run.isUnderWay()) {
            conditions.add(
                    TOKEN_VALID, Status.UNKNOWN, pending("Secret kube-system/" + token + " was deleted; " + cause()));
        } else {
            conditions.add(
                    TOKEN_VALID,
                    Status.FALSE,
                    diagnosis(
                            Reason.BootstrapTokenMissing,
                            Map.of("token", token, "cause", whyNotRenewed(), "cure", cureOfMissing())));
        }
    }

    /** What keeps the hub from making another one is what has to be mended. */
    private String cureOfMissing() {
        Diagnosis failure = run.failure();
        int cut = failure == null ? -1 : failure.message().lastIndexOf("; ");
        return failure == null || cut < 0 || failure.reason().actor() == Actor.HUB
                ? cure()
                : failure.message().substring(cut + 2);
    }

    /** @param end of the token of its own with which machines fetch; null while they fetch with the shared one */
    private void byFetchToken(Conditions conditions, @Nullable Instant end) {
        String account = ObjectNames.of(facts.machineDeployment()).fetchAccount();
        if (end == null || !end.isBefore(facts.now().plus(LEAST_LEFT))) {
            conditions.add(TOKEN_VALID, Status.TRUE, diagnosis(Reason.TokenRenewed, Map.of("osc", name)));
        } else if (end.isAfter(facts.now())) {
            String left = Wording.duration(Duration.between(facts.now(), end));
            conditions.add(
                    TOKEN_VALID,
                    Status.FALSE,
                    diagnosis(
                            Reason.FetchTokenExpiring,
                            Map.of("account", account, "duration", left, "cause", whyNotRenewed(), "cure", cure())));
        } else {
            conditions.add(
                    TOKEN_VALID,
                    Status.FALSE,
                    diagnosis(
                            Reason.FetchTokenExpired,
                            Map.of(
                                    "account", account,
                                    "time", Wording.time(end),
                                    "cause", whyNotRenewed(),
                                    "cure", cure())));
        }
    }

    private String token() {
        Decision.Token token = run.decision().token();
        return token != null
                ? token.name()
                : "with label " + ObjectNames.of(facts.machineDeployment()).key();
    }

    private String whyNotRenewed() {
        Diagnosis failure = run.failure();
        if (run.circumstances().paused()) {
            return "the tenant is paused";
        }
        if (!run.circumstances().connected()) {
            return "the worker cluster cannot be reached";
        }
        return failure != null ? failure.reason().word() : "no new one is made while nothing can be rendered";
    }

    private String cure() {
        if (run.circumstances().paused()) {
            return "set spec.paused of WorkerCluster " + facts.tenant().workerCluster() + " to false";
        }
        return !run.circumstances().connected() || run.failure() != null
                ? "see the conditions of WorkerCluster " + facts.tenant().workerCluster()
                : "see condition Rendered";
    }

    private static String osp(Rendered rendered) {
        String namespace = rendered.profile().namespace();
        return namespace.isEmpty()
                ? rendered.profile().name()
                : namespace + "/" + rendered.profile().name();
    }

    private static String version(Rendered rendered) {
        return rendered.stamps().profileVersion();
    }

    private Diagnosis diagnosis(Reason reason, Map<String, String> values) {
        Map<String, String> all = new HashMap<>(values);
        all.put("tenant", tenant);
        return new Diagnosis(reason, Message.of(reason, all));
    }
}
