package io.osmhub.api.registration;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.api.access.CallerAuthorizer;
import io.osmhub.api.http.Call;
import io.osmhub.api.http.Operation;
import io.osmhub.api.http.Reply;
import io.osmhub.api.problem.ApiProblem;
import io.osmhub.api.registration.RegistrationAuthorizer.RegistrationTarget;
import io.osmhub.api.schema.RegistrationResult;
import io.osmhub.api.schema.WorkerClusterEntry;
import io.osmhub.core.model.Sensitive;
import io.osmhub.core.settings.SettingsLayer;
import io.osmhub.core.workercluster.WorkerClusterSpec.DeletionPolicy;
import io.osmhub.tenancy.management.ObjectMetadata;
import io.osmhub.tenancy.registration.Registrar;
import io.osmhub.tenancy.registration.Registrar.RegistrationOutcome;
import io.osmhub.tenancy.registration.Registrar.RegistrationRequest;
import io.osmhub.tenancy.registration.Registrar.RegistrationRequest.CredentialRequest;
import io.osmhub.tenancy.registration.Registrar.RegistrationRequest.RegistrationOptions;
import io.osmhub.tenancy.registration.RegistrationException;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import io.osmhub.tenancy.registry.WorkerClusterRecord.RegistrationSource;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.MergePatch;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.apiserver.Verb;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The operations on one registration. The hub acts with its own permissions, so each operation first checks that the caller has the
 * same ones on the WorkerCluster and the Secret with its kubeconfig.
 */
public final class RegistrationOperations {
    private static final String KUBECONFIG = "kubeconfig";

    private final Registrar registrar;
    private final CallerAuthorizer authorizer;
    private final RegistrationAuthorizer registrationAuthorizer;
    private final Function<String, SettingsLayer> platform;
    private final Supplier<SettingsLayer> defaults;

    /**
     * @param platform settings of a namespace's tenant from the objects of the platform that runs it
     * @param defaults the hub's current ones
     */
    public RegistrationOperations(
            Registrar registrar,
            CallerAuthorizer authorizer,
            Function<String, SettingsLayer> platform,
            Supplier<SettingsLayer> defaults) {
        this.registrar = registrar;
        this.authorizer = authorizer;
        this.registrationAuthorizer = new RegistrationAuthorizer(authorizer);
        this.platform = platform;
        this.defaults = defaults;
    }

    public List<Operation> operations() {
        return List.of(
                Operation.of("putWorkerCluster", this::put),
                Operation.of("patchWorkerCluster", this::patch),
                Operation.of("deleteWorkerCluster", this::delete),
                Operation.of("testWorkerCluster", this::test),
                Operation.of("rotateWorkerCluster", this::rotate),
                Operation.of("scopeWorkerCluster", this::scope),
                Operation.of("getEffectiveSettings", this::settings));
    }

    /** A call to the registrar. */
    private interface RegistrarAction<T> {
        T run() throws RegistrationException, ApiFailure;
    }

    private static <T> T run(RegistrarAction<T> act) throws ApiProblem {
        try {
            return act.run();
        } catch (RegistrationException e) {
            throw RegistrationProblems.of(e);
        } catch (ApiFailure e) {
            throw RegistrationProblems.of(e);
        }
    }

    /** Names other registrations only to callers that may see them. */
    private Registrar registrar(Call call) {
        return registrar.withVisible(other -> {
            try {
                return authorizer.isAllowed(
                        call.caller(), Verb.GET, Resource.WORKER_CLUSTERS, other.namespace(), other.name());
            } catch (ApiProblem unknown) {
                // Without a decision of the management cluster, the message names no other registration.
                return false;
            }
        });
    }

    /** The stored object; null if none. Fails for callers that may not see it. */
    private @Nullable JsonNode find(RegistrationTarget target) throws ApiProblem {
        registrationAuthorizer.requireVisible(target);
        return run(() -> Optional.ofNullable(registrar.find(target.namespace(), target.name())))
                .orElse(null);
    }

    private JsonNode existing(RegistrationTarget target) throws ApiProblem {
        JsonNode found = find(target);
        if (found == null) {
            throw target.notFound();
        }
        return found;
    }

    // --- registration

