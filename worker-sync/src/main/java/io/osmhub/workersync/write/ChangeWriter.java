package io.osmhub.workersync.write;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.osmhub.core.bootstrap.FetchToken;
import io.osmhub.core.bootstrap.ObjectNames;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.model.Sensitive;
import io.osmhub.core.plan.DesiredObject;
import io.osmhub.core.plan.DesiredObject.DesiredConfig;
import io.osmhub.core.plan.PlannedChange;
import io.osmhub.core.plan.StoredConfig;
import io.osmhub.core.plan.StoredObject;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.CurrentConnection;
import io.osmhub.workersync.apiserver.ForbiddenRequests;
import io.osmhub.workersync.apiserver.MergePatch;
import io.osmhub.workersync.apiserver.RequestAttribution;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.apiserver.Verb;
import io.osmhub.workersync.port.ConfigStore;
import io.osmhub.workersync.port.Scheduler;
import io.osmhub.workersync.watch.CachedSelection;
import io.osmhub.workersync.watch.ObjectKey;
import io.osmhub.workersync.watch.WatchedMachineDeployment;
import io.osmhub.workersync.watch.WorkerInformers;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Applies the changes of a decision: stage by stage, concurrently within a stage. Never reads before a write and never retries;
 * each write carries its precondition (name, UID or version), so that an outdated one is rejected.
 *
 * <p>A failure may leave the state uncertain, which is resolved before the next decision ({@link #resolveUncertainWrites}):
 * nothing is written on top of a write of unknown outcome.
 */
public final class ChangeWriter {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int UNPROCESSABLE = 422;
    /** Kinds that the hub writes to {@code cloud-init-settings}. */
    private static final List<Resource> SETTINGS_RESOURCES =
            List.of(Resource.SECRETS, Resource.SERVICE_ACCOUNTS, Resource.ROLES, Resource.ROLE_BINDINGS);

    private final CurrentConnection currentConnection;
    private final ConfigStore configStore;
    private final Scheduler scheduler;
    private final Executor executor;
    private final ForbiddenRequests forbiddenRequests;
    private final WorkerInformers informers;
    private final UnpublishedTokens unpublishedTokens = new UnpublishedTokens();
    private final UncertainWrites uncertainWrites;

    /** @param executor runs the other changes of a stage after the first, on a virtual thread each */
    public ChangeWriter(
            CurrentConnection currentConnection,
            WorkerInformers informers,
            ConfigStore configStore,
            Scheduler scheduler,
            Executor executor) {
        this.currentConnection = currentConnection;
        this.informers = informers;
        this.configStore = configStore;
        this.scheduler = scheduler;
        this.executor = executor;
        forbiddenRequests = new ForbiddenRequests(scheduler::nanoTime, currentConnection);
        uncertainWrites = new UncertainWrites(currentConnection);
    }

    private CachedSelection<?> cached(WriteTarget target) {
        return informers.selectionOf(target.resource(), target.key().namespace());
    }

    /** Requested tokens that are not published yet. */
    public UnpublishedTokens unpublishedTokens() {
        return unpublishedTokens;
    }

    /** Applies the changes, ordered by stage; blocks until all have ended. */
    public WriteResult apply(List<PlannedChange> changes) {
        List<WriteResult.CompletedWrite> completed = new ArrayList<>();
        int from = 0;
        while (from < changes.size()) {
            int to = from + 1;
            while (to < changes.size()
                    && changes.get(to).stage() == changes.get(from).stage()) {
                to++;
            }
            WriteResult.FailedWrite failed = applyStage(changes.subList(from, to), completed);
            if (failed != null) {
                return new WriteResult(completed, failed);
            }
            from = to;
        }
        return new WriteResult(completed, null);
    }

    private WriteResult.@Nullable FailedWrite applyStage(
            List<PlannedChange> changes, List<WriteResult.CompletedWrite> completed) {
        List<CompletableFuture<WriteAttempt>> otherAttempts = new ArrayList<>();
        for (PlannedChange change : changes.subList(1, changes.size())) {
            otherAttempts.add(CompletableFuture.supplyAsync(
                    RequestAttribution.withCurrentListener(() -> tryChange(change)), executor));
        }
        List<WriteAttempt> attempts = new ArrayList<>();
        attempts.add(tryChange(changes.getFirst()));
        otherAttempts.forEach(other -> attempts.add(other.join()));
        WriteResult.FailedWrite failed = null;
        for (WriteAttempt attempt : attempts) {
            ApiFailure failure = attempt.failure();
            if (failure == null) {
                completed.add(new WriteResult.CompletedWrite(attempt.change(), attempt.took()));
            } else if (failed == null || failed.failure().isTransient() && !failure.isTransient()) {
                failed = new WriteResult.FailedWrite(attempt.change(), failure);
            }
        }
        return failed;
    }

    private record WriteAttempt(
            PlannedChange change, Duration took, @Nullable ApiFailure failure) {}

    private WriteAttempt tryChange(PlannedChange change) {
        long start = scheduler.nanoTime();
        ApiFailure failure = null;
        try {
            applyChange(change);
        } catch (ApiFailure e) {
            failure = e;
        }
        return new WriteAttempt(change, Duration.ofNanos(scheduler.nanoTime() - start), failure);
    }

    private void applyChange(PlannedChange change) throws ApiFailure {
        WriteTarget target = WriteTarget.of(change);
        switch (change) {
            case PlannedChange.SetFinalizer finalizer -> patchFinalizers(target, finalizer);
            case PlannedChange.Create create -> create(target, create.object());
            case PlannedChange.UpdateSecret update ->
                patch(target, update.object().patch(update.found()).reveal());
            case PlannedChange.UpdateGrant update ->
                patch(target, update.object().patch(update.found()));
            case PlannedChange.Annotate annotate -> annotate(target, annotate);
            case PlannedChange.ExtendToken extend -> patch(target, extend.patch());
            case PlannedChange.Replace replace -> {
                if (replace.found() instanceof StoredConfig found && replace.object() instanceof DesiredConfig config) {
                    configStore.replace(found, config.config(), config.ownAnnotations());
                } else {
                    delete(target, replace.found());
                    create(target, replace.object());
                }
            }
            case PlannedChange.Delete delete -> delete(target, delete.found());
            case PlannedChange.RequestFetchToken request -> requestToken(target, request);
            case PlannedChange.ReplaceFetchToken replace -> replaceFetchToken(target, replace);
        }
    }

    private void patchFinalizers(WriteTarget target, PlannedChange.SetFinalizer change) throws ApiFailure {
        try {
            patch(target, ApiRequest.JSON_PATCH, change.patch());
        } catch (ApiFailure failure) {
            if (failure.code() == UNPROCESSABLE) {
                requireSame(target, change.machineDeployment());
            }
            if (!failure.isNotFound() || change.wanted()) {
                throw failure;
            }
        }
    }

    /**
     * The API server responds 422 both to a failed JSON Patch test and to an invalid object.
     *
     * @throws ApiFailure a conflict, if the tested fields changed
     */
    private void requireSame(WriteTarget target, MachineDeployment found) throws ApiFailure {
        ApiFailure conflict = new ApiFailure(
                ApiFailure.ApiFailureKind.ANSWERED, 409, "Conflict", "the finalizers have changed", null);
        uncertainWrites.add(cached(target), target.key(), conflict);
        uncertainWrites.resolve(Set.of(target.key()));
        WatchedMachineDeployment watched = informers.machineDeployments().get(target.key());
        if (watched == null
                || !watched.machineDeployment().uid().equals(found.uid())
                || !watched.machineDeployment().finalizers().equals(found.finalizers())) {
            throw conflict;
        }
    }

    private void create(WriteTarget target, DesiredObject object) throws ApiFailure {
        switch (object) {
            case DesiredObject.DesiredSecret secret ->
                create(target, secret.json().reveal());
            case DesiredObject.DesiredGrant grant -> create(target, grant.json());
            case DesiredConfig config -> configStore.create(config.config(), config.ownAnnotations());
        }
    }

    private void create(WriteTarget target, String json) throws ApiFailure {
        write(
                cached(target),
                target.key(),
                ApiRequest.create(target.resource(), target.key().namespace(), json));
    }

    private void annotate(WriteTarget target, PlannedChange.Annotate change) throws ApiFailure {
        if (change.found() instanceof StoredConfig config) {
            configStore.patch(config, change.patch());
        } else {
            patch(target, change.patch());
        }
    }

    private void patch(WriteTarget target, String patch) throws ApiFailure {
        patch(target, ApiRequest.MERGE_PATCH, patch);
    }

    private void patch(WriteTarget target, String contentType, String patch) throws ApiFailure {
        ObjectKey key = target.key();
        write(
                cached(target),
                key,
                ApiRequest.patch(target.resource(), key.namespace(), key.name(), contentType, patch));
    }

    private <T> void write(CachedSelection<T> cached, ObjectKey key, ApiRequest request) throws ApiFailure {
        try {
            byte[] response = send(request);
            try {
                cached.cache().putWritten(response, cached.decoder());
            } catch (IOException e) {
                throw unreadable("the written object");
            }
        } catch (ApiFailure failure) {
            uncertainWrites.add(cached, key, failure);
            throw failure;
        }
    }

    private void delete(WriteTarget target, StoredObject found) throws ApiFailure {
        if (found instanceof StoredConfig config) {
            configStore.delete(config);
            return;
        }
        ObjectKey key = target.key();
        try {
            delete(target, ApiRequest.delete(target.resource(), key.namespace(), key.name(), found.uid(), null));
        } catch (ApiFailure failure) {
            if (!failure.isNotFound()) {
                uncertainWrites.add(cached(target), key, failure);
                throw failure;
            }
        }
        cached(target).cache().deleted(key, found.uid());
    }

    /** A forbidden deletion of a bootstrap token counts as done: it expires. */
    private void delete(WriteTarget target, ApiRequest request) throws ApiFailure {
        if (target.isBootstrapToken()) {
            forbiddenRequests.send(
                    "delete tokens", () -> currentConnection.get().send(request), () -> new byte[0]);
        } else {
            currentConnection.get().send(request);
        }
    }

    /** A Secret that may not be patched is read and updated. */
    private byte[] send(ApiRequest request) throws ApiFailure {
        return request.resource() == Resource.SECRETS && request.contentType().equals(ApiRequest.MERGE_PATCH)
                ? forbiddenRequests.send(
                        "patch secrets in " + request.namespace(),
                        () -> currentConnection.get().send(request),
                        () -> update(request))
                : currentConnection.get().send(request);
    }

    /** With the version read, so that a concurrent change is a conflict. Preconditions of the patch replace what was read. */
    private byte[] update(ApiRequest patch) throws ApiFailure {
        byte[] found = currentConnection.get().send(ApiRequest.get(patch.resource(), patch.namespace(), patch.name()));
        try {
            JsonNode merged = MergePatch.apply(JSON.readTree(found), JSON.readTree(patch.body()));
            return currentConnection
                    .get()
                    .send(ApiRequest.update(patch.resource(), patch.namespace(), patch.name(), merged.toString()));
        } catch (IOException e) {
            throw unreadable("the Secret to change");
        }
    }

    private void requestToken(WriteTarget target, PlannedChange.RequestFetchToken request) throws ApiFailure {
        try {
            byte[] response = currentConnection
                    .get()
                    .send(new ApiRequest(
                            Verb.CREATE,
                            target.resource(),
                            target.key().namespace(),
                            target.key().name(),
                            "token",
                            new TreeMap<>(),
                            ApiRequest.JSON,
                            PlannedChange.RequestFetchToken.json()));
            FetchToken token = FetchToken.read(new Sensitive(
                    JSON.readTree(response).path("status").path("token").asText("")));
            if (token == null) {
                throw unreadable("a token with an expiration");
            }
            unpublishedTokens.put(request.owner(), token);
        } catch (ApiFailure failure) {
            uncertainWrites.add(cached(target), target.key(), failure);
            throw failure;
        } catch (IOException e) {
            throw unreadable("a TokenRequest");
        }
    }

    /** The only write that must read first: content is not cached, and cannot be rendered now. */
    private void replaceFetchToken(WriteTarget target, PlannedChange.ReplaceFetchToken replace) throws ApiFailure {
        ObjectKey key = target.key();
        Map<String, String> values = new TreeMap<>();
        try {
            JsonNode secret = JSON.readTree(
                    currentConnection.get().send(ApiRequest.get(target.resource(), key.namespace(), key.name())));
            for (Map.Entry<String, JsonNode> value : secret.path("data").properties()) {
                byte[] decoded = Base64.getDecoder().decode(value.getValue().asText());
                values.put(value.getKey(), new String(decoded, UTF_8));
            }
        } catch (ApiFailure failure) {
            uncertainWrites.add(cached(target), key, failure);
            throw failure;
        } catch (IOException | IllegalArgumentException e) {
            throw unreadable("the requested Secret");
        }
        Sensitive patch = replace.patch(values);
        if (patch != null) {
            patch(target, patch.reveal());
        }
    }

    /**
     * Fetches those of the given objects that the cache may have wrong; usually none.
     *
     * @param names keys of Secrets and MachineDeployments
     * @throws ApiFailure if their state is still unknown
     */
    public void resolveUncertainWrites(Set<ObjectKey> names) throws ApiFailure {
        uncertainWrites.resolve(names);
    }

    /** Lets the next {@link #resolveUncertainWrites} fetch the cached Secrets and grants with these names. */
    public void doubtCached(Set<ObjectKey> names) {
        for (Resource resource : SETTINGS_RESOURCES) {
            CachedSelection<?> cached = informers.selectionOf(resource, ObjectNames.SETTINGS_NAMESPACE);
            names.forEach(key -> uncertainWrites.addIfCached(cached, key));
        }
    }

    /** Does not quote the response: it may contain a credential. */
    static ApiFailure unreadable(String expected) {
        return ApiFailure.withoutResponse(ApiFailure.ApiFailureKind.UNREADABLE, "unexpected response: not " + expected);
    }
}
