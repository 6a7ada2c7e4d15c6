package io.osmhub.workersync.port;

import io.osmhub.workersync.apiserver.ApiFailure;

/** Hears from a sync what its owner has to act on. Called on any thread: hands over and returns. */
public interface SyncListener {
    /** The status is another than before; ask for it when there is time. */
    void statusChanged();

    /** A list or watch of the worker cluster failed or was refused: the owner decides about the connection. */
    void failed(ApiFailure failure);

    /** Lists and watches work again. */
    void recovered();
}
