package io.osmhub.tenancy;

import io.osmhub.core.template.language.TemplateLanguage;
import java.time.Duration;

/** Observes the hub beyond single runs, for metrics. Thread-safe; must not block or throw. */
public interface HubObserver {
    /** Ignores everything. */
    HubObserver NONE = new HubObserver() {};

    /** A write was rejected because this replica's Lease was too old. */
    default void onWriteFenced() {}

    /** This replica took a namespace with a tenant from another replica after resharding. */
    default void onTakeover() {}

    default void onProfileCompiled(TemplateLanguage language, Duration took) {}

    /** A WorkerCluster was released although objects of the hub remain in the worker cluster. */
    default void onCleanupIncomplete() {}

    /** A status write was delayed by the management cluster's write budget. */
    default void onStatusDelayed(Duration wait) {}
}
