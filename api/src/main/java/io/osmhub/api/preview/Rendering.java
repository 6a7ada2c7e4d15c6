package io.osmhub.api.preview;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.api.access.Access;
import io.osmhub.api.diagnosis.Shown;
import io.osmhub.api.http.Call;
import io.osmhub.api.http.Reply;
import io.osmhub.api.problem.ApiProblem;
import io.osmhub.api.schema.ApiJson;
import io.osmhub.api.schema.DocumentName;
import io.osmhub.api.schema.ObjectByName;
import io.osmhub.api.schema.ObjectInFull;
import io.osmhub.api.schema.ProblemEntry;
import io.osmhub.api.schema.RenderRequest;
import io.osmhub.api.schema.RenderResult;
import io.osmhub.core.bootstrap.ObjectNames;
import io.osmhub.core.document.Document;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.machine.MachineDeploymentReader;
import io.osmhub.core.osc.OperatingSystemConfig;
import io.osmhub.core.plan.Marks;
import io.osmhub.core.plan.Preview;
import io.osmhub.core.plan.StoredConfig;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.tenancy.Attempt;
import io.osmhub.tenancy.LiveDetails;
import io.osmhub.tenancy.LiveTenant;
import io.osmhub.tenancy.Proposal;
import io.osmhub.tenancy.catalog.StoredProfile;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.apiserver.Verb;
import io.osmhub.workersync.reconcile.CloseUp;
import io.osmhub.workersync.watch.ObjectKey;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Shows documents: of what is stored, of what is wanted now, and of what a request brings along. */
final class Rendering {
    private static final Duration SOON = Duration.ofSeconds(5);

    private final LiveDetails details;
    private final Access access;
    private final UnaryOperator<String> servedBy;
    private final Turns turns;
    private final InstantSource clock;

    /** @param servedBy name of the replica that serves the tenant of a namespace; empty while that is not settled */
    Rendering(LiveDetails details, Access access, UnaryOperator<String> servedBy, Turns turns, InstantSource clock) {
        this.details = details;
        this.access = access;
        this.servedBy = servedBy;
        this.turns = turns;
        this.clock = clock;
    }

    /** {@code getUserData}. */
    Reply userData(Call call) throws ApiProblem {
        String tenant = call.path("namespace");
        ObjectKey key = new ObjectKey(call.path("machineDeploymentNamespace"), call.path("machineDeploymentName"));
        requireSeen(call, tenant, "MachineDeployment " + key);
        Predicate<DocumentName> wanted = only(call.query("document"));
        boolean stored = call.query("source").orElse("Wanted").equals("Stored");
        return Reply.ok(stored ? stored(tenant, key, wanted) : wanted(call, tenant, key, wanted));
    }

    private static Predicate<DocumentName> only(Optional<String> word) {
        Optional<DocumentName> one = word.flatMap(name -> ApiJson.constant(DocumentName.class, name));
        return name -> one.isEmpty() || one.get() == name;
    }

    private RenderResult wanted(Call call, String tenant, ObjectKey key, Predicate<DocumentName> wanted)
            throws ApiProblem {
        LiveTenant live = served(tenant);
        return turns.take(call.caller().user(), () -> result(live, key, Proposal.NONE, wanted));
    }

    private LiveTenant served(String tenant) throws ApiProblem {
        Optional<LiveTenant> live = details.live(tenant);
        if (live.isPresent()) {
            return live.get();
        }
        if (details.workerCluster(tenant).isEmpty()) {
            throw ApiProblem.notFound("WorkerCluster in namespace " + tenant);
        }
        String other = servedBy.apply(tenant);
        throw ApiProblem.unavailable(
                other.isEmpty()
                        ? "no replica of the hub serves the tenant of namespace " + tenant
                                + " at this moment; try again in " + SOON.toSeconds() + " s"
                        : "replica " + other + " of the hub serves the tenant of namespace " + tenant
                                + " and has what a preview takes; ask that one, or look at what is stored",
                SOON);
    }

    private RenderResult stored(String tenant, ObjectKey key, Predicate<DocumentName> wanted) throws ApiProblem {
        String name = new ObjectNames(key.namespace(), key.name()).operatingSystemConfig();
        StoredConfig config = details.config(tenant, name)
                .orElseThrow(() -> ApiProblem.notFound("OperatingSystemConfig " + name + " in namespace " + tenant));
        if (!key.toString().equals(config.annotations().get(Marks.OWNER))) {
            // Another program's may hold credentials.
            throw ApiProblem.conflict("OperatingSystemConfig " + name
                    + " was not written by this hub for MachineDeployment " + key + "; look at what is wanted");
        }
        boolean upgrade = details.live(tenant)
                .flatMap(live -> live.machineDeployment(key))
                .map(CloseUp::distUpgradeOnBoot)
                .orElse(false);
        try {
            OperatingSystemConfig read = details.read(config);
            return new RenderResult(
                    config.status() == null
                            ? null
                            : Shown.source(config.status().source()),
                    Documents.of(read, key.name(), upgrade, wanted),
                    List.of());
        } catch (ApiFailure e) {
            throw ApiProblem.unavailable(
                    "the management cluster did not give OperatingSystemConfig " + name + ": " + e.text(),
                    Duration.ofSeconds(5));
        } catch (TenantMistake e) {
            throw ApiProblem.conflict(
                    "no user-data can be made of OperatingSystemConfig " + name + ": " + e.getMessage());
        }
    }

