package io.osmhub.tenancy.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.StandardHttpRequest;
import io.osmhub.workersync.apiserver.MemoryBudget;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ListResponseReaderTest {
    /** A response that was received before it is read. */
    private static final class Received implements AsyncBody {
        @Override
        public void consume() {}

        @Override
        public CompletableFuture<Void> done() {
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public void cancel() {}
    }

    @Test
    void theTimeThatTheHubTakesForAPieceIsNotTheServers() throws Exception {
        Duration idle = Duration.ofMillis(50);
        Received body = new Received();
        ListResponseReader list = new ListResponseReader();
        list.consume(List.of(ByteBuffer.allocate(1), ByteBuffer.allocate(2)), body);
        List<Integer> sizes = new ArrayList<>();
        HttpRequest request =
                new StandardHttpRequest.Builder().uri("https://server/").build();

        list.read(new StreamedResponse(request, 200, "", Map.of(), body), new Semaphore(1), idle, piece -> {
            sizes.add(piece.remaining());
            // More than the whole list may take to be sent.
            long begun = System.nanoTime();
            while (Fabric8KubeApi.since(begun).compareTo(idle.multipliedBy(11)) < 0) {
                Thread.onSpinWait();
            }
        });

        assertThat(sizes).containsExactly(1, 2);
    }

    @Test
    void othersDecodeWhileOneWaitsForMemory() throws Exception {
        MemoryBudget budget = new MemoryBudget(1000, 0);
        MemoryBudget.MemoryShare other = budget.createShare();
        other.tryReserve(500);
        Semaphore decoding = new Semaphore(1, true);
        decoding.acquire();
        MemoryBudget.MemoryShare share = budget.createShare();
        CompletableFuture<Boolean> waiting = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            try {
                waiting.complete(Fabric8KubeApi.tryReserve(share, 400, decoding, Duration.ofMinutes(1)));
            } catch (InterruptedException e) {
                waiting.completeExceptionally(e);
            }
        });

        assertThat(decoding.tryAcquire(30, TimeUnit.SECONDS)).isTrue();
        other.release(500);
        assertThat(waiting).isNotDone();
        decoding.release();

        assertThat(waiting.get(30, TimeUnit.SECONDS)).isTrue();
        assertThat(decoding.availablePermits()).isZero();
    }
}
