package io.osmhub.workersync.write;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.osmhub.core.bootstrap.FetchToken;
import io.osmhub.core.bootstrap.ObjectNames;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.model.Sensitive;
import io.osmhub.core.plan.DesiredGrant;
import io.osmhub.core.plan.DesiredGrant.GrantKind;
import io.osmhub.core.plan.DesiredSecret;
import io.osmhub.core.plan.PlannedChange;
import io.osmhub.core.plan.StoredGrant;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.RequestAttribution;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.apiserver.Verb;
import io.osmhub.workersync.port.ConfigStore;
import io.osmhub.workersync.port.Scheduler;
import io.osmhub.workersync.watch.ObjectCache;
import io.osmhub.workersync.watch.ObjectDecoder;
import io.osmhub.workersync.watch.ObjectKey;
import io.osmhub.workersync.watch.ObservedObject;
import io.osmhub.workersync.watch.SecretReader;
import io.osmhub.workersync.watch.WatchedMachineDeployment;
import io.osmhub.workersync.watch.WorkerInformers;
import io.osmhub.workersync.watch.WorkerObjectDecoders;
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
    private static final JsonFactory JSON = new JsonFactory();
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final int UNPROCESSABLE = 422;

    private final KubeApi api;
    private final WorkerInformers objects;
    private final ConfigStore configs;
    private final Scheduler timers;
    private final Executor parallel;
    private final UnpublishedTokens freshTokens;
    private final UncertainWrites doubts;

    /**
     * @param freshTokens receives requested tokens
     * @param parallel runs the other changes of a stage after the first, on a virtual thread each
     */
    public ChangeWriter(
            KubeApi api,
            WorkerInformers objects,
            ConfigStore configs,
            Scheduler timers,
            UnpublishedTokens freshTokens,
            Executor parallel) {
        this.api = api;
        this.objects = objects;
        this.configs = configs;
        this.timers = timers;
        this.freshTokens = freshTokens;
        this.parallel = parallel;
        this.doubts = new UncertainWrites(api, objects);
    }

    /** Applies the changes, ordered by stage; blocks until all have ended. */
    public WriteResult apply(List<PlannedChange> changes) {
        List<WriteResult.CompletedWrite> done = new ArrayList<>();
        int from = 0;
        while (from < changes.size()) {
            int to = from + 1;
            while (to < changes.size()
                    && changes.get(to).stage() == changes.get(from).stage()) {
                to++;
            }
            WriteResult.FailedWrite failed = applyStage(changes.subList(from, to), done);
            if (failed != null) {
                return new WriteResult(done, failed);
            }
            from = to;
        }
        return new WriteResult(done, null);
    }

    private WriteResult.@Nullable FailedWrite applyStage(
            List<PlannedChange> changes, List<WriteResult.CompletedWrite> done) {
        List<CompletableFuture<WriteAttempt>> others = new ArrayList<>();
        for (PlannedChange change : changes.subList(1, changes.size())) {
            others.add(CompletableFuture.supplyAsync(
                    RequestAttribution.withCurrentListener(() -> tryChange(change)), parallel));
        }
        List<WriteAttempt> attempts = new ArrayList<>();
        attempts.add(tryChange(changes.getFirst()));
        others.forEach(other -> attempts.add(other.join()));
        WriteResult.FailedWrite failed = null;
        for (WriteAttempt attempt : attempts) {
            ApiFailure failure = attempt.failure();
            if (failure == null) {
                done.add(new WriteResult.CompletedWrite(attempt.change(), attempt.took()));
            } else if (failed == null || failed.failure().isTransient() && !failure.isTransient()) {
                failed = new WriteResult.FailedWrite(attempt.change(), failure);
            }
        }
        return failed;
    }

    private record WriteAttempt(
            PlannedChange change, Duration took, @Nullable ApiFailure failure) {}

    private WriteAttempt tryChange(PlannedChange change) {
        long start = timers.nanoTime();
        ApiFailure failure = null;
        try {
            applyChange(change);
        } catch (ApiFailure e) {
            failure = e;
        }
        return new WriteAttempt(change, Duration.ofNanos(timers.nanoTime() - start), failure);
    }

    private void applyChange(PlannedChange change) throws ApiFailure {
        switch (change) {
            case PlannedChange.FinalizerChange finalizer -> finalizer(finalizer);
            case PlannedChange.CreateToken create -> createSecret(create.object());
            case PlannedChange.ExtendToken extend ->
                patchSecret(ObjectNames.TOKEN_NAMESPACE, extend.found().name(), extend.patch());
            case PlannedChange.DeleteToken delete ->
                deleteSecret(
                        ObjectNames.TOKEN_NAMESPACE,
                        delete.found().name(),
                        delete.found().uid());
            case PlannedChange.CreateSecret create -> createSecret(create.object());
            case PlannedChange.UpdateSecret update ->
                patchSecret(
                        update.found().namespace(),
                        update.found().name(),
                        update.patch().reveal());
            case PlannedChange.AnnotateSecret stamp ->
                patchSecret(stamp.found().namespace(), stamp.found().name(), stamp.patch());
            case PlannedChange.ReplaceSecret replace -> {
                deleteSecret(
                        replace.found().namespace(),
                        replace.found().name(),
                        replace.found().uid());
                createSecret(replace.object());
            }
            case PlannedChange.DeleteSecret delete ->
                deleteSecret(
                        delete.found().namespace(),
                        delete.found().name(),
                        delete.found().uid());
            case PlannedChange.ReplaceFetchToken swap -> swapToken(swap);
            case PlannedChange.CreateGrant create -> createGrant(create.object());
            case PlannedChange.UpdateGrant update -> {
                StoredGrant found = update.found();
                writeGrant(
                        found.kind(),
                        found.name(),
                        ApiRequest.patch(
                                WorkerInformers.resource(found.kind()),
                                ObjectNames.SETTINGS_NAMESPACE,
                                found.name(),
                                ApiRequest.MERGE_PATCH,
                                update.patch()));
            }
            case PlannedChange.ReplaceGrant replace -> {
                deleteGrant(replace.found());
                createGrant(replace.object());
            }
            case PlannedChange.DeleteGrant delete -> deleteGrant(delete.found());
            case PlannedChange.RequestFetchToken request -> requestToken(request);
            case PlannedChange.CreateConfig create -> configs.create(create.config(), create.ownAnnotations());
            case PlannedChange.AnnotateConfig stamp -> configs.patch(stamp.found(), stamp.patch());
            case PlannedChange.ReplaceConfig replace ->
                configs.replace(replace.found(), replace.config(), replace.ownAnnotations());
            case PlannedChange.DeleteConfig delete -> configs.delete(delete.found());
        }
    }

    private void finalizer(PlannedChange.FinalizerChange change) throws ApiFailure {
        MachineDeployment found = change.found();
        ObjectKey key = new ObjectKey(found.namespace(), found.name());
        try {
            write(
                    Resource.MACHINE_DEPLOYMENTS,
                    key,
                    ApiRequest.patch(
                            Resource.MACHINE_DEPLOYMENTS,
                            found.namespace(),
                            found.name(),
                            ApiRequest.JSON_PATCH,
                            change.patch()),
                    objects.machineDeployments(),
                    WatchedMachineDeployment::decode);
        } catch (ApiFailure failure) {
            if (failure.code() == UNPROCESSABLE) {
                requireSame(key, found);
            }
            boolean gone = failure.isNotFound() && change instanceof PlannedChange.RemoveFinalizer;
            if (!gone) {
                throw failure;
            }
        }
    }

    /**
     * The API server responds 422 both to a failed JSON Patch test and to an invalid object.
     *
     * @throws ApiFailure a conflict, if the tested fields changed
     */
    private void requireSame(ObjectKey key, MachineDeployment found) throws ApiFailure {
        ApiFailure conflict = new ApiFailure(
                ApiFailure.ApiFailureKind.ANSWERED, 409, "Conflict", "the finalizers have changed", null);
        doubts.add(Resource.MACHINE_DEPLOYMENTS, key, conflict);
        doubts.resolve(Set.of(key));
        WatchedMachineDeployment now = objects.machineDeployments().get(key);
        if (now == null
                || !now.machineDeployment().uid().equals(found.uid())
                || !now.machineDeployment().finalizers().equals(found.finalizers())) {
            throw conflict;
        }
    }

    private void createSecret(DesiredSecret object) throws ApiFailure {
        ObjectKey key = new ObjectKey(object.namespace(), object.name());
        writeSecret(
                key,
                ApiRequest.create(
                        Resource.SECRETS, object.namespace(), object.json().reveal()));
    }

    private void patchSecret(String namespace, String name, String patch) throws ApiFailure {
        writeSecret(
                new ObjectKey(namespace, name),
                ApiRequest.patch(Resource.SECRETS, namespace, name, ApiRequest.MERGE_PATCH, patch));
    }

    private void writeSecret(ObjectKey key, ApiRequest request) throws ApiFailure {
        if (isToken(key)) {
            write(Resource.SECRETS, key, request, objects.tokens(), SecretReader::bootstrapToken);
        } else {
            write(Resource.SECRETS, key, request, objects.secrets(), SecretReader::settings);
        }
    }

    static boolean isToken(ObjectKey key) {
        return key.namespace().equals(ObjectNames.TOKEN_NAMESPACE);
    }

    private <T> void write(
            Resource resource, ObjectKey key, ApiRequest request, ObjectCache<T> cache, ObjectDecoder<T> decoder)
            throws ApiFailure {
        try {
            byte[] response = api.send(request);
            try {
                cache.putWritten(response, decoder);
            } catch (IOException e) {
                throw unreadable();
            }
        } catch (ApiFailure failure) {
            doubts.add(resource, key, failure);
            throw failure;
        }
    }

    private void deleteSecret(String namespace, String name, String uid) throws ApiFailure {
        ObjectKey key = new ObjectKey(namespace, name);
        try {
            api.send(ApiRequest.delete(Resource.SECRETS, namespace, name, uid, null));
        } catch (ApiFailure failure) {
            if (!failure.isNotFound()) {
                doubts.add(Resource.SECRETS, key, failure);
                throw failure;
            }
        }
        if (isToken(key)) {
            objects.tokens().deleted(key, uid);
        } else {
            objects.secrets().deleted(key, uid);
        }
    }

    // Tokens of single MachineDeployments

    private void createGrant(DesiredGrant object) throws ApiFailure {
        writeGrant(
                object.kind(),
                object.name(),
                ApiRequest.create(
                        WorkerInformers.resource(object.kind()), ObjectNames.SETTINGS_NAMESPACE, object.json()));
    }

    private void writeGrant(GrantKind kind, String name, ApiRequest request) throws ApiFailure {
        ObjectKey key = new ObjectKey(ObjectNames.SETTINGS_NAMESPACE, name);
        write(WorkerInformers.resource(kind), key, request, objects.grants(kind), WorkerObjectDecoders.grant(kind));
    }

    private void deleteGrant(StoredGrant found) throws ApiFailure {
        Resource resource = WorkerInformers.resource(found.kind());
        ObjectKey key = new ObjectKey(ObjectNames.SETTINGS_NAMESPACE, found.name());
        try {
            api.send(ApiRequest.delete(resource, key.namespace(), key.name(), found.uid(), null));
        } catch (ApiFailure failure) {
            if (!failure.isNotFound()) {
                doubts.add(resource, key, failure);
                throw failure;
            }
        }
        objects.grants(found.kind()).deleted(key, found.uid());
    }

    private void requestToken(PlannedChange.RequestFetchToken request) throws ApiFailure {
        ObjectKey key = new ObjectKey(ObjectNames.SETTINGS_NAMESPACE, request.account());
        try {
            byte[] answer = api.send(new ApiRequest(
                    Verb.CREATE,
                    Resource.SERVICE_ACCOUNTS,
                    key.namespace(),
                    key.name(),
                    "token",
                    new TreeMap<>(),
                    ApiRequest.JSON,
                    PlannedChange.RequestFetchToken.json()));
            FetchToken token = FetchToken.read(new Sensitive(
                    MAPPER.readTree(answer).path("status").path("token").asText("")));
            if (token == null) {
                throw ApiFailure.withoutResponse(
                        ApiFailure.ApiFailureKind.UNREADABLE, "unexpected response: no token with an expiration");
            }
            freshTokens.put(request.owner(), token);
        } catch (ApiFailure failure) {
            doubts.add(Resource.SERVICE_ACCOUNTS, key, failure);
            throw failure;
        } catch (IOException e) {
            throw ApiFailure.withoutResponse(
                    ApiFailure.ApiFailureKind.UNREADABLE, "unexpected response: not a TokenRequest");
        }
    }

    /** The only write that must read first: content is not cached, and cannot be rendered now. */
    private void swapToken(PlannedChange.ReplaceFetchToken swap) throws ApiFailure {
        ObjectKey key = new ObjectKey(swap.found().namespace(), swap.found().name());
        Map<String, String> values = new TreeMap<>();
        try {
            JsonNode data = MAPPER.readTree(api.send(ApiRequest.get(Resource.SECRETS, key.namespace(), key.name())))
                    .path("data");
            data.properties()
                    .forEach(value -> values.put(
                            value.getKey(),
                            new String(
                                    Base64.getDecoder().decode(value.getValue().asText()), UTF_8)));
        } catch (ApiFailure failure) {
            doubts.add(Resource.SECRETS, key, failure);
            throw failure;
        } catch (IOException | IllegalArgumentException e) {
            // The text is not quoted: it contains a credential.
            throw ApiFailure.withoutResponse(
                    ApiFailure.ApiFailureKind.UNREADABLE, "unexpected response: not the requested Secret");
        }
        Sensitive patch = swap.patch(values);
        if (patch != null) {
            patchSecret(key.namespace(), key.name(), patch.reveal());
        }
    }

    /**
     * Fetches those of the given objects that the cache may have wrong; usually none.
     *
     * @param names keys of Secrets and MachineDeployments
     * @throws ApiFailure if their state is still unknown
     */
    public void resolveUncertainWrites(Set<ObjectKey> names) throws ApiFailure {
        doubts.resolve(names);
    }

    /** Lets the next {@link #resolveUncertainWrites} fetch the cached Secrets and grants with these names. */
    public void doubtCached(Set<ObjectKey> names) {
        doubts.addCached(names);
    }

    static <T> ObservedObject<T> read(byte[] json, ObjectDecoder<T> decoder) throws ApiFailure {
        try (JsonParser parser = JSON.createParser(json)) {
            if (parser.nextToken() == JsonToken.START_OBJECT) {
                return decoder.decode(parser);
            }
        } catch (IOException e) {
            throw unreadable();
        }
        throw unreadable();
    }

    /** Does not quote the text: it may contain a credential. */
    private static ApiFailure unreadable() {
        return ApiFailure.withoutResponse(
                ApiFailure.ApiFailureKind.UNREADABLE, "unexpected response: not the written object");
    }
}
