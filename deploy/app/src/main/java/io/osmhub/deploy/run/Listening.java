package io.osmhub.deploy.run;

import io.osmhub.deploy.config.ListenAddress;
import io.vertx.core.Future;
import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waits until something listens, and says in words for people why it does not. */
final class Listening {
    private static final long SECONDS = 10;

    private Listening() {}

    /** The port, which is another than that of the address when that is 0. */
    static int on(ListenAddress address, Future<Integer> listening) throws IOException {
        try {
            return listening.toCompletionStage().toCompletableFuture().get(SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new IOException("cannot listen on " + address + ": " + cause.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while it began to listen on " + address, e);
        }
    }
}
