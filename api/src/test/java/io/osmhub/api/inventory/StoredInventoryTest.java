package io.osmhub.api.inventory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.api.access.VisibleTenants;
import io.osmhub.api.paging.ListQuery;
import io.osmhub.api.problem.ApiProblem;
import io.osmhub.api.schema.ApiJson;
import io.osmhub.api.schema.Connection;
import io.osmhub.api.schema.MachineDeploymentEntry;
import io.osmhub.api.schema.MachineDeploymentEntry.PublishedProfile;
import io.osmhub.api.schema.ObjectRef;
import io.osmhub.api.schema.Osp;
import io.osmhub.api.schema.PagedList;
import io.osmhub.api.schema.ProblemEntry;
import io.osmhub.api.schema.SearchResult;
import io.osmhub.api.schema.Summary;
import io.osmhub.core.osc.OperatingSystemConfigStatus;
import io.osmhub.core.osc.OperatingSystemConfigStatus.NewNodes;
import io.osmhub.core.osp.OperatingSystemProfileStatus;
import io.osmhub.core.plan.OwnershipAnnotations;
import io.osmhub.core.plan.StoredConfig;
import io.osmhub.core.problem.Actor;
import io.osmhub.core.problem.ProblemObject.Cluster;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.Severity;
import io.osmhub.core.status.Chain;
import io.osmhub.core.workercluster.WorkerClusterStatus.State;
import io.osmhub.tenancy.catalog.ConfigCache.ListedConfig;
import io.osmhub.tenancy.catalog.StoredProfile;
import io.osmhub.tenancy.management.StoredStatus;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import io.osmhub.workersync.watch.ObjectKey;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class StoredInventoryTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String SINCE = "2026-03-01T09:00:00Z";
    /** A condition keeps its time when only its reason changes. */
    private static final String CONDITION_SINCE = "2026-03-01T08:00:00Z";

    private final FakeReplica replica = new FakeReplica();
    private final StoredInventory inventory = new StoredInventory(replica);

    // Objects as they are stored

    private void tenant(
            String namespace, String state, String version, Map<String, String> labels, String... problems) {
        ObjectNode object = JSON.createObjectNode();
        ObjectNode metadata = object.putObject("metadata")
                .put("namespace", namespace)
                .put("name", "wc-" + namespace)
                .put("uid", "uid-" + namespace)
                .put("creationTimestamp", SINCE);
        ObjectNode labelled = metadata.putObject("labels");
        labels.forEach(labelled::put);
        object.putObject("spec").putObject("kubeconfigSecretRef").put("name", "kubeconfig");
        ObjectNode status = object.putObject("status").put("state", state).put("kubernetesVersion", version);
        ArrayNode list = status.putArray("problems");
        for (String problem : problems) {
            String[] parts = problem.split(" ");
            list.addObject()
                    .put("reason", parts[0])
                    .put(
                            "severity",
                            ApiJson.word(Reason.of(parts[0]).orElseThrow().severity()))
                    .put("kind", parts[1])
                    .put("namespace", parts[1].equals("WorkerCluster") ? namespace : "kube-system")
                    .put("name", parts[2])
                    .put("message", namespace + ": " + parts[1] + " " + parts[2] + ": it is wrong; mend it")
                    .put("since", SINCE)
                    .set(
                            "details",
                            details(parts[0], namespace + ": " + parts[1] + " " + parts[2] + ": it is wrong; mend it"));
        }
        inventory.onWorkerClusterChanged(new ObjectKey(namespace, "wc-" + namespace), WorkerClusterRecord.of(object));
    }

    private static JsonNode details(String reason, String message) {
        return TextProblem.stored(TextProblem.parse(Reason.of(reason).orElseThrow(), message, ""));
    }

    private static OperatingSystemConfigStatus status(
            String machineDeployment, NewNodes newNodes, String profile, @Nullable Reason reason) {
        ObjectNode status = JSON.createObjectNode().put("newNodes", ApiJson.word(newNodes));
        ObjectNode source = status.putObject("source").put("time", SINCE);
        source.putObject("machineDeployment")
                .put("namespace", "kube-system")
                .put("name", machineDeployment)
                .put("uid", "u")
                .put("revision", "7");
        source.putObject("profile")
                .put("namespace", "osm-profiles")
                .put("name", profile)
                .put("version", "v1.0.0");
        status.putArray("secrets")
                .addObject()
                .put("role", "Bootstrap")
                .put("namespace", "cloud-init-settings")
                .put("name", machineDeployment + "-kube-system-bootstrap-config")
                .put("state", "Current")
                .put("revision", "6")
                .put("bytes", 6708);
        if (reason != null) {
            String link = Chain.condition(Objects.requireNonNull(reason.brokenLink()));
            for (String type : List.of("Rendered", Objects.requireNonNull(link))) {
                status.withArray("conditions")
                        .addObject()
                        .put("type", type)
                        .put("status", "False")
                        .put("reason", reason.wireName())
                        .put("message", "t: MachineDeployment kube-system/" + machineDeployment + ": wrong; mend it")
                        .put("lastTransitionTime", CONDITION_SINCE);
            }
        }
        try {
            return JSON.treeToValue(status, OperatingSystemConfigStatus.class);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private void config(
            String namespace, String machineDeployment, NewNodes newNodes, String profile, @Nullable Reason reason) {
        String name = machineDeployment + "-kube-system-config";
        StoredConfig stored = new StoredConfig(
                namespace,
                name,
                "uid-" + name,
                "1",
                1,
                new TreeMap<>(Map.of(OwnershipAnnotations.OWNER, "kube-system/" + machineDeployment)),
                "hash",
                status(machineDeployment, newNodes, profile, reason),
                null);
        inventory.onConfigChanged(
                new ObjectKey(namespace, name),
                new ListedConfig(stored, StoredStatus.Place.FIELD, Map.of(), Instant.parse(SINCE), "ubuntu", "aws"));
    }

    private void profile(String namespace, String name, boolean valid) throws IOException {
        ObjectNode status = JSON.createObjectNode();
        status.putArray("conditions")
                .addObject()
                .put("type", "Valid")
                .put("status", valid ? "True" : "False")
                .put("reason", valid ? "TemplatesVerified" : "TemplateSyntaxError")
                .put("message", namespace + ": OperatingSystemProfile " + name + ": no such function; mend it")
                .put("lastTransitionTime", SINCE);
        if (!valid) {
            status.putArray("problems")
                    .add(details(
                            "TemplateSyntaxError",
                            namespace + ": OperatingSystemProfile " + name + ": no such function; mend it"));
        }
        inventory.onProfileChanged(
                new ObjectKey(namespace, name),
                new StoredProfile(
                        namespace,
                        name,
                        "uid",
                        "1",
                        1,
                        "",
                        "v1.0.0",
                        null,
                        List.of(),
                        false,
                        new TreeMap<>(),
                        JSON.treeToValue(status, OperatingSystemProfileStatus.class),
                        StoredStatus.Place.FIELD,
                        Map.of(),
                        Instant.parse(SINCE)));
    }

    private static Visibility only(String... namespaces) {
        Set<String> some = Set.of(namespaces);
        VisibleTenants visible = new VisibleTenants.SelectedTenants(some, some);
        return new Visibility(visible, visible, visible);
    }

    private void fleet() throws IOException {
        tenant("a", "Synced", "v1.34.4", Map.of("env", "prod"));
        tenant("b", "Degraded", "v1.33.1", Map.of("env", "stage"), "UserDataTooLarge MachineDeployment big");
        tenant("c", "Unauthorized", "v1.34.1", Map.of(), "CredentialsRejected WorkerCluster wc-c");
        tenant("d", "Unauthorized", "v1.3.1", Map.of(), "CredentialsRejected WorkerCluster wc-d");
        config("a", "workers", NewNodes.CURRENT, "osp-ubuntu", null);
        config("b", "workers", NewNodes.CURRENT, "osp-ubuntu", null);
        config("b", "big", NewNodes.BLOCKED, "osp-hardened", Reason.UserDataTooLarge);
        config("c", "workers", NewNodes.AT_RISK, "osp-ubuntu", null);
        profile("osm-profiles", "osp-ubuntu", true);
        profile("osm-profiles", "osp-hardened", true);
        profile("a", "own", false);
    }

    /** Open problems of a tenant, worst first. */
    private List<ProblemEntry> problemsOf(String tenant) throws ApiProblem {
        return inventory
                .problems(ListQuery.ALL.with("namespace", tenant), Visibility.EVERYTHING)
                .items();
    }

    private Optional<MachineDeploymentEntry> machineDeployment(
            String tenant, String namespace, String name, Visibility sight) throws ApiProblem {
        return inventory.machineDeployments(ListQuery.ALL, sight).items().stream()
                .filter(row -> tenant.equals(row.identity().tenant()))
                .filter(row -> namespace.equals(row.identity().namespace())
                        && name.equals(row.identity().name()))
                .findFirst();
    }

    private List<String> clusters(ListQuery query) throws ApiProblem {
        return inventory.workerClusters(query, Visibility.EVERYTHING).items().stream()
                .map(cluster -> cluster.metadata().namespace())
                .toList();
    }

    // Lists

    @Test
    void worstStatesComeFirst() throws Exception {
        fleet();

        assertThat(clusters(ListQuery.ALL)).containsExactly("c", "d", "b", "a");
        assertThat(clusters(ListQuery.ALL.with("sort", "state,-namespace"))).containsExactly("a", "b", "d", "c");
        assertThat(clusters(ListQuery.ALL.with("sort", "-kubernetesVersion"))).containsExactly("a", "c", "b", "d");
        assertThat(clusters(ListQuery.ALL.with("sort", "-machineDeployments,name")))
                .containsExactly("b", "a", "c", "d");
    }

    @Test
    void everyFilterOfWorkerClustersKeepsWhatItNames() throws Exception {
        fleet();
        ListQuery all = ListQuery.ALL;

        assertThat(clusters(all.withAll("state", List.of("Degraded", "Synced"))))
                .containsExactly("b", "a");
        assertThat(clusters(all.with("newNodes", "Blocked"))).containsExactly("b");
        assertThat(clusters(all.with("reason", "CredentialsRejected"))).containsExactly("c", "d");
        assertThat(clusters(all.with("kubernetesVersion", "1.34"))).containsExactly("c", "a");
        assertThat(clusters(all.with("kubernetesVersion", "1.3"))).containsExactly("d");
        assertThat(clusters(all.with("profile", "osp-hardened"))).containsExactly("b");
        assertThat(clusters(all.with("profile", "osm-profiles/osp-ubuntu"))).containsExactly("c", "b", "a");
        assertThat(clusters(all.with("labelSelector", "env in (prod,stage)"))).containsExactly("b", "a");
        assertThat(clusters(all.with("search", "STAGE"))).containsExactly("b");
        assertThat(clusters(all.with("search", "userdatatoolarge"))).containsExactly("b");
        assertThat(clusters(all.with("namespace", "c"))).containsExactly("c");
    }

    @Test
    void aProblemHasOneStartTimeInAllLists() throws Exception {
        fleet();

        MachineDeploymentEntry row = machineDeployment("b", "kube-system", "big", Visibility.EVERYTHING)
                .orElseThrow();
        ProblemEntry problem = inventory
                .problems(ListQuery.ALL.with("namespace", "b"), Visibility.EVERYTHING)
                .items()
                .getFirst();

        assertThat(row.effect().since())
                .isEqualTo(Instant.parse(SINCE))
                .isEqualTo(problem.course().since());
    }

    @Test
    void aProblemThatIsNotListedBeganWithItsCondition() throws Exception {
        tenant("a", "Degraded", "v1.34.1", Map.of());
        config("a", "big", NewNodes.BLOCKED, "osp-hardened", Reason.UserDataTooLarge);

        MachineDeploymentEntry row = machineDeployment("a", "kube-system", "big", Visibility.EVERYTHING)
                .orElseThrow();

        assertThat(row.effect().since()).isEqualTo(Instant.parse(CONDITION_SINCE));
    }

    @Test
    void aMachineDeploymentTellsWhatItsConfigurationSays() throws Exception {
        fleet();

        MachineDeploymentEntry big = machineDeployment("b", "kube-system", "big", Visibility.EVERYTHING)
                .orElseThrow();

        assertThat(big.effect().newNodes()).isEqualTo(NewNodes.BLOCKED);
        assertThat(big.effect().reason()).isEqualTo(Reason.UserDataTooLarge);
        assertThat(big.rollout().revision()).isEqualTo("7");
        assertThat(big.rollout().publishedRevision()).isEqualTo("6");
        assertThat(big.published().profile()).isEqualTo("osm-profiles/osp-hardened");
        assertThat(big.identity().workerCluster()).isEqualTo("wc-b");
        assertThat(big.unansweredBy()).isEqualTo("osm-hub-0");
    }

    @Test
    void aMachineDeploymentWithoutConfigurationIsListedFromTheTenantsProblems() throws Exception {
        tenant("a", "Degraded", "v1.34.1", Map.of(), "ProfileNotFound MachineDeployment lost");

        PagedList<MachineDeploymentEntry> list = inventory.machineDeployments(ListQuery.ALL, Visibility.EVERYTHING);

        assertThat(list.items()).singleElement().satisfies(lost -> {
            assertThat(lost.identity().name()).isEqualTo("lost");
            assertThat(lost.effect().newNodes()).isEqualTo(NewNodes.BLOCKED);
            assertThat(lost.effect().reason()).isEqualTo(Reason.ProfileNotFound);
        });
        config("a", "lost", NewNodes.CURRENT, "osp-ubuntu", null);
        assertThat(inventory
                        .machineDeployments(ListQuery.ALL, Visibility.EVERYTHING)
                        .items())
                .singleElement()
                .extracting(row -> row.effect().newNodes())
                .isEqualTo(NewNodes.CURRENT);
    }

    @Test
    void aProfileCountsOnlyTheUsersThatTheCallerSees() throws Exception {
        fleet();

        Osp all = inventory
                .profile("osm-profiles", "osp-ubuntu", Visibility.EVERYTHING)
                .orElseThrow();
        Osp some = inventory
                .profile("osm-profiles", "osp-ubuntu", only("osm-profiles", "a"))
                .orElseThrow();

        assertThat(all.usedBy().machineDeployments()).isEqualTo(3);
        assertThat(all.usedBy().workerClusters()).isEqualTo(3);
        assertThat(some.usedBy().machineDeployments()).isEqualTo(1);
        assertThat(all.shared()).isTrue();
    }

    @Test
    void aTenantCanUseItsOwnAndTheSharedProfiles() throws Exception {
        fleet();
        profile("b", "of-b", true);
        profile("offering", "offered", true);

        List<String> usable =
                inventory.profiles(ListQuery.ALL.with("usedIn", "a"), Visibility.EVERYTHING).items().stream()
                        .map(osp -> osp.metadata().name())
                        .toList();

        assertThat(usable).containsExactly("own", "osp-hardened", "osp-ubuntu");
    }

    @Test
    void whoSeesOneTenantSeesNothingOfTheOthers() throws Exception {
        fleet();
        Visibility sight = only("b");

        assertThat(inventory.workerClusters(ListQuery.ALL, sight).total()).isEqualTo(1);
        assertThat(inventory.machineDeployments(ListQuery.ALL, sight).items())
                .allMatch(item -> item.identity().tenant().equals("b"))
                .hasSize(2);
        assertThat(inventory.configurations(ListQuery.ALL, sight).total()).isEqualTo(2);
        assertThat(inventory.profiles(ListQuery.ALL, sight).items()).isEmpty();
        assertThat(inventory.problems(ListQuery.ALL, sight).items())
                .extracting(one -> one.subject().tenant())
                .containsOnly("b");
        assertThat(inventory.summary(sight).workerClusters()).containsOnlyKeys(State.DEGRADED);
        assertThat(inventory.search("workers", 10, sight).items()).allMatch(match -> "b".equals(match.tenant()));
        assertThat(inventory.workerCluster("a", "wc-a", sight)).isEmpty();
        assertThat(machineDeployment("a", "kube-system", "workers", sight)).isEmpty();
        assertThat(inventory.configuration("a", "workers-kube-system-config", sight))
                .isEmpty();
    }

    // Problems

    @Test
    void aProblemIsListedOnceWithItsCureAndWhatItAffects() throws Exception {
        fleet();

        List<ProblemEntry> problems =
                inventory.problems(ListQuery.ALL, Visibility.EVERYTHING).items();

        assertThat(problems)
                .extracting(one -> one.classification().reason())
                .containsExactlyInAnyOrder(
                        Reason.UserDataTooLarge,
                        Reason.CredentialsRejected,
                        Reason.CredentialsRejected,
                        Reason.TemplateSyntaxError);
        ProblemEntry large = problems.stream()
                .filter(problem -> problem.classification().reason() == Reason.UserDataTooLarge)
                .findFirst()
                .orElseThrow();
        assertThat(large.fix().cure()).isEqualTo("mend it");
        assertThat(large.course().affected()).isEqualTo(1);
        assertThat(large.fix().help()).isEqualTo("/docs/reference/reasons#userdatatoolarge");
        assertThat(large.classification().severity()).isEqualTo(Severity.ERROR);
        ProblemEntry rejected = problemsOf("c").getFirst();
        assertThat(rejected.course().affected()).isEqualTo(1);
    }

    @Test
    void problemsAreFilteredByWhoMayChangeTheirObject() throws Exception {
        ObjectNode object = JSON.createObjectNode();
        object.putObject("metadata").put("namespace", "t").put("name", "wc-t").put("uid", "uid-t");
        ObjectNode problem = object.putObject("status")
                .put("state", "Degraded")
                .putArray("problems")
                .addObject()
                .put("reason", "TemplateSyntaxError")
                .put("severity", "Error")
                .put("kind", "MachineDeployment")
                .put("namespace", "kube-system")
                .put("name", "md-t")
                .put("message", "t: it is wrong")
                .put("since", SINCE);
        problem.putObject("details")
                .put("reason", "TemplateSyntaxError")
                .put("kind", "OperatingSystemProfile")
                .put("namespace", "osm-profiles")
                .put("name", "osp")
                .put("cause", "it is wrong")
                .put("actor", "operator");
        inventory.onWorkerClusterChanged(new ObjectKey("t", "wc-t"), WorkerClusterRecord.of(object));

        assertThat(inventory
                        .problems(ListQuery.ALL.with("actor", "operator"), Visibility.EVERYTHING)
                        .items())
                .singleElement()
                .satisfies(entry -> assertThat(entry.classification().actor()).isEqualTo(Actor.OPERATOR));
        assertThat(inventory
                        .problems(ListQuery.ALL.with("actor", "tenant"), Visibility.EVERYTHING)
                        .items())
                .isEmpty();
    }

    @Test
    void aProblemOfTheHubItselfIsShownToWhoSeesEverythingUntilItIsOver() throws Exception {
        String message = "hub: CustomResourceDefinition x: managed by helm and without a status; take it over";
        replica.concern(new LocalReplica.HubCondition("x", TextProblem.parse(Reason.CRDForeignManaged, message, "")));
        ListQuery foreign = ListQuery.ALL.with("reason", "CRDForeignManaged");

        ProblemEntry seen =
                inventory.problems(foreign, Visibility.EVERYTHING).items().getFirst();
        replica.advance(Duration.ofMinutes(5));
        ProblemEntry later =
                inventory.problems(foreign, Visibility.EVERYTHING).items().getFirst();

        assertThat(seen.subject().tenant()).isNull();
        assertThat(seen.text().message()).isEqualTo(message + ": hub install crds --take-over");
        assertThat(seen.fix().cure()).isEqualTo("take it over");
        assertThat(seen.fix().command()).isEqualTo("hub install crds --take-over");
        assertThat(later.id()).isEqualTo(seen.id());
        assertThat(later.course().since()).isEqualTo(seen.course().since());
        assertThat(inventory.problems(foreign, only("a")).items()).isEmpty();
        assertThat(inventory.summary(Visibility.EVERYTHING).causes())
                .filteredOn(cause -> cause.reason() == Reason.CRDForeignManaged)
                .singleElement()
                .satisfies(cause -> {
                    assertThat(cause.workerClusters()).isZero();
                    assertThat(cause.first()).isNull();
                });

        replica.concern();

        assertThat(inventory.problems(foreign, Visibility.EVERYTHING).items()).isEmpty();
        ListQuery over = ListQuery.ALL.with("state", "Resolved").with("reason", "CRDForeignManaged");
        assertThat(inventory.problems(over, Visibility.EVERYTHING).items()).hasSize(1);
    }

    @Test
    void aProblemOfAnotherReplicaIsAsOldAsThatOneSays() throws Exception {
        Instant since = replica.now().minusSeconds(900);
        replica.concern(new LocalReplica.HubCondition(
                "osm-hub-member-osm-hub-1", TextProblem.parse(Reason.LeaseLost, "hub: Lease x: lost", ""), since));

        ListQuery lost = ListQuery.ALL.with("reason", "LeaseLost");
        assertThat(inventory.problems(lost, Visibility.EVERYTHING).items())
                .singleElement()
                .satisfies(problem -> {
                    assertThat(problem.course().since()).isEqualTo(since);
                    assertThat(problem.subject().object()).extracting("name").isEqualTo("osm-hub-member-osm-hub-1");
                });
    }

    @Test
    void aProblemKeepsItsIdWhileItIsOpenAndIsRememberedForSevenDays() throws Exception {
        fleet();
        String id = problemsOf("b").getFirst().id();
        tenant("b", "Degraded", "v1.33.2", Map.of("other", "label"), "UserDataTooLarge MachineDeployment big");
        assertThat(problemsOf("b")).extracting(ProblemEntry::id).containsExactly(id);

        tenant("b", "Synced", "v1.33.2", Map.of());
        config("b", "big", NewNodes.CURRENT, "osp-hardened", null);

        ListQuery resolved = ListQuery.ALL.with("state", "Resolved");
        assertThat(problemsOf("b")).isEmpty();
        assertThat(inventory.problems(resolved, Visibility.EVERYTHING).items())
                .singleElement()
                .satisfies(problem -> {
                    assertThat(problem.id()).isEqualTo(id);
                    assertThat(problem.course().resolvedAt()).isEqualTo(replica.now());
                });
        assertThat(inventory.problems(resolved, only("a")).items()).isEmpty();
        replica.advance(Duration.ofDays(8));
        assertThat(inventory.problems(resolved, Visibility.EVERYTHING).items()).isEmpty();
    }

    @Test
    void theSummaryCountsAndNamesTheWorstCauseFirst() throws Exception {
        fleet();

        Summary summary = inventory.summary(Visibility.EVERYTHING);

        assertThat(summary.workerClusters())
                .containsEntry(State.UNAUTHORIZED, 2)
                .containsEntry(State.SYNCED, 1)
                .containsEntry(State.DEGRADED, 1);
        assertThat(summary.machineDeployments())
                .containsEntry(NewNodes.CURRENT, 2)
                .containsEntry(NewNodes.BLOCKED, 1);
        assertThat(summary.causes().getFirst().reason()).isEqualTo(Reason.UserDataTooLarge);
        assertThat(summary.causes().getFirst().blocked()).isEqualTo(1);
    }

    // Causes

    private static final String BROKEN =
            ", spec.bootstrapConfig.files[2] (/etc/x) line 1:4: function \"toYamll\" not defined; "
                    + "did you mean \"toYaml\"?";

    /** A tenant whose MachineDeployments are blocked, each as "reason name message". */
    private void blocked(String namespace, String endpoint, String... problems) {
        ObjectNode object = JSON.createObjectNode();
        object.putObject("metadata")
                .put("namespace", namespace)
                .put("name", "wc-" + namespace)
                .put("uid", "uid-" + namespace)
                .put("creationTimestamp", SINCE);
        object.putObject("spec").putObject("kubeconfigSecretRef").put("name", "kubeconfig");
        ObjectNode status = object.putObject("status").put("state", "Degraded").put("endpoint", endpoint);
        ArrayNode list = status.putArray("problems");
        for (String problem : problems) {
            String[] parts = problem.split(" ", 3);
            boolean ofTenant = parts[1].startsWith("wc-");
            list.addObject()
                    .put("reason", parts[0])
                    .put("severity", "Error")
                    .put("kind", ofTenant ? "WorkerCluster" : "MachineDeployment")
                    .put("namespace", ofTenant ? namespace : "kube-system")
                    .put("name", parts[1])
                    .put("message", namespace + ": " + parts[2])
                    .put("since", SINCE)
                    .set("details", details(parts[0], namespace + ": " + parts[2]));
        }
        inventory.onWorkerClusterChanged(new ObjectKey(namespace, "wc-" + namespace), WorkerClusterRecord.of(object));
    }

    private List<Summary.Cause> causes() {
        return inventory.summary(Visibility.EVERYTHING).causes();
    }

    @Test
    void oneBrokenProfileIsOneCauseWithEverythingThatItBlocks() throws Exception {
        String message = "OperatingSystemProfile osm-profiles/osp-typo" + BROKEN;
        profile("osm-profiles", "osp-typo", false);
        blocked("a", "", "TemplateSyntaxError one " + message, "TemplateSyntaxError two " + message);
        blocked("b", "", "TemplateExecutionFailed three " + message);

        assertThat(causes()).singleElement().satisfies(cause -> {
            assertThat(cause.blocked()).isEqualTo(3);
            assertThat(cause.workerClusters()).isEqualTo(2);
            assertThat(Objects.requireNonNull(cause.object()).kind()).isEqualTo("OperatingSystemProfile");
            assertThat(cause.object().name()).isEqualTo("osp-typo");
            assertThat(cause.headline()).isEqualTo("Function \"toYamll\" not defined");
            assertThat(cause.cure()).isEqualTo("did you mean \"toYaml\"?");
            assertThat(cause.command()).isEqualTo("kubectl -n osm-profiles edit operatingsystemprofile osp-typo");
        });
        Osp profile = inventory
                .profile("osm-profiles", "osp-typo", Visibility.EVERYTHING)
                .orElseThrow();
        assertThat(profile.usedBy().machineDeployments()).isEqualTo(3);
        assertThat(inventory
                        .problems(
                                ListQuery.ALL.with("cause", causes().getFirst().id()), Visibility.EVERYTHING)
                        .items())
                .hasSize(4)
                .filteredOn(problem -> Objects.requireNonNull(problem.subject().object())
                        .kind()
                        .equals("OperatingSystemProfile"))
                .extracting(one -> one.course().affected())
                .containsExactly(3);
        assertThat(inventory.summary(only("osm-profiles", "b")).causes())
                .extracting(Summary.Cause::blocked)
                .containsExactly(1);
    }

    @Test
    void whatIsBrokenApartIsTwoCausesEvenWithOneMessage() {
        blocked(
                "a",
                "",
                "TemplateSyntaxError one OperatingSystemProfile a/osp" + BROKEN,
                "ProfileNotFound two MachineDeployment kube-system/two, annotation x: no OperatingSystemProfile p in a",
                "ProviderSpecMissing three MachineDeployment kube-system/three, spec: missing; set it",
                "ProviderSpecMissing four MachineDeployment kube-system/four, spec: missing; set it");
        blocked(
                "b",
                "",
                "TemplateSyntaxError one OperatingSystemProfile b/osp" + BROKEN,
                "ProfileNotFound two MachineDeployment kube-system/two, annotation x: no OperatingSystemProfile q in b",
                "CredentialsRejected wc-b WorkerCluster wc-b: no");
        blocked("c", "", "CredentialsRejected wc-c WorkerCluster wc-c: no");

        assertThat(causes()).hasSize(8).extracting(Summary.Cause::id).doesNotHaveDuplicates();
        assertThat(causes()).allSatisfy(cause -> assertThat(cause.cure()).isNotBlank());
    }

    @Test
    void theProfilesOwnVersionIsBesideTheComposedOne() {
        assertThat(new PublishedProfile("osm-profiles/osp", "v1.2.0+ext.9f2e1a3c", null, null).baseVersion())
                .isEqualTo("v1.2.0");
        assertThat(new PublishedProfile(null, null, null, null).baseVersion()).isNull();
    }

    @Test
    void anExtensionIsACauseOfItsOwnBesideItsProfile() throws Exception {
        String annotation = " MachineDeployment kube-system/%s, annotation osmhub.io/profile-extensions: %s; fix it";
        String taken = " OperatingSystemProfileExtension osm-profiles/taken, spec.provisioning.files[0]: /x is written"
                + " by OperatingSystemProfile osm-profiles/osp; use Replace";
        profile("osm-profiles", "osp", false);
        blocked("a", "", "ExtensionConflict one" + taken, "ExtensionConflict two" + taken);
        blocked(
                "b",
                "",
                "ExtensionConflict three" + taken,
                "ExtensionEnforced four" + annotation.formatted("four", "-ca has no effect"),
                "ExtensionNotFound five" + annotation.formatted("five", "no extension gpu can be used"),
                "ExtensionsUnreadable six MachineDeployment kube-system/six: they cannot be read; grant it",
                "ExtensionsUnreadable seven MachineDeployment kube-system/seven: they cannot be read; grant it");

        assertThat(causes())
                .filteredOn(cause -> cause.reason() == Reason.ExtensionConflict)
                .singleElement()
                .satisfies(cause -> {
                    assertThat(cause.object())
                            .isEqualTo(new ObjectRef(
                                    Cluster.MANAGEMENT, "OperatingSystemProfileExtension", "osm-profiles", "taken"));
                    assertThat(cause.blocked()).isEqualTo(3);
                });
        assertThat(causes())
                .extracting(Summary.Cause::reason)
                .filteredOn(reason -> reason.wireName().startsWith("Extension"))
                .containsExactlyInAnyOrder(
                        Reason.ExtensionConflict,
                        Reason.ExtensionEnforced,
                        Reason.ExtensionNotFound,
                        Reason.ExtensionsUnreadable);
        assertThat(problemsOf("a"))
                .extracting(problem ->
                        Objects.requireNonNull(problem.place().faultyObject()).name())
                .containsOnly("taken");
        assertThat(problemsOf("b"))
                .filteredOn(problem -> problem.classification().reason() == Reason.ExtensionEnforced)
                .allSatisfy(
                        problem -> assertThat(problem.place().faultyObject()).isNull());
    }

    @Test
    void tenantsOfOneApiServerShareItsCause() {
        String message = "WorkerCluster %s: no connection to https://api:6443 (refused) since T; check it";
        blocked("a", "https://api:6443", "WorkerClusterUnreachable wc-a " + message.formatted("wc-a"));
        blocked("b", "https://api:6443", "WorkerClusterNotResponding wc-b " + message.formatted("wc-b"));
        blocked("c", "https://other:6443", "WorkerClusterUnreachable wc-c " + message.formatted("wc-c"));
        config("a", "workers", NewNodes.AT_RISK, "osp-ubuntu", null);
        config("b", "workers", NewNodes.AT_RISK, "osp-ubuntu", null);

        assertThat(causes())
                .extracting(Summary.Cause::workerClusters, Summary.Cause::atRisk, Summary.Cause::headline)
                .containsExactly(
                        tuple(2, 2, "No connection to https://api:6443 (refused) since T"),
                        tuple(1, 0, "No connection to https://api:6443 (refused) since T"));
    }

    @Test
    void aMachineDeploymentIsCountedOnceAtItsFirstBrokenLink() throws Exception {
        blocked(
                "a",
                "",
                "TemplateSyntaxError one OperatingSystemProfile a/osp" + BROKEN,
                "WriteForbidden one Secret cloud-init-settings/one-kube-system-bootstrap-config: no; apply it",
                "CredentialsRejected wc-a WorkerCluster wc-a: no; store it",
                "MachineDeploymentsFailing wc-a WorkerCluster wc-a: 1 of 2 have a problem; see them");
        config("a", "two", NewNodes.BLOCKED, "osp-ubuntu", null);

        assertThat(causes())
                .extracting(Summary.Cause::reason, Summary.Cause::blocked)
                .containsExactly(
                        tuple(Reason.CredentialsRejected, 1),
                        tuple(Reason.TemplateSyntaxError, 1),
                        tuple(Reason.WriteForbidden, 0));
        assertThat(causes().stream().mapToInt(Summary.Cause::blocked).sum())
                .isEqualTo(inventory
                        .summary(Visibility.EVERYTHING)
                        .machineDeployments()
                        .get(NewNodes.BLOCKED));
    }

    private int users(String profile) {
        return inventory
                .profile("osm-profiles", profile, Visibility.EVERYTHING)
                .orElseThrow()
                .usedBy()
                .machineDeployments();
    }

    @Test
    void aProfileIsUsedByWhatNamesItNow() throws Exception {
        profile("osm-profiles", "osp-old", true);
        profile("osm-profiles", "osp-new", false);
        config("a", "moved", NewNodes.OUTDATED, "osp-old", null);
        blocked("a", "", "TemplateSyntaxError moved OperatingSystemProfile osm-profiles/osp-new" + BROKEN);

        assertThat(users("osp-old")).isZero();
        assertThat(users("osp-new")).isEqualTo(1);
        assertThat(causes()).extracting(Summary.Cause::outdated).containsExactly(1);
    }

    @Test
    void aProfileIsUsedByWhatAnotherCauseBlocks() throws Exception {
        profile("osm-profiles", "osp-ubuntu", true);
        ObjectNode object = JSON.createObjectNode();
        object.putObject("metadata").put("namespace", "a").put("name", "wc-a").put("uid", "uid-a");
        object.putObject("status")
                .put("state", "Degraded")
                .putArray("problems")
                .addObject()
                .put("reason", "ProviderSpecInvalid")
                .put("severity", "Error")
                .put("kind", "MachineDeployment")
                .put("namespace", "kube-system")
                .put("name", "never-published")
                .put("profile", "osm-profiles/osp-ubuntu")
                .put("message", "a: MachineDeployment kube-system/never-published: wrong; correct it")
                .put("since", SINCE);
        inventory.onWorkerClusterChanged(new ObjectKey("a", "wc-a"), WorkerClusterRecord.of(object));

        assertThat(users("osp-ubuntu")).isEqualTo(1);
        ListQuery users = ListQuery.ALL.with("profile", "osm-profiles/osp-ubuntu");
        assertThat(inventory.machineDeployments(users, Visibility.EVERYTHING).items())
                .extracting(row -> row.identity().name())
                .containsExactly("never-published");
        assertThat(clusters(users)).containsExactly("a");
    }

    @Test
    void anOutageIsOneProblemUntilTheApiServerResponds() throws Exception {
        String message = "WorkerCluster wc-a: %s; check it";
        blocked("a", "https://api:6443", "WorkerClusterNotResponding wc-a " + message.formatted("silent"));
        String id = problemsOf("a").getFirst().id();
        ListQuery resolved = ListQuery.ALL.with("state", "Resolved");

        blocked("a", "https://api:6443", "WorkerClusterUnreachable wc-a " + message.formatted("refused"));

        assertThat(problemsOf("a"))
                .extracting(ProblemEntry::id, one -> one.classification().reason())
                .containsExactly(tuple(id, Reason.WorkerClusterUnreachable));
        assertThat(inventory.problems(resolved, Visibility.EVERYTHING).items()).isEmpty();

        tenant("a", "Synced", "v1.34.4", Map.of());
        assertThat(inventory.problems(resolved, Visibility.EVERYTHING).items())
                .extracting(one -> one.classification().reason())
                .containsExactly(Reason.WorkerClusterUnreachable);
    }

    @Test
    void aPauseIsACauseAndAProblemThatIsCounted() throws Exception {
        ObjectNode object = JSON.createObjectNode();
        object.putObject("metadata").put("namespace", "a").put("name", "wc-a").put("uid", "uid-a");
        object.putObject("status")
                .put("state", "Paused")
                .putArray("conditions")
                .addObject()
                .put("type", "Synced")
                .put("status", "False")
                .put("reason", "Paused")
                .put("message", "a: WorkerCluster wc-a, spec.paused: the hub writes nothing; resume it")
                .put("lastTransitionTime", SINCE);
        inventory.onWorkerClusterChanged(new ObjectKey("a", "wc-a"), WorkerClusterRecord.of(object));
        config("a", "workers", NewNodes.AT_RISK, "osp-ubuntu", null);

        assertThat(causes())
                .extracting(Summary.Cause::reason, Summary.Cause::severity, Summary.Cause::atRisk)
                .containsExactly(tuple(Reason.Paused, Severity.INFO, 1));
        PagedList<ProblemEntry> problems = inventory.problems(ListQuery.ALL, Visibility.EVERYTHING);
        assertThat(problems.total()).isEqualTo(1);
        assertThat(problems.items())
                .extracting(one -> one.classification().reason())
                .containsExactly(Reason.Paused);
    }

    @Test
    void listsByProfileIncludeWhatOnlyWaitsForIt() throws Exception {
        profile("osm-profiles", "osp-new", false);
        blocked("a", "", "TemplateSyntaxError new OperatingSystemProfile osm-profiles/osp-new" + BROKEN);
        blocked("b", "", "ProviderSpecMissing other MachineDeployment kube-system/other: no provider config");

        for (String name : List.of("osp-new", "osm-profiles/osp-new")) {
            ListQuery ofProfile = ListQuery.ALL.with("profile", name);
            assertThat(clusters(ofProfile)).containsExactly("a");
            assertThat(inventory
                            .machineDeployments(ofProfile, Visibility.EVERYTHING)
                            .items())
                    .extracting(row -> row.identity().name())
                    .containsExactly("new");
        }
        assertThat(clusters(ListQuery.ALL.with("profile", "new"))).isEmpty();
    }

    // Finding

    @Test
    void aMachineIsFoundByItsMachineDeploymentAndASecretByItsName() throws Exception {
        fleet();

        assertThat(inventory
                        .search("big-6d9c8f7b5-4xk2l", 10, Visibility.EVERYTHING)
                        .items())
                .first()
                .satisfies(match -> assertThat(match.object().name()).isEqualTo("big"));
        assertThat(inventory
                        .search("big-kube-system-bootstrap-config", 10, Visibility.EVERYTHING)
                        .items())
                .first()
                .satisfies(match -> assertThat(match.object().kind()).isEqualTo("Secret"));
        assertThat(inventory.search("WORKERS", 10, Visibility.EVERYTHING).items())
                .hasSize(3);
        List<SearchResult.Match> all =
                inventory.search("wc-", 10, Visibility.EVERYTHING).items();
        for (int limit = 1; limit <= all.size(); limit++) {
            assertThat(inventory.search("wc-", limit, Visibility.EVERYTHING).items())
                    .isEqualTo(all.subList(0, limit));
        }
        assertThat(inventory.search("wc-", 2, Visibility.EVERYTHING).items()).hasSize(2);
    }

    @Test
    void aMatchSaysHowTheObjectIs() throws Exception {
        fleet();

        assertThat(inventory.search("big", 10, Visibility.EVERYTHING).items())
                .first()
                .satisfies(match -> {
                    assertThat(match.newNodes()).isEqualTo(NewNodes.BLOCKED);
                    assertThat(match.reason()).isEqualTo(Reason.UserDataTooLarge);
                });
        assertThat(inventory
                        .search("big-kube-system-bootstrap-config", 10, Visibility.EVERYTHING)
                        .items())
                .first()
                .satisfies(match -> assertThat(match.newNodes()).isEqualTo(NewNodes.BLOCKED));
        assertThat(inventory.search("wc-c", 10, Visibility.EVERYTHING).items())
                .first()
                .satisfies(match -> assertThat(match.state()).isEqualTo(clusterState("c")));
    }

    private State clusterState(String namespace) {
        return inventory
                .workerCluster(namespace, "wc-" + namespace, Visibility.EVERYTHING)
                .orElseThrow()
                .state();
    }

    private List<String> states(String namespace) {
        Connection connection = Objects.requireNonNull(inventory
                .workerCluster(namespace, "wc-" + namespace, Visibility.EVERYTHING)
                .orElseThrow()
                .connection());
        return Objects.requireNonNull(connection.intervals()).stream()
                .map(interval -> interval.from() + " " + interval.to() + " " + interval.state())
                .toList();
    }

    @Test
    void theStatesOfTheLastDayAreRememberedAsFarAsObserved() throws Exception {
        tenant("a", "Synced", "v1.34.1", Map.of());
        replica.advance(Duration.ofHours(1));
        tenant("a", "Synced", "v1.34.2", Map.of());
        tenant("a", "Unreachable", "v1.34.2", Map.of());
        replica.advance(Duration.ofMinutes(5));
        tenant("a", "Synced", "v1.34.2", Map.of());

        assertThat(states("a"))
                .containsExactly(
                        "2026-03-01T10:00:00Z 2026-03-01T11:00:00Z SYNCED",
                        "2026-03-01T11:00:00Z 2026-03-01T11:05:00Z UNREACHABLE",
                        "2026-03-01T11:05:00Z null SYNCED");
        assertThat(inventory
                        .workerClusters(ListQuery.ALL, Visibility.EVERYTHING)
                        .items()
                        .getFirst()
                        .connection())
                .as("lists do not have them")
                .isNull();

        replica.advance(Duration.ofDays(1));
        assertThat(states("a")).hasSize(2).first().asString().endsWith("UNREACHABLE");
        replica.advance(Duration.ofDays(10));
        assertThat(states("a")).containsExactly("2026-03-01T11:05:00Z null SYNCED");
        for (int change = 0; change < 300; change++) {
            replica.advance(Duration.ofSeconds(1));
            tenant("a", change % 2 == 0 ? "Unreachable" : "Synced", "v1.34.2", Map.of());
        }
        assertThat(states("a")).hasSize(100).last().asString().endsWith("null SYNCED");
    }

    // Keeping up

    @Test
    void whatIsGoneIsGoneFromEveryList() throws Exception {
        fleet();
        inventory.search("x", 1, Visibility.EVERYTHING);

        inventory.onWorkerClusterChanged(new ObjectKey("b", "wc-b"), null);
        inventory.onConfigChanged(new ObjectKey("b", "big-kube-system-config"), null);
        inventory.onConfigChanged(new ObjectKey("b", "workers-kube-system-config"), null);
        inventory.onProfileChanged(new ObjectKey("a", "own"), null);

        assertThat(clusters(ListQuery.ALL)).containsExactly("c", "d", "a");
        assertThat(problemsOf("b")).isEmpty();
        assertThat(inventory
                        .profile("osm-profiles", "osp-hardened", Visibility.EVERYTHING)
                        .orElseThrow()
                        .usedBy()
                        .machineDeployments())
                .isZero();
        assertThat(inventory.summary(Visibility.EVERYTHING).machineDeployments())
                .doesNotContainKey(NewNodes.BLOCKED);
    }

    @Test
    void anInventoryThatSawEveryChangeSaysWhatOneSaysThatSawTheEndOnly() throws Exception {
        Random random = new Random(7);
        StoredInventoryTest fresh = new StoredInventoryTest();
        for (int round = 0; round < 4; round++) {
            boolean last = round == 3;
            for (int tenant = 0; tenant < 20; tenant++) {
                String namespace = "t" + tenant;
                String state = random.nextBoolean() ? "Synced" : "Degraded";
                tenant(namespace, state, "v1.34.1", Map.of());
                if (last) {
                    fresh.tenant(namespace, state, "v1.34.1", Map.of());
                }
                for (int md = 0; md < 5; md++) {
                    NewNodes newNodes = random.nextInt(3) == 0 ? NewNodes.BLOCKED : NewNodes.CURRENT;
                    Reason reason = newNodes == NewNodes.BLOCKED ? Reason.ProfileNotFound : null;
                    config(namespace, "m" + md, newNodes, "osp", reason);
                    if (last) {
                        fresh.config(namespace, "m" + md, newNodes, "osp", reason);
                    }
                }
            }
            everything(inventory);
        }

        assertThat(everything(inventory)).isEqualTo(everything(fresh.inventory));
    }

    private static String everything(StoredInventory inventory) throws Exception {
        ListQuery page = ListQuery.ALL.with("limit", "500");
        return ApiJson.server()
                .writeValueAsString(List.of(
                        inventory.workerClusters(page, Visibility.EVERYTHING),
                        inventory.configurations(page, Visibility.EVERYTHING),
                        inventory.machineDeployments(page, Visibility.EVERYTHING),
                        inventory.problems(page, Visibility.EVERYTHING),
                        inventory.summary(Visibility.EVERYTHING)));
    }

    // Names

    @Test
    void tenThousandHostileNamesArePagedFoundAndWrittenAsTheyAre() throws Exception {
        List<String> names = hostile(10_000);
        tenant("a", "Synced", "v1.34.1", Map.of("<b>", "\u202Eevil"));
        for (String name : names) {
            config("a", name, NewNodes.CURRENT, name, null);
        }

        Set<String> seen = new HashSet<>();
        String cursor = null;
        do {
            ListQuery query =
                    ListQuery.ALL.with("limit", "500").with("sort", "-name").with("continue", cursor);
            PagedList<MachineDeploymentEntry> page = inventory.machineDeployments(query, Visibility.EVERYTHING);
            String json = ApiJson.server().writeValueAsString(page);
            assertThat(ApiJson.client().readValue(json, new TypeReference<PagedList<MachineDeploymentEntry>>() {}))
                    .isEqualTo(page);
            page.items().forEach(item -> assertThat(seen.add(item.identity().name()))
                    .isTrue());
            cursor = page.next();
        } while (cursor != null);

        assertThat(seen).containsExactlyInAnyOrderElementsOf(names);
        assertThat(inventory
                        .search("javascript:alert(76)", 5, Visibility.EVERYTHING)
                        .items())
                .isNotEmpty();
        assertThat(inventory
                        .machineDeployments(ListQuery.ALL.with("search", "\u202E"), Visibility.EVERYTHING)
                        .total())
                .isEqualTo(10_000);
        assertThat(inventory
                        .workerClusters(ListQuery.ALL, Visibility.EVERYTHING)
                        .items()
                        .getFirst()
                        .metadata()
                        .labels())
                .containsEntry("<b>", "\u202Eevil");
    }

    private static List<String> hostile(int count) {
        List<String> forms = List.of(
                "<script>alert(%d)</script>",
                "javascript:alert(%d)",
                "a\u202Egnp.%d",
                "'; drop table osc; -- %d",
                "{{%d}}",
                "../../%d",
                "%%s%%n%d",
                "\u0000%d\u0007",
                "\uD83D\uDE42%d",
                "x".repeat(253) + "%d",
                "İI\u0307%d",
                "a\r\nSet-Cookie: %d",
                "\"%d\"",
                "*%d.",
                "[%d(");
        List<String> names = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            names.add(String.format(Locale.ROOT, forms.get(i % forms.size()), i));
        }
        return names;
    }
}
