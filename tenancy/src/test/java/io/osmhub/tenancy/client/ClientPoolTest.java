package io.osmhub.tenancy.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Vertx;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ClientPoolTest {
    @Test
    void closingAClientCancelsNoTimerOfAnotherPart() throws Exception {
        Vertx vertx = Vertx.vertx();
        try (ClientPool pool = new ClientPool(vertx);
                TestApiServer server = TestApiServer.start(vertx, request -> TestApiServer.json(request, "{}"))) {
            CompletableFuture<Long> rang = new CompletableFuture<>();
            ApiClient client =
                    pool.worker(server.access(), ClientLimits.WORKER, RequestObserver.NONE, ConnectionObserver.NONE);
            vertx.setTimer(200, rang::complete);

            client.close();

            assertThat(rang.get(30, TimeUnit.SECONDS)).isNotZero();
        } finally {
            vertx.close().toCompletionStage().toCompletableFuture().join();
        }
    }
}
