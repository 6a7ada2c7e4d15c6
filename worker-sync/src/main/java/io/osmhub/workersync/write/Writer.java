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
import io.osmhub.core.plan.Change;
import io.osmhub.core.plan.GrantKind;
import io.osmhub.core.plan.GrantObject;
import io.osmhub.core.plan.SecretObject;
import io.osmhub.core.plan.StoredGrant;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.HeardWork;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.apiserver.Verb;
import io.osmhub.workersync.port.ConfigStore;
import io.osmhub.workersync.port.Timers;
import io.osmhub.workersync.watch.Decoder;
import io.osmhub.workersync.watch.ObjectCache;
import io.osmhub.workersync.watch.ObjectKey;
import io.osmhub.workersync.watch.SecretReader;
import io.osmhub.workersync.watch.Seen;
import io.osmhub.workersync.watch.SmallObjects;
import io.osmhub.workersync.watch.WatchedMachineDeployment;
import io.osmhub.workersync.watch.WorkerObjects;
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
 * Makes the changes of a decision: stage by stage, those of one stage at once. Nothing is read before a write and nothing is
 * tried twice here; each write carries what it relies on (name, UID or version), so that one that comes too late is refused.
 *
 * <p>What went wrong leaves a doubt, which is settled before the next decision ({@link #settleDoubts}): nothing is written on top of a
 * write of unknown outcome.
 */
public final class Writer {
    private static final JsonFactory JSON = new JsonFactory();
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final int UNPROCESSABLE = 422;

    private final KubeApi api;
    private final WorkerObjects objects;
    private final ConfigStore configs;
    private final Timers timers;
    private final Executor parallel;
    private final FreshTokens freshTokens;
    private final Doubts doubts;

    /**
     * @param freshTokens gets the tokens that are asked for
     * @param parallel runs the other changes of a stage beside the first: a virtual thread for each
     */
    public Writer(
            KubeApi api,
            WorkerObjects objects,
            ConfigStore configs,
            Timers timers,
            FreshTokens freshTokens,
            Executor parallel) {
        this.api = api;
        this.objects = objects;
        this.configs = configs;
        this.timers = timers;
        this.freshTokens = freshTokens;
        this.parallel = parallel;
        this.doubts = new Doubts(api, objects);
    }

    /** Makes the changes, given in the order of their stages; waits until all is over. */
    public Written apply(List<Change> changes) {
        List<Written.Done> done = new ArrayList<>();
        int from = 0;
        while (from < changes.size()) {
            int to = from + 1;
            while (to < changes.size()
                    && changes.get(to).stage() == changes.get(from).stage()) {
                to++;
            }
            Written.Failed failed = stage(changes.subList(from, to), done);
            if (failed != null) {
                return new Written(done, failed);
            }
            from = to;
        }
        return new Written(done, null);
    }

    private Written.@Nullable Failed stage(List<Change> changes, List<Written.Done> done) {
        List<CompletableFuture<Attempt>> others = new ArrayList<>();
        for (Change change : changes.subList(1, changes.size())) {
            others.add(CompletableFuture.supplyAsync(HeardWork.carried(() -> attempt(change)), parallel));
        }
        List<Attempt> attempts = new ArrayList<>();
        attempts.add(attempt(changes.getFirst()));
        others.forEach(other -> attempts.add(other.join()));
        Written.Failed failed = null;
        for (Attempt attempt : attempts) {
            ApiFailure failure = attempt.failure();
            if (failure == null) {
                done.add(new Written.Done(attempt.change(), attempt.took()));
            } else if (failed == null || failed.failure().mayPass() && !failure.mayPass()) {
                failed = new Written.Failed(attempt.change(), failure);
            }
        }
        return failed;
    }

    private record Attempt(
            Change change, Duration took, @Nullable ApiFailure failure) {}

    private Attempt attempt(Change change) {
        long start = timers.nanoTime();
        ApiFailure failure = null;
        try {
            make(change);
        } catch (ApiFailure e) {
            failure = e;
        }
        return new Attempt(change, Duration.ofNanos(timers.nanoTime() - start), failure);
    }

    private void make(Change change) throws ApiFailure {
        switch (change) {
            case Change.OfFinalizer finalizer -> finalizer(finalizer);
            case Change.CreateToken create -> createSecret(create.object());
            case Change.ExtendToken extend ->
                patchSecret(ObjectNames.TOKEN_NAMESPACE, extend.found().name(), extend.patch());
            case Change.DeleteToken delete ->
                deleteSecret(
                        ObjectNames.TOKEN_NAMESPACE,
                        delete.found().name(),
                        delete.found().uid());
            case Change.CreateSecret create -> createSecret(create.object());
            case Change.UpdateSecret update ->
                patchSecret(
                        update.found().namespace(),
                        update.found().name(),
                        update.patch().reveal());
            case Change.StampSecret stamp ->
                patchSecret(stamp.found().namespace(), stamp.found().name(), stamp.patch());
            case Change.ReplaceSecret replace -> {
                deleteSecret(
                        replace.found().namespace(),
                        replace.found().name(),
                        replace.found().uid());
                createSecret(replace.object());
            }
            case Change.DeleteSecret delete ->
                deleteSecret(
                        delete.found().namespace(),
                        delete.found().name(),
                        delete.found().uid());
            case Change.SwapToken swap -> swapToken(swap);
            case Change.CreateGrant create -> createGrant(create.object());
            case Change.UpdateGrant update -> {
                StoredGrant found = update.found();
                writeGrant(
                        found.kind(),
                        found.name(),
                        ApiRequest.patch(
                                WorkerObjects.resource(found.kind()),
                                ObjectNames.SETTINGS_NAMESPACE,
                                found.name(),
                                ApiRequest.MERGE_PATCH,
                                update.patch()));
            }
            case Change.ReplaceGrant replace -> {
                deleteGrant(replace.found());
                createGrant(replace.object());
            }
            case Change.DeleteGrant delete -> deleteGrant(delete.found());
            case Change.RequestToken request -> requestToken(request);
            case Change.CreateConfig create -> configs.create(create.config(), create.ownAnnotations());
            case Change.ReplaceConfig replace ->
                configs.replace(replace.found(), replace.config(), replace.ownAnnotations());
            case Change.DeleteConfig delete -> configs.delete(delete.found());
        }
    }

    private void finalizer(Change.OfFinalizer change) throws ApiFailure {
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
            boolean gone = failure.isNotFound() && change instanceof Change.RemoveFinalizer;
            if (!gone) {
                throw failure;
            }
        }
    }

    /**
     * An API server answers 422 to a test that does not hold as well as to an object that it does not accept.
     *
     * @throws ApiFailure a conflict, when what the patch tests has changed
     */
    private void requireSame(ObjectKey key, MachineDeployment found) throws ApiFailure {
        ApiFailure conflict = new ApiFailure(
                ApiFailure.Cause.ANSWERED, 409, "Conflict", "its finalizers have changed meanwhile", null);
        doubts.add(Resource.MACHINE_DEPLOYMENTS, key, conflict);
        doubts.settle(Set.of(key));
        WatchedMachineDeployment now = objects.machineDeployments().get(key);
        if (now == null
                || !now.machineDeployment().uid().equals(found.uid())
                || !now.machineDeployment().finalizers().equals(found.finalizers())) {
            throw conflict;
        }
    }

    private void createSecret(SecretObject object) throws ApiFailure {
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
            Resource resource, ObjectKey key, ApiRequest request, ObjectCache<T> cache, Decoder<T> decoder)
            throws ApiFailure {
        try {
            cache.written(read(api.send(request), decoder));
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

    private void createGrant(GrantObject object) throws ApiFailure {
        writeGrant(
                object.kind(),
                object.name(),
                ApiRequest.create(
                        WorkerObjects.resource(object.kind()), ObjectNames.SETTINGS_NAMESPACE, object.json()));
    }

    private void writeGrant(GrantKind kind, String name, ApiRequest request) throws ApiFailure {
        ObjectKey key = new ObjectKey(ObjectNames.SETTINGS_NAMESPACE, name);
        write(WorkerObjects.resource(kind), key, request, objects.grants(kind), SmallObjects.grant(kind));
    }

    private void deleteGrant(StoredGrant found) throws ApiFailure {
        Resource resource = WorkerObjects.resource(found.kind());
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

    private void requestToken(Change.RequestToken request) throws ApiFailure {
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
                    Change.RequestToken.json()));
            FetchToken token = FetchToken.read(new Sensitive(
                    MAPPER.readTree(answer).path("status").path("token").asText("")));
            if (token == null) {
                throw ApiFailure.noAnswer(ApiFailure.Cause.UNREADABLE, "the answer holds no token that ends");
            }
            freshTokens.put(request.owner(), token);
        } catch (ApiFailure failure) {
            doubts.add(Resource.SERVICE_ACCOUNTS, key, failure);
            throw failure;
        } catch (IOException e) {
            throw ApiFailure.noAnswer(ApiFailure.Cause.UNREADABLE, "unexpected response: not a TokenRequest");
        }
    }

    /** The only write that needs to read first: content is not remembered, and cannot be rendered now. */
    private void swapToken(Change.SwapToken swap) throws ApiFailure {
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
            // The text is not quoted: it holds a credential.
            throw ApiFailure.noAnswer(ApiFailure.Cause.UNREADABLE, "unexpected response: not the requested Secret");
        }
        Sensitive patch = swap.patch(values);
        if (patch != null) {
            patchSecret(key.namespace(), key.name(), patch.reveal());
        }
    }

    /**
     * Fetches those of the given objects of which the cache may be wrong; in a run without trouble, none.
     *
     * @param names keys of Secrets and MachineDeployments
     * @throws ApiFailure when it is still not known
     */
    public void settleDoubts(Set<ObjectKey> names) throws ApiFailure {
        doubts.settle(names);
    }

    static <T> Seen<T> read(byte[] json, Decoder<T> decoder) throws ApiFailure {
        try (JsonParser parser = JSON.createParser(json)) {
            if (parser.nextToken() == JsonToken.START_OBJECT) {
                return decoder.decode(parser);
            }
        } catch (IOException e) {
            // The text is not quoted: it may hold a credential.
        }
        throw ApiFailure.noAnswer(ApiFailure.Cause.UNREADABLE, "the answer to a write is not the object");
    }
}
