package io.osmhub.deploy.run;

import io.osmhub.deploy.config.ListenAddress;
import io.vertx.core.Future;
import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waits for a server to listen, and explains a failure to users. */
final class ListenerStartup {
    private static final long SECONDS = 10;

    private ListenerStartup() {}

    /** Returns the port, chosen by the system if that of the address is 0. */
    static int awaitPort(ListenAddress address, Future<Integer> listening) throws IOException {
        try {
            return listening.toCompletionStage().toCompletableFuture().get(SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new IOException("cannot listen on " + address + ": " + cause.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted before listening on " + address, e);
        }
    }
}