    private Reply put(Call call) throws ApiProblem {
        RegistrationTarget target = RegistrationTarget.of(call);
        JsonNode body = call.body();
        JsonNode before = find(target);
        registrationAuthorizer.requirePut(
                target, before, body.has(KUBECONFIG) || body.path("scoped").asBoolean());
        JsonNode stored = before == null ? MissingNode.getInstance() : before.path("spec");
        registrationAuthorizer.requireReferencesAllowed(target, stored, body.path("spec"));
        RegistrationRequest order = new RegistrationRequest(
                target.namespace(),
                target.name(),
                new CredentialRequest(
                        kubeconfig(body),
                        body.has("kubeconfigKey") ? body.path("kubeconfigKey").asText() : null,
                        body.path("scoped").asBoolean(),
                        body.path("skipTest").asBoolean()),
                body.path("labels").isObject() ? ObjectMetadata.strings(body.path("labels")) : null,
                body.path("spec") instanceof ObjectNode spec ? spec : null,
                RegistrationSource.API,
                options(call, call.header("If-None-Match").isPresent()));
        RegistrationOutcome registered = run(() -> registrar(call).put(order));
        return registered.created() && registered.stored()
                ? replied(Reply.created(call.uri(), result(registered)), registered.workerCluster())
                : replied(Reply.ok(result(registered)), registered.workerCluster());
    }

    private Reply patch(Call call) throws ApiProblem {
        RegistrationTarget target = RegistrationTarget.of(call);
        JsonNode before = existing(target).path("spec");
        registrationAuthorizer.requireChange(target, Verb.PATCH);
        registrationAuthorizer.requireReferencesAllowed(
                target, before, MergePatch.apply(before, call.body().path("spec")));
        JsonNode after =
                run(() -> registrar.patch(target.namespace(), target.name(), call.body(), options(call, false)));
        return replied(Reply.ok(WorkerClusterMapper.of(after)), after);
    }

    private Reply delete(Call call) throws ApiProblem {
        RegistrationTarget target = RegistrationTarget.of(call);
        registrationAuthorizer.requireDelete(target, existing(target));
        Optional<String> policy = call.query("deletionPolicy");
        if (policy.isPresent()) {
            registrationAuthorizer.requireChange(target, Verb.PATCH);
        }
        DeletionPolicy chosen = policy.map(
                        word -> word.equals("Retain") ? DeletionPolicy.RETAIN : DeletionPolicy.DELETE)
                .orElse(null);
        JsonNode after = run(() -> registrar.remove(target.namespace(), target.name(), chosen, options(call, false)));
        return replied(Reply.accepted(WorkerClusterMapper.of(after)), after);
    }

    // --- credentials

    private Reply test(Call call) throws ApiProblem {
        RegistrationTarget target = RegistrationTarget.of(call);
        Sensitive given = kubeconfig(call.body());
        if (given == null) {
            existing(target);
        } else {
            registrationAuthorizer.requireConnectionTest(target, find(target));
        }
        return Reply.ok(TestReportMapper.of(run(() -> registrar(call).test(target.namespace(), target.name(), given))));
    }

    private Reply rotate(Call call) throws ApiProblem {
        RegistrationTarget target = RegistrationTarget.of(call);
        registrationAuthorizer.requireRotate(target, existing(target));
        Sensitive given = kubeconfig(call.body());
        if (given == null) {
            throw ApiProblem.badRequest("kubeconfig is required");
        }
        boolean scoped = call.body().path("scoped").asBoolean();
        RegistrationOutcome registered = run(
                () -> registrar(call).rotate(target.namespace(), target.name(), given, scoped, options(call, false)));
        return replied(Reply.ok(result(registered)), registered.workerCluster());
    }

    private Reply scope(Call call) throws ApiProblem {
        RegistrationTarget target = RegistrationTarget.of(call);
        registrationAuthorizer.requireRotate(target, existing(target));
        RegistrationOutcome registered =
                run(() -> registrar(call).rotate(target.namespace(), target.name(), null, true, options(call, false)));
        return replied(Reply.ok(result(registered)), registered.workerCluster());
    }

    // --- settings

    private Reply settings(Call call) throws ApiProblem {
        RegistrationTarget target = RegistrationTarget.of(call);
        return Reply.ok(EffectiveSettingsMapper.of(
                WorkerClusterRecord.of(existing(target)), platform.apply(target.namespace()), defaults.get()));
    }

    // --- common

    private static @Nullable Sensitive kubeconfig(JsonNode body) {
        return body.path(KUBECONFIG).isTextual()
                ? new Sensitive(body.path(KUBECONFIG).textValue())
                : null;
    }

    private static RegistrationOptions options(Call call, boolean mustBeNew) {
        Predicate<JsonNode> expected = call.header("If-Match")
                .<Predicate<JsonNode>>map(
                        tags -> stored -> WorkerClusterEtag.matches(tags, WorkerClusterMapper.of(stored)))
                .orElse(null);
        return new RegistrationOptions(mustBeNew, expected, call.dryRun());
    }

    private static RegistrationResult result(RegistrationOutcome registered) {
        return new RegistrationResult(
                WorkerClusterMapper.of(registered.workerCluster()),
                TestReportMapper.of(registered.report()),
                registered.stored());
    }

    private static Reply replied(Reply reply, JsonNode stored) {
        WorkerClusterEntry shown = WorkerClusterMapper.of(stored);
        return reply.withHeader("ETag", WorkerClusterEtag.etag(shown));
    }
}
