package io.osmhub.tenancy;

import io.osmhub.core.osp.TemplateLanguage;
import io.osmhub.core.template.TemplateEngine;
import io.osmhub.tenancy.link.WorkerLinkFactory;
import io.osmhub.workersync.WorkerSync;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.queue.WorkQueue;
import io.osmhub.workersync.reconcile.RenderExecutor;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * External dependencies of a hub.
 *
 * @param management the management cluster
 * @param endpoint URL of the management cluster's API server, for messages
 * @param links creates links to worker clusters
 * @param queue for reconciling namespaces; separate from that of {@code environment}, whose runs wait for rendering
 * @param previews renders previews and admission trials; separate from the executor of {@code environment}
 * @param mayWrite false while this replica could not renew its Lease
 * @param observer observes everything beyond single runs
 * @param served whether this replica serves a namespace
 */
public record HubDependencies(
        KubeApi management,
        String endpoint,
        WorkerLinkFactory links,
        WorkerSync.SyncEnvironment environment,
        WorkQueue queue,
        RenderExecutor previews,
        Function<TemplateLanguage, TemplateEngine> engines,
        BooleanSupplier mayWrite,
        HubObserver observer,
        Predicate<String> served) {}
