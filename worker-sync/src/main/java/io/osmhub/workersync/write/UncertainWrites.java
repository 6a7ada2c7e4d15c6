package io.osmhub.workersync.write;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.osmhub.core.bootstrap.ObjectNames;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.CurrentConnection;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.watch.CachedSelection;
import io.osmhub.workersync.watch.ObjectDecoder;
import io.osmhub.workersync.watch.ObjectKey;
import io.osmhub.workersync.watch.ObservedObject;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Objects whose cached state may be wrong: a write got no response, or found a different state. Thread-safe. */
final class UncertainWrites {
    /** Attempts to read one object while others are being deleted. */
    private static final int READS = 5;

    private static final JsonFactory JSON = new JsonFactory();

    private final CurrentConnection currentConnection;
    private final Set<UncertainWrite> uncertainWrites = ConcurrentHashMap.newKeySet();

    private record UncertainWrite(CachedSelection<?> kind, ObjectKey key) {}

    UncertainWrites(CurrentConnection currentConnection) {
        this.currentConnection = currentConnection;
    }

    /** A write failed; not every failure leaves the state uncertain. */
    void add(CachedSelection<?> kind, ObjectKey key, ApiFailure failure) {
        if (!failure.isRejection() || failure.isConflict() || failure.isAlreadyExists() || failure.isNotFound()) {
            uncertainWrites.add(new UncertainWrite(kind, key));
        }
    }

    /** A cached object seems to belong to another writer, which would block the hub until it changes. */
    void addIfCached(CachedSelection<?> kind, ObjectKey key) {
        if (kind.cache().observed(key) != null) {
            uncertainWrites.add(new UncertainWrite(kind, key));
        }
    }

    /** Fetches those with one of the names, and bootstrap tokens, whose names do not identify the owner. */
    void resolve(Set<ObjectKey> names) throws ApiFailure {
        for (UncertainWrite write : List.copyOf(uncertainWrites)) {
            boolean isToken = write.kind().resource() == Resource.SECRETS
                    && write.key().namespace().equals(ObjectNames.TOKEN_NAMESPACE);
            if (isToken || names.contains(write.key())) {
                refresh(write.kind(), write.key());
                uncertainWrites.remove(write);
            }
        }
    }

    private <T> void refresh(CachedSelection<T> kind, ObjectKey key) throws ApiFailure {
        for (int read = 0; read < READS; read++) {
            int deletions = kind.cache().deletionCount();
            ObservedObject<T> known = kind.cache().observed(key);
            byte[] found;
            try {
                found = currentConnection.get().send(ApiRequest.get(kind.resource(), key.namespace(), key.name()));
            } catch (ApiFailure failure) {
                if (failure.isNotFound()) {
                    if (known != null) {
                        kind.cache().deleted(key, known.uid());
                    }
                    return;
                }
                throw failure;
            }
            if (kind.cache().putIfUnchanged(decode(found, kind.decoder()), known, deletions)) {
                return;
            }
        }
        throw ApiFailure.withoutResponse(
                ApiFailure.ApiFailureKind.TIMED_OUT, "objects are deleted faster than one can be read");
    }

    private static <T> ObservedObject<T> decode(byte[] json, ObjectDecoder<T> decoder) throws ApiFailure {
        try (JsonParser parser = JSON.createParser(json)) {
            if (parser.nextToken() == JsonToken.START_OBJECT) {
                return decoder.decode(parser);
            }
        } catch (IOException e) {
            throw ChangeWriter.unreadable("the written object");
        }
        throw ChangeWriter.unreadable("the written object");
    }
}
