package io.osmhub.tenancy.catalog;

import io.osmhub.core.osp.OperatingSystemProfileStatus;
import io.osmhub.core.problem.Problem;
import io.osmhub.tenancy.management.NamespaceEventRecorder;
import io.osmhub.tenancy.management.StatusWriter;
import io.osmhub.tenancy.management.WireJson;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.port.EventRecorder;
import java.util.function.Predicate;

/**
 * Writes statuses and Events of profiles.
 *
 * @param served whether this replica serves a namespace
 */
public record ProfileReporter(
        ProfileCache profileCache,
        StatusWriter statusWriter,
        NamespaceEventRecorder eventRecorder,
        Predicate<String> served) {
    boolean serves(String namespace) {
        return served.test(namespace);
    }

    void writeStatus(StoredProfile profile, OperatingSystemProfileStatus status) {
        statusWriter.enqueue(profileCache, profile.namespace(), profile.name(), WireJson.tree(status));
    }

    void recordEvent(StoredProfile profile, Problem problem) {
        eventRecorder
                .events(profile.namespace())
                .recordEvent(
                        new EventRecorder.Regarding(
                                Resource.OPERATING_SYSTEM_PROFILES.apiVersion(),
                                "OperatingSystemProfile",
                                profile.namespace(),
                                profile.name(),
                                profile.uid()),
                        null,
                        problem);
    }
}
