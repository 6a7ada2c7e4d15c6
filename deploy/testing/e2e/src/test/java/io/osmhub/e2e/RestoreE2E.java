package io.osmhub.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.e2e.cluster.ApiResource;
import io.osmhub.e2e.cluster.AuditLog;
import io.osmhub.e2e.cluster.Await;
import io.osmhub.e2e.cluster.CommandResult;
import io.osmhub.e2e.cluster.FreePort;
import io.osmhub.e2e.cluster.ManifestObjects;
import io.osmhub.e2e.cluster.RealCluster;
import io.osmhub.e2e.cluster.RealClusters;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The etcd of one cluster is lost and restored from an older backup, at a higher revision: objects that were created since
 * are absent, and deleted ones are back with older versions than those that the hub has seen. The other cluster is not affected.
 * Or the management cluster is lost, and its exported objects are applied to a new one.
 */
@Tag(RealClusters.ONE_VERSION)
final class RestoreE2E {
    @RegisterExtension
    static final RealClusters CLUSTERS = RealClusters.withSeparateStores(1);

    /** The API server's watches need their time to end, and the hub to connect again. */
    private static final Duration LIMIT = Duration.ofMinutes(2);

    /** From the start of the hub in a new management cluster until it has adopted what the former published. */
    private static final Duration NEW_CLUSTER_LIMIT = Duration.ofMinutes(1);

    /** A token with this life is extended at once. */
    private static final Duration SOON = Duration.ofMinutes(5);

    private static final Duration EXTENDED = Duration.ofMinutes(30);

    private static final Path ROOT = Path.of(System.getProperty("osmhub.root", "../../.."));
    private static final Path PAGE = ROOT.resolve("docs/how-to/back-up.md");
    private static final Path KUBECTL = ROOT.resolve("deploy/testing/e2e/kubectl/program");
    private static final Pattern EXPORT = Pattern.compile("(?ms)^## Export the objects$.*?^```sh\n(.*?)^```$");
    private static final Pattern TAKEOVER = Pattern.compile("(?<=hub )cluster takeover \\S+ -n \\S+ --from [\\w-]+");

    private static Path kubeconfig;
    private static RealTenant tenant;

