package io.osmhub.tenancy.management;

import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.watch.ListWatchListener;

/** For watches whose state is not reported: they restart on their own, and the cache shows whether they are synced. */
public class NoopListWatchListener implements ListWatchListener {
    public static final NoopListWatchListener INSTANCE = new NoopListWatchListener();

    protected NoopListWatchListener() {}

    @Override
    public void onSynced() {}

    @Override
    public void onFailed(ApiFailure failure, int inARow) {}

    @Override
    public void onAccessDenied(ApiFailure failure) {}

    @Override
    public void onShortWatches(int inARow) {}

    @Override
    public void onRecovered() {}

    @Override
    public void onRestarted(RestartReason why) {}
}
