package io.osmhub.workersync.port;

import io.osmhub.workersync.apiserver.ApiFailure;

/** Notifies a sync's owner. Called on any thread; must not block. */
public interface SyncListener {
    /** The status changed; read it when convenient. */
    void onStatusChanged();

    /** A list or watch of the worker cluster failed; the owner decides about the connection. */
    void onRequestFailed(ApiFailure failure);

    /** All lists and watches work again. */
    void onRecovered();
}
