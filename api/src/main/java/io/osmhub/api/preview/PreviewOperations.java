package io.osmhub.api.preview;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.api.access.CallerAuthorizer;
import io.osmhub.api.http.Operation;
import io.osmhub.api.peer.PeerReplicas;
import io.osmhub.api.problem.ApiProblem;
import io.osmhub.api.problem.RequestError;
import io.osmhub.api.schema.ApiJson;
import io.osmhub.core.osp.ProfileReader;
import io.osmhub.core.problem.Problem;
import io.osmhub.tenancy.HubQueries;
import io.osmhub.tenancy.catalog.StoredProfile;
import io.osmhub.tenancy.catalog.TenantProfileCatalog.ProposedProfileLister;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/** Read-only preview operations. */
public final class PreviewOperations {
    private final PeerReplicas peers;
    private final RenderOperation rendering;
    private final DiffOperation diffOperation;

    /**
     * Operations for the tenants of all replicas.
     *
     * @param nanoTime monotonic, for time limits
     */
    public PreviewOperations(
            HubQueries hubQueries,
            CallerAuthorizer authorizer,
            PeerReplicas peers,
            InstantSource clock,
            LongSupplier nanoTime) {
        PreviewLimiter limiter = new PreviewLimiter();
        this.peers = peers;
        this.rendering = new RenderOperation(hubQueries, authorizer, peers::nameServing, limiter, clock);
        this.diffOperation = new DiffOperation(hubQueries, authorizer, peers, limiter, clock, nanoTime);
    }

    public List<Operation> operations() {
        return List.of(
                peers.forTenant(Operation.of("getUserData", rendering::getUserData)),
                peers.forTenant(Operation.of("render", rendering::render)),
                Operation.of("diff", diffOperation::diff));
    }

    /** Reads request bodies. No message quotes them: an unapplied object may contain anything. */
    static final class RequestBodyReader {
        static final String PROFILE = "OperatingSystemProfile";

        static <T> T read(JsonNode body, Class<T> type) throws ApiProblem {
            try {
                return ApiJson.server().treeToValue(body, type);
            } catch (JsonProcessingException | IllegalArgumentException e) {
                throw ApiProblem.badRequest(
                        RequestError.body("", "the body violates the contract", "see /openapi.yaml"));
            }
        }

        static ApiProblem invalidBody(String pointer, String what, String cure) {
            return ApiProblem.validationFailed(List.of(RequestError.body(pointer, what, cure)));
        }

        /** @param pointer of the object in the body */
        static StoredProfile profile(JsonNode object, String pointer) throws ApiProblem {
            String kind = object.path("kind").asText(PROFILE);
            boolean custom = kind.equals(ProfileReader.CUSTOM_KIND);
            if (!kind.equals(PROFILE) && !custom) {
                throw invalidBody(pointer + "/kind", "it is not an " + PROFILE, "provide one as for kubectl apply");
            }
            StoredProfile profile = ProposedProfileLister.read(custom ? ofAllTenants(object) : object);
            if (profile.content() == null) {
                throw ApiProblem.validationFailed(profile.mistakes().stream()
                        .map(finding -> mistake(pointer, finding))
                        .toList());
            }
            return profile;
        }

        /** KKP's profile is for the user clusters of all namespaces, not for that in which it is stored. */
        private static JsonNode ofAllTenants(JsonNode object) {
            JsonNode copy = object.deepCopy();
            ((ObjectNode) copy.path("metadata")).remove("namespace");
            return copy;
        }

        static RequestError mistake(String pointer, Problem finding) {
            return RequestError.body(pointer, finding.cause(), finding.fix()).withField(finding.field());
        }
    }

    /**
     * Limits concurrent previews per caller. Previews of all callers take turns on shared threads, so one caller gains nothing from more,
     * and never blocks another. Thread-safe.
     */
    static final class PreviewLimiter {
        static final int OF_ONE = 2;
        private static final Duration LONGEST_WAIT = Duration.ofSeconds(2);
        private static final Duration TRY_AGAIN = Duration.ofSeconds(5);

        private final long longestWaitNanos;
        private final ReentrantLock lock = new ReentrantLock();
        private final Condition endedCondition = lock.newCondition();
        /** Running previews by caller. */
        private final Map<String, Integer> taken = new HashMap<>();

        PreviewLimiter() {
            this(LONGEST_WAIT);
        }

        PreviewLimiter(Duration longestWait) {
            this.longestWaitNanos = longestWait.toNanos();
        }

        /** The limited task. */
        @FunctionalInterface
        interface LimitedTask<T> {
            T done() throws ApiProblem;
        }

        /** @throws ApiProblem if the caller has too many running */
        <T> T runLimited(String caller, LimitedTask<T> work) throws ApiProblem {
            acquire(caller);
            try {
                return work.done();
            } finally {
                release(caller);
            }
        }

        private void acquire(String caller) throws ApiProblem {
            lock.lock();
            try {
                long left = longestWaitNanos;
                while (taken.getOrDefault(caller, 0) >= OF_ONE) {
                    if (left <= 0) {
                        throw ApiProblem.rateLimited(
                                "this caller has " + OF_ONE + " previews in progress; wait " + TRY_AGAIN.toSeconds()
                                        + " s",
                                TRY_AGAIN);
                    }
                    left = endedCondition.awaitNanos(left);
                }
                taken.merge(caller, 1, Integer::sum);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw ApiProblem.unavailable("the hub is stopping", TRY_AGAIN);
            } finally {
                lock.unlock();
            }
        }

        private void release(String caller) {
            lock.lock();
            try {
                taken.computeIfPresent(caller, (_, count) -> count == 1 ? null : count - 1);
                endedCondition.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }
}
