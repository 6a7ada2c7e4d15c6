package io.osmhub.workersync.apiserver;

import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.Interceptor;
import org.jspecify.annotations.Nullable;

/**
 * Decides about each write of a client immediately before its first byte is sent, which may be long after it was handed over: while
 * a connection is established, or the process is suspended. Called on the connection's event loop; must not block. Thread-safe.
 */
public interface WriteGuard {
    /** A write begins. Called before {@link #check}, so that one that passes it is already known. */
    default void onBegin(RequestInfo write) {}

    /** @throws ApiFailure if the write may not be sent */
    default void check(RequestInfo write) throws ApiFailure {}

    /** A write was answered or failed, or was not sent. */
    default void onEnd(RequestInfo write, boolean successful) {}

    /** Both guards. */
    default WriteGuard and(WriteGuard other) {
        WriteGuard first = this;
        return new WriteGuard() {
            @Override
            public void onBegin(RequestInfo write) {
                first.onBegin(write);
                other.onBegin(write);
            }

            @Override
            public void check(RequestInfo write) throws ApiFailure {
                first.check(write);
                other.check(write);
            }

            @Override
            public void onEnd(RequestInfo write, boolean successful) {
                first.onEnd(write, successful);
                other.onEnd(write, successful);
            }
        };
    }

    /** The guard of an HTTP client; null if it has none. */
    static @Nullable WriteGuard of(Interceptor.RequestTags client) {
        Tag tag = client.getTag(Tag.class);
        return tag == null ? null : tag.guard();
    }

    /** An HTTP client that shares the connection of another, with this guard in addition to its own. */
    static HttpClient guarded(HttpClient client, WriteGuard guard) {
        WriteGuard own = of((Interceptor.RequestTags) client);
        return client.newBuilder()
                .tag(new Tag(own == null ? guard : own.and(guard)))
                .build();
    }

    /** Key and value of the guard in fabric8's HTTP client. */
    record Tag(WriteGuard guard) {}
}
