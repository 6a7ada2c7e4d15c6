package io.osmhub.tenancy.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(VertxExtension.class)
class ClientPoolTest {
    @Test
    void closingAClientCancelsNoTimerOfAnotherPart(Vertx vertx) throws Exception {
        try (ClientPool pool = new ClientPool(vertx, "osm-hub");
                TestApiServer server = TestApiServer.start(vertx, request -> TestApiServer.json(request, "{}"))) {
            CompletableFuture<Long> rang = new CompletableFuture<>();
            ApiClient client =
                    pool.worker(server.access(), ClientLimits.WORKER, RequestObserver.NONE, ConnectionObserver.NONE);
            vertx.setTimer(200, rang::complete);

            client.close();

            assertThat(rang.get(30, TimeUnit.SECONDS)).isNotZero();
        }
    }
}
