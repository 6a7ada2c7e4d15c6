package io.osmhub.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.e2e.cluster.AuditLog;
import io.osmhub.e2e.cluster.ManifestObjects;
import io.osmhub.e2e.cluster.RealClusters;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The shipped roles are exact: in all that the tests before this one made the hub do, nothing was forbidden, and every verb that
 * is granted was needed.
 */
@Order(Integer.MAX_VALUE)
final class RolesE2E {
    private static final int FORBIDDEN = 403;

    /** Needed, but not seen in every run of the tests. */
    private static final Set<String> RARELY = Set.of(
            // Asked when a person asks why a node does not come.
            "get machines",
            "list machines",
            // Asked after a write whose answer was lost, to learn whether it arrived.
            "get machinedeployments",
            "get secrets",
            "get serviceaccounts",
            "get roles",
            "get rolebindings",
            "get operatingsystemconfigs",
            // Asked when a person compares or previews a profile.
            "get operatingsystemprofiles",
            // For default profiles, once the hub brings its own.
            "create operatingsystemprofiles",
            "patch operatingsystemprofiles",
            // When a revision changes and nothing else; with other content it is replaced.
            "patch operatingsystemconfigs",
            // In tests of the simulated fleet.
            "patch operatingsystemprofileextensions/status",
            // Where the definitions do not come with the manifests, as they do here.
            "create customresourcedefinitions",
            "patch customresourcedefinitions",
            // In a single cluster whose manifests have the webhook for MachineDeployments.
            "patch mutatingwebhookconfigurations",
            // After 70 % of the 90 days for which a certificate is valid.
            "update secrets",
            // After a concurrent write to a Lease.
            "get leases",
            // When the hub takes over from OSM, whose Lease it then holds.
            "update leases",
            // For an Event that is seen again and again.
            "patch events",
            // Where nodes join with the token of a ServiceAccount.
            "list serviceaccounts",
            "watch serviceaccounts");

    private static final List<AuditLog.Entry> MANAGEMENT = new ArrayList<>();
    private static final List<AuditLog.Entry> WORKER = new ArrayList<>();

    /** One verb on one kind. {@code namespace} is empty for a grant in all of them. */
    private record Right(String namespace, String resource, List<String> names, String verb) {
        boolean covers(AuditLog.Entry entry) {
            return entry.verb().equals(verb)
                    && entry.resource().equals(resource)
                    && entry.code() != FORBIDDEN
                    && (namespace.isEmpty() || entry.namespace().equals(namespace));
        }
    }

    @BeforeAll
    static void readTheLogs() throws IOException {
        try (Stream<Path> logs = Files.walk(RealClusters.FOLDER)) {
            for (Path log : logs.filter(file -> file.endsWith("audit.log")).toList()) {
                AuditLog audit = new AuditLog(log);
                MANAGEMENT.addAll(audit.whileReady(RealTenant.HUB_IN_MANAGEMENT));
                WORKER.addAll(audit.whileReady(RealTenant.HUB_IN_WORKER));
            }
        }
    }

    @Test
    void nothingTheHubNeedsIsForbidden() {
        assertThat(MANAGEMENT).isNotEmpty();
        assertThat(WORKER).isNotEmpty();
        assertThat(Stream.concat(MANAGEMENT.stream(), WORKER.stream()))
                .filteredOn(entry -> entry.code() == FORBIDDEN
                        // DisruptionE2E deletes definitions.
                        && !entry.message().endsWith("custom resource definition is terminating"))
                .isEmpty();
    }

    @Test
    @Tag(RealClusters.ONE_VERSION)
    void everyRightInTheManagementClusterIsUsed() {
        assertThat(unused("rbac-management.yaml", MANAGEMENT)).isEmpty();
    }

    @Test
    @Tag(RealClusters.ONE_VERSION)
    void everyRightInAWorkerClusterIsUsed() {
        assertThat(unused("rbac-worker.yaml", WORKER)).isEmpty();
    }

    @Test
    @Tag(RealClusters.ONE_VERSION)
    void everyRightForTokensOfSingleMachineDeploymentsIsUsed() {
        assertThat(unused("rbac-worker-scoped-fetch.yaml", WORKER)).isEmpty();
    }

    private static List<Right> unused(String file, List<AuditLog.Entry> asked) {
        List<Right> rights = ManifestObjects.file(ShippedManifests.FOLDER.resolve(file)).stream()
                .flatMap(RolesE2E::rights)
                .filter(right -> !RARELY.contains(right.verb() + " " + right.resource()))
                .toList();
        assertThat(rights).isNotEmpty();
        return rights.stream()
                .filter(right -> asked.stream().noneMatch(right::covers))
                .toList();
    }

    private static Stream<Right> rights(JsonNode role) {
        return role.path("rules").valueStream().flatMap(rule -> words(rule, "resources")
                .flatMap(resource -> words(rule, "verbs")
                        .map(verb -> new Right(
                                ManifestObjects.namespace(role),
                                resource,
                                words(rule, "resourceNames").toList(),
                                verb))));
    }

    private static Stream<String> words(JsonNode rule, String field) {
        return rule.path(field).valueStream().map(JsonNode::asText).map(Objects::requireNonNull);
    }
}