    @BeforeAll
    static void prepare() {
        kubeconfig = RealTenant.prepareManagement(CLUSTERS.management(), CLUSTERS.folder());
        tenant = RealTenant.prepare("cluster-amber", CLUSTERS.management(), CLUSTERS.worker(1));
        tenant.clusterInfo(ExampleObjects.clusterInfo("https://api.example.org:6443", tenant.worker()));
        tenant.storeProfile(ExampleObjects.profile());
        tenant.register();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aRestoredManagementClusterIsCompletedWithoutTouchingSecrets(boolean hubRuns) throws Exception {
        Path backup = CLUSTERS.folder().resolve("backup-" + hubRuns);
        MachineDeploymentObjectNames before = named("before-" + hubRuns);
        MachineDeploymentObjectNames deleted = named("deleted-" + hubRuns);
        MachineDeploymentObjectNames after = named("after-" + hubRuns);
        InstalledHub hub = start();
        try {
            create(before);
            create(deleted);
            Files.createDirectories(backup.getParent());
            CLUSTERS.backUp(tenant.management(), backup);
            create(after);
            tenant.worker().admin().delete(deleted.path());
            Await.until("the deleted one is cleaned up", LIMIT, () -> tenant.osc(deleted.osc())
                    .isEmpty());
            if (!hubRuns) {
                hub.close();
            }
            long mark = tenant.worker().audit().position();

            CLUSTERS.restore(tenant.management(), backup);
            assertThat(tenant.osc(after.osc())).isEmpty();
            assertThat(tenant.osc(deleted.osc())).isPresent();
            if (!hubRuns) {
                hub = start();
            }

            Await.until("the lost one is stored again", LIMIT, () -> tenant.osc(after.osc())
                    .isPresent());
            Await.until("the deleted one is cleaned up again", LIMIT, () -> tenant.osc(deleted.osc())
                    .isEmpty());
            tenant.awaitSynced();
            assertThat(tenant.secret(before.bootstrap())).isPresent();
            assertThat(tenant.secret(after.bootstrap())).isPresent();
            assertThat(secretWrites(mark)).isEmpty();
        } finally {
            hub.close();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aRestoredWorkerClusterGetsWhatWasPublishedSinceTheBackup(boolean hubRuns) throws Exception {
        Path backup = CLUSTERS.folder().resolve("worker-backup-" + hubRuns);
        MachineDeploymentObjectNames kept = named("kept-" + hubRuns);
        MachineDeploymentObjectNames deleted = named("gone-" + hubRuns);
        MachineDeploymentObjectNames lost = named("lost-" + hubRuns);
        String marker = "changed-since-" + hubRuns;
        InstalledHub hub = start();
        try {
            create(kept);
            create(deleted);
            CLUSTERS.backUp(tenant.worker(), backup);
            tenant.awaitSynced();
            create(lost);
            tenant.worker().admin().delete(deleted.path());
            tenant.storeProfile(ExampleObjects.marked(marker));
            Await.until("the deleted one is cleaned up", LIMIT, () -> tenant.osc(deleted.osc())
                    .isEmpty());
            Await.until(
                    "the change is published", LIMIT, () -> provisioning(kept).contains(marker));
            if (!hubRuns) {
                hub.close();
            }

            CLUSTERS.restore(tenant.worker(), backup);
            if (!hubRuns) {
                assertThat(provisioning(kept)).doesNotContain(marker);
                hub = start();
            }

            Await.until("the change is published again", LIMIT, () -> provisioning(kept)
                    .contains(marker));
            Await.until(
                    "the restored one too",
                    LIMIT,
                    () -> provisioning(deleted).contains(marker)
                            && tenant.osc(deleted.osc()).isPresent());
            Await.until("the lost one is cleaned up", LIMIT, () -> tenant.osc(lost.osc())
                    .isEmpty());
            tenant.awaitSynced();
        } finally {
            hub.close();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aNewManagementClusterServesWhatWasExportedFromTheFormer(boolean withIdentity) throws Exception {
        List<MachineDeploymentObjectNames> standing = Stream.of("moved-a-", "moved-b-", "moved-c-")
                .map(name -> named(name + withIdentity))
                .toList();
        String marker = "changed-after-the-move-" + withIdentity;
        Path folder = Files.createDirectories(CLUSTERS.folder().resolve("moved-" + withIdentity));
        try (InstalledHub former = start()) {
            standing.forEach(RestoreE2E::create);
            tenant.awaitSynced();
            export(tenant.management(), folder);
            assertThat(former.terminate()).isZero();
        }
        String formerId = hubId(standing.getFirst().provisioning());
        standing.forEach(RestoreE2E::endSoon);
        Map<String, String> published = tenant.secretVersions();

        try (RealClusters empty = RealClusters.bare(0).start(folder.resolve("clusters"))) {
            RealCluster management = empty.management();
            Path hubKubeconfig = RealTenant.prepareManagement(management, folder);
            apply(management, folder, withIdentity);
            RealTenant moved = new RealTenant(tenant.namespace(), management, tenant.worker());
            int port = FreePort.find();
            try (InstalledHub hub = InstalledHub.run(folder, hubKubeconfig, HubConfigurationText.withApi(port))
                    .awaitReady()) {
                if (!withIdentity) {
                    List<String> command = awaitTakeoverCommand(moved);
                    assertThat(command).containsSequence("--from", formerId);
                    assertThat(tenant.secretVersions()).isEqualTo(published);
                    command.add("--yes");
                    InstalledHub.command(management, port, command.toArray(String[]::new))
                            .requireSuccess("takeover");
                }

                Await.until("all are current", NEW_CLUSTER_LIMIT, () -> isAllCurrent(moved));
                Await.untilAsserted(
                        () -> assertThat(standing).allSatisfy(names -> assertThat(moved.bootstrapTokens(names))
                                .singleElement()
                                .satisfies(token -> assertThat(expiration(token))
                                        .isAfter(Instant.now().plus(EXTENDED)))));
                assertThat(tenant.secretVersions()).isEqualTo(published);

                moved.storeProfile(ExampleObjects.marked(marker));
                Await.until("the change is published", LIMIT, () -> standing.stream()
                        .allMatch(names -> provisioning(names).contains(marker)));
                Await.until("all are current again", LIMIT, () -> isAllCurrent(moved));
                assertThat(hubId(standing.getFirst().provisioning()))
                        .isNotEmpty()
                        .isNotEqualTo(formerId);

                // What the new hub wrote is not the former's, which the other tests use.
                removeAll();
                assertThat(hub.terminate()).isZero();
            }
        }
    }

    /** Runs the commands of the page, which leave their files in the folder. */
    private static void export(RealCluster management, Path folder) throws IOException {
        Matcher commands = EXPORT.matcher(Files.readString(PAGE));
        assertThat(commands.find()).isTrue();
        shell(management, folder, commands.group(1));
    }

    /** Applies what was exported in the order of the page. */
    private static void apply(RealCluster management, Path folder, boolean withIdentity) throws IOException {
        List<JsonNode> exported = new ArrayList<>(items(folder.resolve("backup.json")));
        assertThat(exported).anyMatch(RestoreE2E::isIdentity);
        exported.removeIf(object -> isIdentity(object) && !withIdentity);
        exported.addAll(items(folder.resolve("rolebindings.json")));
        for (String kind :
                List.of("Namespace", "RoleBinding", "Secret", "ConfigMap", "OperatingSystemProfile", "WorkerCluster")) {
            ObjectNode list = ManifestObjects.object("{apiVersion: v1, kind: List}");
            ArrayNode items = list.putArray("items");
            exported.stream()
                    .filter(object -> object.path("kind").asText().equals(kind))
                    .forEach(items::add);
            assertThat(items).as(kind).isNotEmpty();
            items.forEach(object ->
                    object.withObject("/metadata").remove(List.of("uid", "resourceVersion", "ownerReferences")));
            InstalledHub.write(folder.resolve("restored.json"), list.toString());
            shell(management, folder, "kubectl apply -f restored.json");
        }
    }

    private static List<JsonNode> items(Path file) {
        return ManifestObjects.json(ManifestObjects.text(file))
                .path("items")
                .valueStream()
                .toList();
    }

    private static boolean isIdentity(JsonNode object) {
        return ManifestObjects.name(object).equals("osm-hub-identity");
    }

    private static void shell(RealCluster management, Path folder, String commands) {
        String kubectl = CommandResult.of(List.of(KUBECTL.toString())).requireSuccess("kubectl");
        Path admin =
                InstalledHub.write(folder.resolve("admin.kubeconfig"), management.kubeconfig(management.adminToken()));
        CommandResult.of(List.of(
                        "env",
                        "--chdir=" + folder,
                        "KUBECONFIG=" + admin,
                        "PATH=" + Path.of(kubectl).getParent() + ":" + System.getenv("PATH"),
                        "bash",
                        "-euc",
                        commands))
                .requireSuccess(commands);
    }

    /** The command that all problems of the tenant name, without the program. */
    private static List<String> awaitTakeoverCommand(RealTenant moved) {
        Await.until("all are blocked", LIMIT, () -> machineDeployments(moved, "blocked") == machineDeployments());
        List<String> messages = moved.workerCluster()
                .orElseThrow()
                .at("/status/problems")
                .valueStream()
                .map(problem -> problem.path("message").asText())
                .toList();
        assertThat(messages).isNotEmpty().noneMatch(message -> message.contains("expired"));
        assertThat(messages).allMatch(message -> TAKEOVER.matcher(message).find());
        List<String> commands = messages.stream()
                .flatMap(message -> TAKEOVER.matcher(message).results())
                .map(MatchResult::group)
                .distinct()
                .toList();
        assertThat(commands).hasSize(1);
        return new ArrayList<>(List.of(commands.getFirst().split(" ")));
    }

    private static boolean isAllCurrent(RealTenant moved) {
        return moved.state().equals("Synced") && machineDeployments(moved, "current") == machineDeployments();
    }

    private static int machineDeployments(RealTenant moved, String count) {
        return moved.workerCluster()
                .orElseThrow()
                .at("/status/machineDeployments/" + count)
                .asInt(-1);
    }

    private static int machineDeployments() {
        return tenant.worker()
                .admin()
                .list(ApiResource.MACHINE_DEPLOYMENTS.all())
                .size();
    }

    private static String hubId(String secret) {
        return tenant.secret(secret)
                .orElseThrow()
                .at("/metadata/annotations/osmhub.io~1hub-id")
                .asText();
    }

    /** Lets the bootstrap token be about to expire. */
    private static void endSoon(MachineDeploymentObjectNames names) {
        assertThat(tenant.bootstrapTokens(names)).hasSize(1);
        String end = Instant.now().plus(SOON).truncatedTo(ChronoUnit.SECONDS).toString();
        tenant.worker()
                .admin()
                .merge(
                        ApiResource.SECRETS.in(
                                "kube-system",
                                ManifestObjects.name(
                                        tenant.bootstrapTokens(names).getFirst())),
                        "{stringData: {expiration: '" + end + "'}}");
    }

    private static Instant expiration(JsonNode token) {
        return Instant.parse(ManifestObjects.value(token, "expiration"));
    }

    /** Deletes all MachineDeployments, and waits until the hub has cleaned up. */
    private static void removeAll() {
        tenant.worker()
                .admin()
                .list(ApiResource.MACHINE_DEPLOYMENTS.all())
                .forEach(tenant.worker().admin()::delete);
        Await.until("all are cleaned up", LIMIT, () -> machineDeployments() == 0);
    }

    private static String provisioning(MachineDeploymentObjectNames names) {
        return tenant.secret(names.provisioning())
                .map(secret -> ManifestObjects.value(secret, "cloud-config"))
                .orElse("");
    }

    private static InstalledHub start() {
        return InstalledHub.run(CLUSTERS.folder(), kubeconfig, HubConfigurationText.WITHOUT_LEASE)
                .awaitReady();
    }

    private static MachineDeploymentObjectNames named(String name) {
        return new MachineDeploymentObjectNames("kube-system", name);
    }

    private static void create(MachineDeploymentObjectNames names) {
        tenant.worker().admin().create(ExampleObjects.machineDeployment(names.name()));
        Await.until(
                "published",
                LIMIT,
                () -> tenant.secret(names.bootstrap()).isPresent()
                        && tenant.osc(names.osc()).isPresent());
    }

    /** What the hub wrote to the secrets that machines start from. */
    private static List<String> secretWrites(long mark) {
        return tenant.worker().audit().since(mark, RealTenant.HUB_IN_WORKER).stream()
                .filter(entry -> entry.writes()
                        && entry.resource().equals("secrets")
                        && entry.namespace().equals(RealTenant.SETTINGS))
                .map(AuditLog.Entry::toString)
                .toList();
    }
}
