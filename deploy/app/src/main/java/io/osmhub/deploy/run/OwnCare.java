package io.osmhub.deploy.run;

import io.osmhub.deploy.config.HubConfiguration;
import io.osmhub.deploy.config.HubConfiguration.InstallCrds;
import io.osmhub.tenancy.concern.HubProblems;
import io.osmhub.tenancy.concern.ManagementPermissions;
import io.osmhub.tenancy.concern.ManagementReview;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.events.EventWriter;
import io.osmhub.workersync.port.EventSink;
import io.osmhub.workersync.watch.Surroundings;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;

/** What a hub knows of itself, made of its configuration: what it has to be allowed, and who hears what is wrong with it. */
final class OwnCare {
    /** Where the manifests put the pod's UID. */
    private static final String POD_UID = "POD_UID";

    private OwnCare() {}

    /** UID of the pod that this process runs in; empty outside of pods. */
    static String podUid() {
        return Objects.requireNonNullElse(System.getenv(POD_UID), "");
    }

    static ManagementReview review(HubConfiguration configuration, KubeApi management, Foundation foundation) {
        boolean answers = configuration.api().address().isPresent();
        boolean reviews = configuration.webhooks().address().isPresent();
        ManagementPermissions permissions = new ManagementPermissions(
                configuration.replicas().mode() == HubConfiguration.ReplicaMode.SHARDED,
                configuration.tenancy().installCrds() != InstallCrds.NEVER,
                answers,
                (answers || reviews)
                        && configuration.webhooks().provided().certFile().isEmpty(),
                reviews);
        return new ManagementReview(
                management, permissions.list(configuration.management().namespace()), foundation.around());
    }

    /** @param here what is wrong with this replica, but for its Lease */
    static HubProblems problems(
            HubConfiguration configuration,
            KubeApi management,
            Foundation foundation,
            Leadership leadership,
            Supplier<List<HubProblems.Found>> here,
            Supplier<? extends Collection<String>> tenants) {
        Surroundings around = foundation.around();
        String uid = podUid();
        return new HubProblems(
                here,
                leadership.shares(),
                tenants,
                new EventWriter(management, around.timers(), around.waiting(), around.random(), foundation.replica()),
                new EventSink.Regarding(
                        "v1",
                        "Pod",
                        configuration.management().namespace(),
                        foundation.replica(),
                        uid.isEmpty() ? null : uid),
                around);
    }
}
