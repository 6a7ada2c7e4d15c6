package io.osmhub.tenancy.registration;

import io.fabric8.kubernetes.api.model.Namespace;
import io.osmhub.core.problem.Reason;
import io.osmhub.tenancy.connection.ConnectionSubject;
import io.osmhub.tenancy.connection.ConnectionTestReport;
import io.osmhub.tenancy.connection.ConnectionTestReport.CheckOutcome;
import io.osmhub.tenancy.connection.ConnectionTestReport.CheckStep;
import io.osmhub.tenancy.connection.ConnectionTestReport.ConnectionCheck;
import io.osmhub.tenancy.management.NamespaceCache.NamespaceRecord;
import io.osmhub.tenancy.registration.Registrar.RegisteredClusters;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.KubeApi;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
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
public record DuplicateCheck(
        KubeApi managementApi, RegisteredClusters registered, Predicate<WorkerClusterRecord> visible) {
    DuplicateCheck withVisible(Predicate<WorkerClusterRecord> shown) {
        return new DuplicateCheck(managementApi, registered, shown);
    }

    /** The report with the outcome of this check. */
    ConnectionTestReport addTo(ConnectionTestReport report, ConnectionSubject subject) throws ApiFailure {
        return report.with(check(report, subject));
    }

    private ConnectionCheck check(ConnectionTestReport report, ConnectionSubject subject) throws ApiFailure {
        Collection<WorkerClusterRecord> all;
        try {
            all = registered.all();
        } catch (ApiFailure e) {
            if (e.isForbidden()) {
                return check(
                        CheckOutcome.SKIPPED,
                        "requires permission to list WorkerClusters in all namespaces; the hub checks it later");
            }
            throw e;
        }
        String clusterId = report.clusterId();
        boolean proven = !clusterId.isEmpty() || report.passed();
        // The UID is proven. Endpoints of other registrations may not be, and count only without it.
        List<WorkerClusterRecord> same = all.stream()
                .filter(record -> clusterId.isEmpty()
                        ? !endpoint(record).isEmpty() && endpoint(record).equals(comparable(report.endpoint()))
                        : clusterId.equals(record.clusterId()))
                .toList();
        if (same.stream().anyMatch(record -> isSubject(record, subject))) {
            return check(CheckOutcome.OK, "registered as this WorkerCluster");
        }
        WorkerClusterRecord other = same.stream()
                .filter(record -> proven || visible.test(record))
                .findFirst()
                .orElse(null);
        if (other != null) {
            return subject.tenant().equals(ownerOf(clusterId))
                    ? check(CheckOutcome.OK, "assigned to this namespace by an operator")
                    : duplicate(other, subject, report);
        }
        return proven
                ? check(CheckOutcome.OK, "not registered yet")
                : check(
                        CheckOutcome.SKIPPED,
                        "requires a passed test or the UID of kube-system; the hub checks it when it connects");
    }

    private static ConnectionCheck check(CheckOutcome outcome, String message) {
        return new ConnectionCheck(CheckStep.REGISTRATION, outcome, null, message, "", null);
    }

    private ConnectionCheck duplicate(
            WorkerClusterRecord other, ConnectionSubject subject, ConnectionTestReport report) {
        String clusterId = report.clusterId();
        String assign = clusterId.isEmpty()
                ? "ask a cluster operator"
                : "if it belongs to this tenant, a cluster operator runs kubectl label namespace " + subject.tenant()
                        + " " + NamespaceRecord.CLUSTER_ID + "=" + clusterId;
        String message = "the cluster is already registered";
        String cure = assign;
        if (visible.test(other)) {
            String name = other.name() + " -n " + other.namespace();
            message += " as WorkerCluster " + other.name() + " in namespace " + other.namespace()
                    + (clusterId.isEmpty()
                            ? " (same endpoint, " + report.endpoint() + ")"
                            : " (same UID of kube-system, " + clusterId + ")");
            cure = "replace its kubeconfig with hub cluster rotate " + name
                    + " --kubeconfig FILE, or remove it first with hub cluster remove " + name + "; " + assign;
        }
        return new ConnectionCheck(
                CheckStep.REGISTRATION, CheckOutcome.FAILED, Reason.WorkerClusterDuplicate, message, cure, null);
    }

    private static boolean isSubject(WorkerClusterRecord record, ConnectionSubject subject) {
        return record.namespace().equals(subject.tenant()) && record.name().equals(subject.workerCluster());
    }

    private static String endpoint(WorkerClusterRecord record) {
        String endpoint = record.status() == null ? null : record.status().endpoint();
        return endpoint == null ? "" : comparable(endpoint);
    }

    private static String comparable(String endpoint) {
        return endpoint.strip().toLowerCase(Locale.ROOT).replaceFirst("/+$", "").replaceFirst(":443(?=/|$)", "");
    }

    /** The only namespace to which an operator assigned the cluster; null if there is none or it may not be read. */
    private @Nullable String ownerOf(String clusterId) throws ApiFailure {
        if (clusterId.isEmpty()) {
            return null;
        }
        try {
            List<Namespace> found = managementApi.call(client -> client.namespaces()
                    .withLabel(NamespaceRecord.CLUSTER_ID, clusterId)
                    .list()
                    .getItems());
            return found.size() == 1 ? found.getFirst().getMetadata().getName() : null;
        } catch (ApiFailure e) {
            if (e.isForbidden()) {
                return null;
            }
            throw e;
        }
    }
}
