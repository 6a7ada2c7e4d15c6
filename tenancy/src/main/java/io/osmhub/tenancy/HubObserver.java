package io.osmhub.tenancy;

import io.osmhub.core.osp.TemplateLanguage;
import java.time.Duration;

/** Counts and measures what concerns more than one run, for metrics. Called on any thread; must not block nor throw. */
public interface HubObserver {
    /** Nobody counts. */
    HubObserver NONE = new HubObserver() {};

    /** A write was held back, because this replica's Lease was too old. */
    default void fencedWrite() {}

    /** This replica began to serve a namespace that was another's, or nobody's, because its share changed. */
    default void tookOver() {}

    /** A profile's content was compiled. */
    default void profileCompiled(TemplateLanguage language, Duration took) {}

    /** A WorkerCluster was let go of although something of the hub stays in the worker cluster. */
    default void cleanupIncomplete() {}

    /** A status had to wait for the budget of the management cluster. */
    default void statusWaited(Duration wait) {}
}
