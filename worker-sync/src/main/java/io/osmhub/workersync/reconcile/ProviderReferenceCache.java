package io.osmhub.workersync.reconcile;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.osmhub.core.machine.CloudProviderSpec.ReferenceResolver;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.port.Scheduler;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Caches the objects that provider configs reference in the worker cluster. Only kubelets before 1.29 need them, and the hub may
 * not watch them, so each is fetched on demand and again after ten minutes. Thread-safe.
 *
 * <p>Deciding must not block: a decision that needs a missing reference fails, and is repeated after fetching.
 */
final class ProviderReferenceCache {
    /** How long a fetched object is used. */
    static final Duration FRESH = Duration.ofMinutes(10);

    private static final ObjectMapper JSON = new ObjectMapper();

    private final KubeApi api;
    private final Scheduler timers;
    private final Map<ReferenceTarget, FetchedReference> fetched = new HashMap<>();

    ProviderReferenceCache(KubeApi api, Scheduler timers) {
        this.api = api;
        this.timers = timers;
    }

    private record ReferenceTarget(ReferenceResolver.Kind kind, String namespace, String name) {}

    /** @param data null if the object does not exist */
    private record FetchedReference(Instant at, @Nullable Map<String, String> data, boolean forbidden) {}

    private static final class ReferenceNotFetchedException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        ReferenceNotFetchedException(ReferenceTarget target) {
            super(target.kind().kindName() + " " + target.namespace() + "/" + target.name() + " is not fetched yet");
        }
    }

    /** The references of one run. Not thread-safe. */
    final class ReferenceSession implements ReferenceResolver {
        private final Set<ReferenceTarget> missed = new LinkedHashSet<>();
        private boolean used;

        @Override
        public ResolveResult resolve(Reference reference) {
            used = true;
            ReferenceTarget target = new ReferenceTarget(reference.kind(), reference.namespace(), reference.name());
            FetchedReference known = known(target);
            if (known == null) {
                missed.add(target);
                throw new ReferenceNotFetchedException(target);
            }
            if (known.forbidden()) {
                return new ResolveResult.Forbidden();
            }
            if (known.data() == null) {
                return new ResolveResult.NoObject();
            }
            String value = known.data().get(reference.key());
            return value == null ? new ResolveResult.NoKey() : new ResolveResult.Found(value);
        }

        /** Whether the decision used any reference. */
        boolean used() {
            return used;
        }

        /** Whether the decision failed because a reference was missing. */
        boolean hasMissing() {
            return !missed.isEmpty();
        }

        /** Fetches missing references; blocks. */
        void fetch() throws ApiFailure {
            for (ReferenceTarget target : missed) {
                ProviderReferenceCache.this.fetch(target);
            }
            missed.clear();
        }
    }

    ReferenceSession openSession() {
        return new ReferenceSession();
    }

    private synchronized @Nullable FetchedReference known(ReferenceTarget target) {
        FetchedReference known = fetched.get(target);
        return known != null && isFresh(known) ? known : null;
    }

    private boolean isFresh(FetchedReference known) {
        return known.at().plus(FRESH).isAfter(timers.now());
    }

    /** For tests. */
    synchronized int cachedCount() {
        return fetched.size();
    }

    private void fetch(ReferenceTarget target) throws ApiFailure {
        Map<String, String> data = null;
        boolean forbidden = false;
        try {
            Resource resource =
                    target.kind() == ReferenceResolver.Kind.SECRET ? Resource.SECRETS : Resource.CONFIG_MAPS;
            data = read(api.send(ApiRequest.get(resource, target.namespace(), target.name())), target.kind());
        } catch (ApiFailure failure) {
            if (!failure.isNotFound() && !failure.isForbidden()) {
                throw failure;
            }
            forbidden = failure.isForbidden();
        }
        synchronized (this) {
            // Also evicts entries that are no longer used.
            fetched.values().removeIf(known -> !isFresh(known));
            fetched.put(target, new FetchedReference(timers.now(), data, forbidden));
        }
    }

    private static Map<String, String> read(byte[] json, ReferenceResolver.Kind kind) throws ApiFailure {
        Map<String, String> data = new TreeMap<>();
        try {
            for (Map.Entry<String, JsonNode> entry :
                    JSON.readTree(json).path("data").properties()) {
                String text = entry.getValue().asText("");
                data.put(
                        entry.getKey(),
                        kind == ReferenceResolver.Kind.SECRET
                                ? new String(Base64.getDecoder().decode(text), UTF_8)
                                : text);
            }
        } catch (IOException | IllegalArgumentException e) {
            // The text is not quoted: it contains credentials.
            throw ApiFailure.withoutResponse(
                    ApiFailure.ApiFailureKind.UNREADABLE, "unexpected response: not the requested object");
        }
        return data;
    }
}
