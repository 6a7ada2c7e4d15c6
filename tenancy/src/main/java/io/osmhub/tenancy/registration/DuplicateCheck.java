package io.osmhub.tenancy.registration;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.core.problem.Reason;
import io.osmhub.tenancy.connection.ConnectionSubject;
import io.osmhub.tenancy.connection.ConnectionTestReport;
import io.osmhub.tenancy.connection.ConnectionTestReport.CheckOutcome;
import io.osmhub.tenancy.connection.ConnectionTestReport.CheckStep;
import io.osmhub.tenancy.connection.ConnectionTestReport.ConnectionCheck;
import io.osmhub.tenancy.namespace.NamespaceCache.NamespaceRecord;
import io.osmhub.tenancy.registration.Registrar.RegisteredClusters;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import io.osmhub.tenancy.wire.WireJson;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import java.net.URI;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Detects that the cluster behind a kubeconfig is registered already: by the UID of {@code kube-system}, or by its endpoint if it
 * does not report the UID. An operator's assignment takes precedence, as after registration. Without the UID and a passed test anyone
 * can name any endpoint, so an endpoint that only invisible registrations have is answered like an unknown one; the hub compares the
 * UID when it connects.
 *
 * @param visible WorkerClusters that messages may name
 */
record DuplicateCheck(KubeApi management, RegisteredClusters registered, Predicate<WorkerClusterRecord> visible) {
    /** The report with the outcome of this check. */
    ConnectionTestReport addTo(ConnectionTestReport report, ConnectionSubject subject) throws ApiFailure {
        Collection<WorkerClusterRecord> all;
        try {
            all = registered.all();
        } catch (ApiFailure e) {
            if (!e.isForbidden()) {
                throw e;
            }
            return report.with(check(
                    CheckOutcome.SKIPPED,
                    null,
                    "requires permission to list WorkerClusters in all namespaces; the hub checks it later",
                    ""));
        }
        String clusterId = report.clusterId();
        URI endpoint = endpoint(report.endpoint());
        boolean proven = !clusterId.isEmpty() || report.passed();
        WorkerClusterRecord other = null;
        boolean own = false;
        for (WorkerClusterRecord record : all) {
            // The UID is proven. Endpoints of other registrations may not be, and count only without it.
            boolean same = clusterId.isEmpty()
                    ? endpoint != null && endpoint.equals(endpoint(endpointOf(record)))
                    : clusterId.equals(record.clusterId());
            own |= same && isSubject(record, subject);
            boolean counts = same && !isSubject(record, subject) && (proven || visible.test(record));
            other = other == null && counts ? record : other;
        }
        if (own) {
            return report.with(check(CheckOutcome.OK, null, "registered as this WorkerCluster", ""));
        }
        if (other == null) {
            return report.with(
                    proven
                            ? check(CheckOutcome.OK, null, "not registered yet", "")
                            : check(
                                    CheckOutcome.SKIPPED,
                                    null,
                                    "requires a passed test or the UID of kube-system; the hub checks it when it connects",
                                    ""));
        }
        return subject.tenant().equals(ownerOf(clusterId))
                ? report.with(check(CheckOutcome.OK, null, "assigned to this namespace by an operator", ""))
                : report.with(duplicate(other, subject, report));
    }

    private ConnectionCheck duplicate(
            WorkerClusterRecord other, ConnectionSubject subject, ConnectionTestReport report) {
        String clusterId = report.clusterId();
        String assign = clusterId.isEmpty()
                ? ""
                : "if it belongs to this tenant, a cluster operator runs kubectl label namespace " + subject.tenant()
                        + " " + NamespaceRecord.CLUSTER_ID + "=" + clusterId;
        if (!visible.test(other)) {
            return check(
                    CheckOutcome.FAILED,
                    Reason.WorkerClusterDuplicate,
                    "the cluster is already registered",
                    assign.isEmpty() ? "ask a cluster operator" : assign);
        }
        String name = other.name() + " -n " + other.namespace();
        return check(
                CheckOutcome.FAILED,
                Reason.WorkerClusterDuplicate,
                "the cluster is already registered as WorkerCluster " + other.name() + " in namespace "
                        + other.namespace()
                        + (!clusterId.isEmpty()
                                ? " (same UID of kube-system, " + clusterId + ")"
                                : " (same endpoint, " + report.endpoint() + ")"),
                "replace its kubeconfig with hub cluster rotate " + name
                        + " --kubeconfig FILE, or remove it first with hub cluster remove " + name
                        + (assign.isEmpty() ? "" : "; " + assign));
    }

    private static ConnectionCheck check(CheckOutcome outcome, @Nullable Reason reason, String message, String cure) {
        return new ConnectionCheck(CheckStep.REGISTRATION, outcome, reason, message, cure, null);
    }

    private static boolean isSubject(WorkerClusterRecord record, ConnectionSubject subject) {
        return record.namespace().equals(subject.tenant()) && record.name().equals(subject.workerCluster());
    }

    private static String endpointOf(WorkerClusterRecord record) {
        String endpoint = record.status() == null ? null : record.status().endpoint();
        return endpoint == null ? "" : endpoint;
    }

    /** In a comparable form; null if it is not a URL. */
    private static @Nullable URI endpoint(String text) {
        try {
            URI url = URI.create(text.strip());
            if (url.getHost() == null) {
                return null;
            }
            String path = url.getPath() == null ? "" : url.getPath().replaceFirst("/+$", "");
            return URI.create("https://" + url.getHost().toLowerCase(Locale.ROOT) + ":"
                    + (url.getPort() < 0 ? 443 : url.getPort()) + path);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /** The only namespace to which an operator assigned the cluster; null if there is none or it may not be read. */
    private @Nullable String ownerOf(String clusterId) throws ApiFailure {
        if (clusterId.isEmpty()) {
            return null;
        }
        try {
            JsonNode found = WireJson.response(
                            management.send(ApiRequest.list(
                                    Resource.NAMESPACES,
                                    "",
                                    Map.of("labelSelector", NamespaceRecord.CLUSTER_ID + "=" + clusterId))),
                            "a list of the management cluster")
                    .path("items");
            return found.size() == 1 ? found.path(0).at("/metadata/name").asText() : null;
        } catch (ApiFailure e) {
            if (e.isForbidden()) {
                return null;
            }
            throw e;
        }
    }
}
