package io.osmhub.tenancy;

import io.osmhub.core.osp.TemplateLanguage;
import io.osmhub.core.template.TemplateEngine;
import io.osmhub.tenancy.link.WorkerLinks;
import io.osmhub.workersync.WorkerSync;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.queue.WorkQueue;
import io.osmhub.workersync.reconcile.RenderThreads;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * What a hub is made of, given by whoever starts the process.
 *
 * @param management the management cluster
 * @param endpoint URL of the management cluster's API server, for messages
 * @param links opens the ways to worker clusters
 * @param queue of the hub's own looks at namespaces; not the one in {@code environment}, whose runs wait for rendering
 * @param previews where what is not published is rendered: previews and trials; not those in {@code environment}
 * @param mayWrite false while this replica could not renew its Lease
 * @param observer counts what concerns more than one run
 * @param served whether the tenant of a namespace is this replica's
 */
public record HubParts(
        KubeApi management,
        String endpoint,
        WorkerLinks links,
        WorkerSync.Environment environment,
        WorkQueue queue,
        RenderThreads previews,
        Function<TemplateLanguage, TemplateEngine> engines,
        BooleanSupplier mayWrite,
        HubObserver observer,
        Predicate<String> served) {}
