package io.osmhub.tenancy.connection;

import io.osmhub.workersync.apiserver.ApiFailure;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;

/** A blocking request that runs beside others. */
@FunctionalInterface
interface ConcurrentRequest<T> {
    T send() throws ApiFailure;

    static <T> CompletableFuture<T> start(ConcurrentRequest<T> request, Executor executor) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return request.send();
                    } catch (ApiFailure failure) {
                        throw new CompletionException(failure);
                    }
                },
                executor);
    }

    static <T> T join(CompletableFuture<T> response) throws ApiFailure {
        try {
            return response.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof ApiFailure failure) {
                throw failure;
            }
            throw e;
        }
    }
}
