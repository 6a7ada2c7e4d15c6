package io.osmhub.workersync.reconcile;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.osmhub.core.machine.ReferenceResolver;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.port.Timers;
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
 * What provider configs name in the worker cluster. Only kubelets before 1.29 need it, and the hub has no right to watch it:
 * so it is fetched when it is first asked for, and again after ten minutes. Safe for use by many threads.
 *
 * <p>Deciding must not wait. A decision that asks for what is not here yet fails; it is repeated once it was fetched.
 */
final class ProviderReferences {
    /** How long an answer counts. */
    static final Duration FRESH = Duration.ofMinutes(10);

    private static final ObjectMapper JSON = new ObjectMapper();

    private final KubeApi api;
    private final Timers timers;
    private final Map<Target, Fetched> fetched = new HashMap<>();

    ProviderReferences(KubeApi api, Timers timers) {
        this.api = api;
        this.timers = timers;
    }

    private record Target(ReferenceResolver.Kind kind, String namespace, String name) {}

    /** @param data null when there is no such object */
    private record Fetched(Instant at, @Nullable Map<String, String> data, boolean forbidden) {}

    /** It was asked for, and is not here yet. */
    private static final class NotFetched extends RuntimeException {
        private static final long serialVersionUID = 1L;

        NotFetched(Target target) {
            super(target.kind().kindName() + " " + target.namespace() + "/" + target.name() + " is not fetched yet");
        }
    }

    /** The references of one run. For one thread at a time. */
    final class Session implements ReferenceResolver {
        private final Set<Target> missed = new LinkedHashSet<>();
        private boolean used;

        @Override
        public Answer resolve(Reference reference) {
            used = true;
            Target target = new Target(reference.kind(), reference.namespace(), reference.name());
            Fetched known = known(target);
            if (known == null) {
                missed.add(target);
                throw new NotFetched(target);
            }
            if (known.forbidden()) {
                return new Answer.Forbidden();
            }
            if (known.data() == null) {
                return new Answer.NoObject();
            }
            String value = known.data().get(reference.key());
            return value == null ? new Answer.NoKey() : new Answer.Found(value);
        }

        /** Whether the decision asked for anything. */
        boolean used() {
            return used;
        }

        /** Whether the decision could not be made for want of something. */
        boolean missedAny() {
            return !missed.isEmpty();
        }

        /** Fetches what was missed; waits for the answers. */
        void fetch() throws ApiFailure {
            for (Target target : missed) {
                ProviderReferences.this.fetch(target);
            }
            missed.clear();
        }
    }

    Session session() {
        return new Session();
    }

    private synchronized @Nullable Fetched known(Target target) {
        Fetched known = fetched.get(target);
        return known != null && isFresh(known) ? known : null;
    }

    private boolean isFresh(Fetched known) {
        return known.at().plus(FRESH).isAfter(timers.now());
    }

    /** How many answers are kept; for tests. */
    synchronized int remembered() {
        return fetched.size();
    }

    private void fetch(Target target) throws ApiFailure {
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
            // Also what nobody will ask for again.
            fetched.values().removeIf(known -> !isFresh(known));
            fetched.put(target, new Fetched(timers.now(), data, forbidden));
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
            // The text is not quoted: it holds credentials.
            throw ApiFailure.noAnswer(ApiFailure.Cause.UNREADABLE, "unexpected response: not the requested object");
        }
        return data;
    }
}
