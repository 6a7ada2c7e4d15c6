package io.osmhub.deploy.run;

import io.osmhub.deploy.config.HubConfiguration;
import io.osmhub.tenancy.concern.HubProblemMonitor;
import io.osmhub.tenancy.concern.ManagementPermissionMonitor;
import io.osmhub.tenancy.concern.ManagementPermissionMonitor.ManagementPermissions;
import io.osmhub.tenancy.crds.DefinitionInstaller.InstallPolicy;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.events.EventWriter;
import io.osmhub.workersync.port.EventRecorder;
import io.osmhub.workersync.watch.RuntimeContext;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;

/** The hub's checks of itself, derived from its configuration: required permissions, and problem reporting. */
final class HubSelfChecks {
    /** Environment variable that the manifests set to the pod's UID. */
    private static final String POD_UID = "POD_UID";

    private HubSelfChecks() {}

    /** UID of this process's pod; empty outside pods. */
    static String podUid() {
        return Objects.requireNonNullElse(System.getenv(POD_UID), "");
    }

    static ManagementPermissionMonitor review(
            HubConfiguration configuration, KubeApi management, ServiceRuntime foundation) {
        boolean answers = configuration.api().address().isPresent();
        boolean reviews = configuration.webhooks().address().isPresent();
        ManagementPermissions permissions = new ManagementPermissions(
                configuration.replicas().mode() == HubConfiguration.ReplicaMode.SHARDED,
                configuration.tenancy().installCRDs() != InstallPolicy.NEVER,
                answers,
                (answers || reviews)
                        && configuration
                                .webhooks()
                                .certificate()
                                .provided()
                                .certFile()
                                .isEmpty(),
                reviews);
        return new ManagementPermissionMonitor(
                management, permissions.list(configuration.management().namespace()), foundation.runtimeContext());
    }

    /** @param here problems of this replica except its Lease */
    static HubProblemMonitor problems(
            HubConfiguration configuration,
            KubeApi management,
            ServiceRuntime foundation,
            Leadership leadership,
            Supplier<List<HubProblemMonitor.DetectedProblem>> here,
            Supplier<? extends Collection<String>> tenants) {
        RuntimeContext around = foundation.runtimeContext();
        String uid = podUid();
        return new HubProblemMonitor(
                here,
                leadership.shares(),
                tenants,
                new EventWriter(
                        management,
                        around.scheduler(),
                        around.blockingExecutor(),
                        around.random(),
                        foundation.replica()),
                new EventRecorder.Regarding(
                        "v1",
                        "Pod",
                        configuration.management().namespace(),
                        foundation.replica(),
                        uid.isEmpty() ? null : uid),
                around);
    }
}
