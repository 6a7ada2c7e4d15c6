package io.osmhub.tenancy.watch;

import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.watch.WatchListener;

/** For a watch whose fortunes nobody needs to hear of: it goes on by itself, and its cache says what is known. */
public class QuietListener implements WatchListener {
    public static final QuietListener INSTANCE = new QuietListener();

    protected QuietListener() {}

    @Override
    public void synced() {}

    @Override
    public void failed(ApiFailure failure, int inARow) {}

    @Override
    public void refused(ApiFailure failure) {}

    @Override
    public void endsAtOnce(int inARow) {}

    @Override
    public void recovered() {}

    @Override
    public void restarted(Restart why) {}
}