    /** {@code render}. */
    Reply render(Call call) throws ApiProblem {
        RenderRequest request = Bodies.read(call.body(), RenderRequest.class);
        String tenant = request.tenant();
        if (tenant == null) {
            throw Bodies.wrong("/tenant", "it is left out", "name the tenant whose settings are to hold");
        }
        requireSeen(call, tenant, "tenant " + tenant);
        LiveTenant live = served(tenant);
        MachineDeployment given = null;
        ObjectKey key;
        switch (request.machineDeployment()) {
            case ObjectByName named -> key = named(named);
            case ObjectInFull full -> {
                given = machineDeployment(full.object());
                key = new ObjectKey(given.namespace(), given.name());
            }
        }
        JsonNode settings = call.body().get("settings");
        Proposal proposal = new Proposal(List.of(), profile(call, tenant, request), given, settings);
        List<DocumentName> documents = request.documents();
        Predicate<DocumentName> wanted = name -> documents == null || documents.isEmpty() || documents.contains(name);
        ObjectKey about = key;
        return Reply.ok(turns.take(call.caller().user(), () -> result(live, about, proposal, wanted)));
    }

    private static ObjectKey named(ObjectByName named) throws ApiProblem {
        if (named.namespace() == null) {
            throw Bodies.wrong(
                    "/machineDeployment/namespace", "it is left out", "name its namespace in the worker cluster");
        }
        return new ObjectKey(named.namespace(), named.name());
    }

    private static MachineDeployment machineDeployment(JsonNode object) throws ApiProblem {
        try {
            return MachineDeploymentReader.read(Document.of("MachineDeployment", object));
        } catch (TenantMistake e) {
            throw ApiProblem.validationFailed(e.findings().stream()
                    .map(finding -> Bodies.mistake("/machineDeployment/object", finding))
                    .toList());
        }
    }

    private @Nullable StoredProfile profile(Call call, String tenant, RenderRequest request) throws ApiProblem {
        return switch (request.profile()) {
            case null -> null;
            case ObjectInFull full -> Bodies.profile(full.object(), "/profile/object");
            case ObjectByName named -> stored(call, tenant, named);
        };
    }

    private StoredProfile stored(Call call, String tenant, ObjectByName named) throws ApiProblem {
        List<String> places = named.namespace() == null
                ? List.of(tenant, details.sharedProfileNamespace())
                : List.of(named.namespace());
        for (String place : places) {
            Optional<StoredProfile> found = details.profile(place, named.name());
            // What every tenant may use, or this one, needs no right of its own.
            boolean tenants = place.equals(tenant) || place.equals(details.sharedProfileNamespace());
            if (found.isPresent()
                    && (tenants
                            || access.may(
                                    call.caller(),
                                    Verb.GET,
                                    Resource.OPERATING_SYSTEM_PROFILES,
                                    place,
                                    named.name()))) {
                return found.get();
            }
        }
        throw ApiProblem.notFound("OperatingSystemProfile " + named.name() + " in " + String.join(" or ", places));
    }

    private RenderResult result(LiveTenant live, ObjectKey key, Proposal proposal, Predicate<DocumentName> wanted)
            throws ApiProblem {
        Attempt attempt = live.attempt(key, proposal)
                .orElseThrow(() -> ApiProblem.notFound("MachineDeployment " + key + " in namespace "
                        + live.view().namespace()));
        Preview preview = attempt.preview();
        List<ProblemEntry> problems = attempt.problems().stream()
                .map(diagnosis -> Shown.problem(
                        diagnosis, live.view().namespace(), live.view().name(), key, clock.instant()))
                .toList();
        return preview == null
                ? new RenderResult(null, List.of(), problems)
                : new RenderResult(
                        Shown.source(preview.rendered(), clock.instant()), Documents.of(preview, wanted), problems);
    }

    private void requireSeen(Call call, String tenant, String what) throws ApiProblem {
        if (!access.may(call.caller(), Verb.GET, Resource.OPERATING_SYSTEM_CONFIGS, tenant, "")) {
            throw ApiProblem.notFound(what + " in namespace " + tenant);
        }
    }
}
