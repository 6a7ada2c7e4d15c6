package io.osmhub.api.registration;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.api.access.Access;
import io.osmhub.api.http.Call;
import io.osmhub.api.http.Operation;
import io.osmhub.api.http.Reply;
import io.osmhub.api.problem.ApiProblem;
import io.osmhub.api.schema.RegistrationResult;
import io.osmhub.api.schema.WorkerCluster;
import io.osmhub.core.model.Sensitive;
import io.osmhub.core.settings.SettingsLayer;
import io.osmhub.core.workercluster.WorkerClusterSpec.DeletionPolicy;
import io.osmhub.tenancy.registration.Order;
import io.osmhub.tenancy.registration.Order.Terms;
import io.osmhub.tenancy.registration.Registered;
import io.osmhub.tenancy.registration.Registrar;
import io.osmhub.tenancy.registration.RegistrationRefused;
import io.osmhub.tenancy.registry.RegisteredBy;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import io.osmhub.tenancy.wire.MergePatch;
import io.osmhub.tenancy.wire.ObjectHead;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.Verb;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The operations on one registration. The hub acts with its own rights, so each asks before whether the caller has the same: on the
 * WorkerCluster and on the Secret with its kubeconfig.
 */
public final class RegistrationOperations {
    private static final String KUBECONFIG = "kubeconfig";

    private final Registrar registrar;
    private final Admission admission;
    private final Supplier<SettingsLayer> defaults;

    /** @param defaults the hub's, as they are now */
    public RegistrationOperations(Registrar registrar, Access access, Supplier<SettingsLayer> defaults) {
        this.registrar = registrar;
        this.admission = new Admission(access);
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

    /** What is asked of the registrar. */
    private interface Act<T> {
        T run() throws RegistrationRefused, ApiFailure;
    }

    private static <T> T run(Act<T> act) throws ApiProblem {
        try {
            return act.run();
        } catch (RegistrationRefused e) {
            throw Refusals.of(e);
        } catch (ApiFailure e) {
            throw Refusals.of(e);
        }
    }

    /** What is stored; null when nothing is. Only for callers who may see it. */
    private @Nullable JsonNode find(Target target) throws ApiProblem {
        admission.see(target);
        return run(() -> Optional.ofNullable(registrar.find(target.namespace(), target.name())))
                .orElse(null);
    }

    private JsonNode existing(Target target) throws ApiProblem {
        JsonNode found = find(target);
        if (found == null) {
            throw target.notFound();
        }
        return found;
    }

    // Registering

    private Reply put(Call call) throws ApiProblem {
        Target target = Target.of(call);
        JsonNode body = call.body();
        JsonNode before = find(target);
        admission.put(
                target, before, body.has(KUBECONFIG) || body.path("scoped").asBoolean());
        JsonNode stored = before == null ? MissingNode.getInstance() : before.path("spec");
        admission.refer(target, stored, body.path("spec"));
        Order order = new Order(
                target.namespace(),
                target.name(),
                kubeconfig(body),
                body.has("kubeconfigKey") ? body.path("kubeconfigKey").asText() : null,
                body.path("scoped").asBoolean(),
                body.path("skipTest").asBoolean(),
                body.path("labels").isObject() ? ObjectHead.strings(body.path("labels")) : null,
                body.path("spec") instanceof ObjectNode spec ? spec : null,
                RegisteredBy.API,
                terms(call, call.header("If-None-Match").isPresent()));
        Registered registered = run(() -> registrar.put(order));
        return registered.created() && registered.stored()
                ? replied(Reply.created(call.uri(), result(registered)), registered.workerCluster())
                : replied(Reply.ok(result(registered)), registered.workerCluster());
    }

    private Reply patch(Call call) throws ApiProblem {
        Target target = Target.of(call);
        JsonNode before = existing(target).path("spec");
        admission.change(target, Verb.PATCH);
        admission.refer(target, before, MergePatch.applied(before, call.body().path("spec")));
        JsonNode after = run(() -> registrar.patch(target.namespace(), target.name(), call.body(), terms(call, false)));
        return replied(Reply.ok(ShownWorkerCluster.of(after)), after);
    }

    private Reply delete(Call call) throws ApiProblem {
        Target target = Target.of(call);
        admission.remove(target, existing(target));
        Optional<String> policy = call.query("deletionPolicy");
        if (policy.isPresent()) {
            admission.change(target, Verb.PATCH);
        }
        DeletionPolicy chosen = policy.map(
                        word -> word.equals("Retain") ? DeletionPolicy.RETAIN : DeletionPolicy.DELETE)
                .orElse(null);
        JsonNode after = run(() -> registrar.remove(target.namespace(), target.name(), chosen, terms(call, false)));
        return replied(Reply.accepted(ShownWorkerCluster.of(after)), after);
    }

    // Credentials

    private Reply test(Call call) throws ApiProblem {
        Target target = Target.of(call);
        Sensitive given = kubeconfig(call.body());
        if (given == null) {
            existing(target);
        } else {
            admission.connect(target, find(target));
        }
        return Reply.ok(ShownReport.of(run(() -> registrar.test(target.namespace(), target.name(), given))));
    }

    private Reply rotate(Call call) throws ApiProblem {
        Target target = Target.of(call);
        admission.exchange(target, existing(target));
        Sensitive given = kubeconfig(call.body());
        if (given == null) {
            throw ApiProblem.badRequest("kubeconfig is required");
        }
        boolean scoped = call.body().path("scoped").asBoolean();
        Registered registered =
                run(() -> registrar.rotate(target.namespace(), target.name(), given, scoped, terms(call, false)));
        return replied(Reply.ok(result(registered)), registered.workerCluster());
    }

    private Reply scope(Call call) throws ApiProblem {
        Target target = Target.of(call);
        admission.exchange(target, existing(target));
        Registered registered = run(() -> registrar.scope(target.namespace(), target.name(), terms(call, false)));
        return replied(Reply.ok(result(registered)), registered.workerCluster());
    }

    // Settings

    private Reply settings(Call call) throws ApiProblem {
        return Reply.ok(SettingsView.of(WorkerClusterRecord.of(existing(Target.of(call))), defaults.get()));
    }

    // What they share

    private static @Nullable Sensitive kubeconfig(JsonNode body) {
        return body.path(KUBECONFIG).isTextual()
                ? new Sensitive(body.path(KUBECONFIG).textValue())
                : null;
    }

    private static Terms terms(Call call, boolean mustBeNew) {
        Predicate<JsonNode> expected = call.header("If-Match")
                .<Predicate<JsonNode>>map(
                        tags -> stored -> WorkerClusterVersion.matches(tags, ShownWorkerCluster.of(stored)))
                .orElse(null);
        String key = call.header("Idempotency-Key").map(IdempotencyKey::hash).orElse("");
        return new Terms(mustBeNew, expected, call.dryRun(), key);
    }

    private static RegistrationResult result(Registered registered) {
        return new RegistrationResult(
                ShownWorkerCluster.of(registered.workerCluster()),
                ShownReport.of(registered.report()),
                registered.stored());
    }

    private static Reply replied(Reply reply, JsonNode stored) {
        WorkerCluster shown = ShownWorkerCluster.of(stored);
        return reply.with("ETag", WorkerClusterVersion.etag(shown));
    }
}
