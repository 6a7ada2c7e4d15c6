package io.osmhub.api.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.api.diagnosis.DiagnosisService;
import io.osmhub.api.paging.ListQuery;
import io.osmhub.api.schema.MachineDeploymentEntry;
import io.osmhub.api.schema.WhyReport;
import io.osmhub.api.schema.WhyReport.Link;
import io.osmhub.core.osc.OperatingSystemConfig;
import io.osmhub.core.osc.OperatingSystemConfigStatus;
import io.osmhub.core.plan.OwnershipAnnotations;
import io.osmhub.core.plan.StoredConfig;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.Reason.LinkName;
import io.osmhub.core.problem.Severity;
import io.osmhub.core.status.Chain;
import io.osmhub.core.status.Chain.LinkState;
import io.osmhub.tenancy.HubQueries;
import io.osmhub.tenancy.LiveTenant;
import io.osmhub.tenancy.catalog.ConfigCache.ListedConfig;
import io.osmhub.tenancy.catalog.StoredProfile;
import io.osmhub.tenancy.management.StoredStatus;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import io.osmhub.workersync.watch.ObjectKey;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** For each kind of fault, the list, the report, the page's drawing and the stored conditions name the same broken link. */
final class ChainAgreementTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String TIME = "2026-03-01T08:00:00Z";
    private static final String TENANT = "cluster-7xk2m9";
    private static final String NAME = "workers-kube-system-config";

    /** Their link is that of the object that was to be written. */
    private static final Set<Reason> OF_ANY_OBJECT = Set.of(
            Reason.PublishRetrying,
            Reason.WriteForbidden,
            Reason.WriteRejected,
            Reason.ObjectNotOwned,
            Reason.DriftLoop);

    private final StoredInventory inventory = new StoredInventory(new FakeReplica());

    static Stream<Arguments> faults() {
        return Arrays.stream(Reason.values())
                .filter(reason -> reason.brokenLink() != null)
                .filter(reason -> reason.severity() != Severity.INFO || reason == Reason.Paused)
                .flatMap(reason -> links(reason).map(link -> Arguments.of(reason, link)));
    }

    private static Stream<LinkName> links(Reason reason) {
        return OF_ANY_OBJECT.contains(reason)
                ? Arrays.stream(LinkName.values()).filter(link -> Chain.condition(link) != null)
                : Stream.ofNullable(reason.brokenLink());
    }

    @ParameterizedTest
    @MethodSource("faults")
    void allNameTheSameLinkAndReason(Reason reason, LinkName link) throws Exception {
        StoredConfig config = config(reason, link);
        WorkerClusterRecord tenant = WorkerClusterRecord.of(workerCluster(reason, link));
        inventory.onWorkerClusterChanged(new ObjectKey(TENANT, "shop"), tenant);
        inventory.onConfigChanged(
                new ObjectKey(TENANT, NAME),
                new ListedConfig(config, StoredStatus.Place.FIELD, Map.of(), Instant.parse(TIME), "ubuntu", "aws"));
        DiagnosisService diagnosis = new DiagnosisService(
                new StoredObjects(tenant, config),
                namespace -> "osm-hub-1",
                InstantSource.fixed(Instant.parse("2026-03-01T09:00:00Z")));

        MachineDeploymentEntry listed = inventory
                .machineDeployments(ListQuery.ALL, Visibility.EVERYTHING)
                .items()
                .getFirst();
        WhyReport why =
                diagnosis.explain(TENANT, "kube-system", "workers", false).orElseThrow();
        MachineDeploymentEntry page = diagnosis
                .describe(TENANT, "kube-system", "workers")
                .orElseThrow()
                .machineDeployment();

        assertThat(why.cause()).isNotNull();
        assertThat(why.cause().classification().reason()).isEqualTo(reason);
        assertThat(listed.effect().reason()).isEqualTo(reason);
        assertThat(page.effect().reason()).isEqualTo(reason);
        assertThat(why.links().get(link.ordinal()).state()).isEqualTo(LinkState.BROKEN);
        assertThat(listed.effect().links()).isEqualTo(page.effect().links()).containsOnlyOnce(LinkState.BROKEN);
        // Whether machines have picked it up is unknown in a report without them.
        assertThat(why.links().subList(0, 6))
                .extracting(Link::state)
                .isEqualTo(
                        page.effect().links() == null
                                ? null
                                : page.effect().links().subList(0, 6));
    }

    private static StoredConfig config(Reason reason, LinkName broken) throws Exception {
        ObjectNode status = JSON.createObjectNode().put("newNodes", "Blocked");
        for (LinkName link : LinkName.values()) {
            String type = Chain.condition(link);
            if (type != null) {
                status.withArray("conditions")
                        .addObject()
                        .put("type", type)
                        .put("status", link == broken ? "False" : link.compareTo(broken) < 0 ? "True" : "Unknown")
                        .put("reason", link == broken ? reason.wireName() : "PublishPending")
                        .put("message", message(reason))
                        .put("lastTransitionTime", TIME);
            }
        }
        return new StoredConfig(
                TENANT,
                NAME,
                "uid",
                "1",
                1,
                new TreeMap<>(Map.of(OwnershipAnnotations.OWNER, "kube-system/workers")),
                "hash",
                JSON.treeToValue(status, OperatingSystemConfigStatus.class),
                null);
    }

    private static ObjectNode workerCluster(Reason reason, LinkName link) {
        boolean ofTenant = link == LinkName.WORKER_CONNECTION;
        ObjectNode object = JSON.createObjectNode();
        object.putObject("metadata")
                .put("namespace", TENANT)
                .put("name", "shop")
                .put("uid", "uid")
                .put("creationTimestamp", TIME);
        object.putObject("spec").putObject("kubeconfigSecretRef").put("name", "kubeconfig");
        ObjectNode status = object.putObject("status").put("state", "Degraded");
        status.putArray("conditions")
                .add(condition("Connected", !ofTenant, ofTenant ? reason : Reason.ConnectionEstablished))
                .add(condition("Synced", false, reason));
        if (reason != Reason.Paused) {
            status.putArray("problems")
                    .addObject()
                    .put("reason", reason.wireName())
                    .put("severity", "Error")
                    .put("kind", ofTenant ? "WorkerCluster" : "MachineDeployment")
                    .put("namespace", ofTenant ? TENANT : "kube-system")
                    .put("name", ofTenant ? "shop" : "workers")
                    .put("message", message(reason))
                    .put("since", TIME)
                    .set(
                            "details",
                            TextProblem.stored(TextProblem.parse(reason, message(reason), "shop")
                                    .atLink(link)));
        }
        return object;
    }

    private static ObjectNode condition(String type, boolean status, Reason reason) {
        return JSON.createObjectNode()
                .put("type", type)
                .put("status", status ? "True" : "False")
                .put("reason", reason.wireName())
                .put("message", message(reason))
                .put("lastTransitionTime", TIME);
    }

    private static String message(Reason reason) {
        return TENANT + ": MachineDeployment kube-system/workers: " + reason.wireName() + "; correct it";
    }

    /** What a replica knows of a tenant that it does not serve. */
    private record StoredObjects(
            WorkerClusterRecord tenant, @Nullable StoredConfig config) implements HubQueries {
        @Override
        public Optional<LiveTenant> live(String namespace) {
            return Optional.empty();
        }

        @Override
        public List<LiveTenant> live() {
            return List.of();
        }

        @Override
        public Optional<WorkerClusterRecord> workerCluster(String namespace) {
            return Optional.of(tenant);
        }

        @Override
        public Collection<WorkerClusterRecord> workerClusters() {
            return List.of(tenant);
        }

        @Override
        public Optional<StoredProfile> profile(String namespace, String name) {
            return Optional.empty();
        }

        @Override
        public Optional<StoredConfig> config(String namespace, String name) {
            return Optional.ofNullable(config);
        }

        @Override
        public OperatingSystemConfig read(StoredConfig stored) {
            throw new UnsupportedOperationException();
        }

        @Override
        public String read(StoredProfile stored) {
            throw new UnsupportedOperationException();
        }

        @Override
        public <T> T compute(String caller, Supplier<T> work) {
            return work.get();
        }

        @Override
        public String sharedProfileNamespace() {
            return "osm-profiles";
        }
    }
}
