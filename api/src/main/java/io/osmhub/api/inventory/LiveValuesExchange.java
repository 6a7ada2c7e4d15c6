package io.osmhub.api.inventory;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.osmhub.api.access.ReplicaTickets;
import io.osmhub.api.http.Reply;
import io.osmhub.api.http.WebPage;
import io.osmhub.api.peer.PeerReplicas;
import io.osmhub.api.peer.PeerReplicas.PeerAnswers;
import io.osmhub.api.problem.ApiProblem;
import io.osmhub.api.schema.ApiJson;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * Reads the live values of the tenants that other replicas serve, at most once a second while lists are requested, so that every replica
 * returns the same lists. Each replica checks the permissions of its own callers. Thread-safe.
 */
public final class LiveValuesExchange {
    private static final String PATH = "/replica/live";
    private static final Duration LONGEST = Duration.ofSeconds(1);
    private static final long FRESH_NANOS = 1_000_000_000L;

    private final StoredInventory inventory;
    private final PeerReplicas peers;
    private final LongSupplier nanoTime;
    private final ReentrantLock lock = new ReentrantLock();
    private List<String> unanswered = List.of();
    private long readAt;
    private boolean read;

    /** @param nanoTime monotonic */
    public LiveValuesExchange(StoredInventory inventory, PeerReplicas peers, LongSupplier nanoTime) {
        this.inventory = inventory;
        this.peers = peers;
        this.nanoTime = nanoTime;
    }

    PeerReplicas peers() {
        return peers;
    }

    /** Reads the values if they are older than a second; returns the names of replicas that did not answer. Blocks. */
    List<String> refresh() throws ApiProblem {
        lock.lock();
        try {
            if (!read || nanoTime.getAsLong() - readAt >= FRESH_NANOS) {
                PeerAnswers<LiveReplicaValues> all = peers.readAll(PATH, LiveReplicaValues.class, LONGEST);
                inventory.receive(all.answers());
                unanswered = all.unanswered();
                readAt = nanoTime.getAsLong();
                read = true;
            }
            return unanswered;
        } finally {
            lock.unlock();
        }
    }

    /** Where other replicas read the values of this one. */
    public WebPage page() {
        return WebPage.get(PATH, call -> {
                    if (call.header(ReplicaTickets.HEADER)
                            .flatMap(peers.tickets()::findClientAddress)
                            .isEmpty()) {
                        throw ApiProblem.forbidden("only for replicas of this hub");
                    }
                    try {
                        return Reply.ok(new Reply.ReplyContent(
                                "application/json", ApiJson.server().writeValueAsBytes(inventory.ownValues())));
                    } catch (JsonProcessingException e) {
                        throw new IllegalStateException("records are serializable", e);
                    }
                })
                .withoutSignIn();
    }
}
