package io.osmhub.tenancy;

import static io.osmhub.tenancy.FleetWorld.bootstrap;
import static io.osmhub.tenancy.FleetWorld.machineDeployment;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.osp.ProfileExtension;
import io.osmhub.core.osp.ProfileExtension.Policy;
import io.osmhub.core.resource.ShippedDefinition;
import io.osmhub.core.settings.SettingsLayer;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.fake.SimulatedServer;
import io.osmhub.workersync.fake.SyncWorld;
import io.osmhub.workersync.watch.ObjectKey;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExtensionHubTest {
    private static final Resource EXTENSIONS = Resource.OPERATING_SYSTEM_PROFILE_EXTENSIONS;
    private static final String SHARED = "osm-profiles";
    private static final String ENFORCED = "{'target':{'operatingSystems':['ubuntu']},'policy':'Enforced',%s}";
    private static final Duration SOON = Duration.ofSeconds(35);
    private static final Duration AFTER_RETRY = Duration.ofMinutes(2);

    private final FleetWorld world = new FleetWorld();

    @Test
    void anExtensionIsAppliedAndItsStatusNamesItsUsers() {
        SimulatedServer worker = world.tenant("t1");
        machineDeployment(worker, "workers");
        world.extension(SHARED, "corp", ENFORCED.formatted(adds("/etc/corp")));

        world.start();
        world.pass(Duration.ofMinutes(1));

        assertThat(bootstrap(worker, "workers")).contains("/etc/corp", "/opt/bin/bootstrap");
        assertThat(config("t1", "workers")
                        .at("/status/source/extensions/0/name")
                        .asText())
                .isEqualTo("corp");
        assertThat(config("t1", "workers").at("/status/source/profile/version").asText())
                .startsWith("v1.0.0+ext.");
        JsonNode status = extension(SHARED, "corp").path("status");
        assertThat(condition(status, "Valid")).isEqualTo("True TemplatesVerified");
        assertThat(status.at("/conditions/0/message").asText()).endsWith("1 file change verified");
        assertThat(status.at("/usedBy/workerClusters").asInt()).isEqualTo(1);
        assertThat(status.at("/usedBy/machineDeployments").asInt()).isEqualTo(1);
        assertThat(status.path("contentHash").asText()).hasSize(64);
    }

    @Test
    void aChangedExtensionIsPublishedAndADeletedOneIsRemoved() {
        SimulatedServer worker = world.tenant("t1");
        machineDeployment(worker, "workers");
        world.extension(SHARED, "corp", ENFORCED.formatted(adds("/etc/corp")));
        world.start();
        world.pass(SOON);

        world.extension(SHARED, "corp", ENFORCED.formatted(adds("/etc/other")));
        world.pass(SOON);

        assertThat(bootstrap(worker, "workers")).contains("/etc/other").doesNotContain("/etc/corp");
        world.delete(EXTENSIONS, SHARED, "corp");
        world.pass(SOON);
        assertThat(bootstrap(worker, "workers")).doesNotContain("/etc/other");
    }

    @Test
    void theStatusListsProfilesForWhichAnOptionalChangeDidNothing() {
        SimulatedServer worker = world.tenant("t1");
        machineDeployment(worker, "workers");
        String missing = "'bootstrap':{'files':[{'path':'/etc/none','operation':'Remove','optional':true}]}";
        world.extension(SHARED, "corp", ENFORCED.formatted(missing));
        world.start();
        world.pass(Duration.ofMinutes(1));

        assertThat(config("t1", "workers")
                        .at("/status/source/extensions/0/skipped/0")
                        .asText())
                .isEqualTo("spec.bootstrap.files[0]");
        assertThat(extension(SHARED, "corp").at("/status/skipped").toString())
                .isEqualTo("[\"osm-profiles/osp-ubuntu\"]");

        world.extension(SHARED, "corp", ENFORCED.formatted(adds("/etc/corp")));
        world.pass(Duration.ofMinutes(1));
        assertThat(extension(SHARED, "corp").at("/status/skipped").isMissingNode())
                .isTrue();
    }

    @Test
    void countsExtensionsAndMachineDeploymentsByPolicy() {
        SimulatedServer worker = world.tenant("t1");
        machineDeployment(worker, "workers");
        machineDeployment(worker, "others");
        world.extension(SHARED, "corp", ENFORCED.formatted(adds("/etc/corp")));
        world.extension(SHARED, "ntp", ENFORCED.formatted(adds("/etc/ntp")));
        world.extension("t1", "gpu", ENFORCED.formatted(adds("/etc/gpu")).replace("Enforced", "Optional"));
        world.start();
        world.pass(SOON);

        assertThat(world.hub().extensions()).isEqualTo(Map.of(Policy.ENFORCED, 2, Policy.OPTIONAL, 1));
        assertThat(world.hub().extendedMachineDeployments()).isEqualTo(Map.of(Policy.ENFORCED, 2));
    }

    @Test
    void aStatusOfAnExtensionReconcilesNothing() {
        SimulatedServer worker = world.tenant("t1");
        machineDeployment(worker, "workers");
        world.extension(SHARED, "corp", ENFORCED.formatted(adds("/etc/corp")));
        world.start();
        world.pass(Duration.ofMinutes(1));
        world.management.forgetRequests();
        worker.forgetRequests();

        ObjectNode changed = extension(SHARED, "corp").deepCopy();
        changed.withObjectProperty("metadata").withObjectProperty("labels").put("team", "a");
        world.management.put(EXTENSIONS, changed.toString(), "kubectl");
        world.pass(Duration.ofMinutes(1));

        assertThat(worker.writes()).isZero();
        assertThat(world.management.writes()).isZero();
    }

    @Test
    void aConflictKeepsTheSecretsAndEndsWithOneOfTheExtensions() {
        SimulatedServer worker = world.tenant("t1");
        machineDeployment(worker, "workers");
        world.extension(SHARED, "corp", ENFORCED.formatted(adds("/etc/issue")));
        world.start();
        world.pass(SOON);
        List<String> versions = secretVersions(worker);

        world.extension(SHARED, "other", ENFORCED.formatted(adds("/etc/issue")));
        world.pass(SOON);

        assertThat(rendered("t1", "workers")).isEqualTo("False ExtensionConflict");
        assertThat(config("t1", "workers").toString()).contains(SHARED + "/corp", SHARED + "/other", "/etc/issue");
        assertThat(secretVersions(worker)).isEqualTo(versions);
        assertThat(condition(extension(SHARED, "corp").path("status"), "Valid")).isEqualTo("True TemplatesVerified");
        assertThat(condition(extension(SHARED, "other").path("status"), "Valid"))
                .isEqualTo("False ExtensionConflict");

        world.delete(EXTENSIONS, SHARED, "other");
        world.pass(SOON);

        assertThat(rendered("t1", "workers")).startsWith("True");
        assertThat(secretVersions(worker)).isEqualTo(versions);
    }

    @Test
    void anExtensionThatDoesNotFitItsProfileIsNotValid() {
        world.tenant("t1");
        world.extension(
                SHARED,
                "corp",
                ENFORCED.formatted(
                        "'provisioning':{'files':[{'path':'/opt/bin/provision','operation':'Add','content':'x'}]}"));
        world.extension(SHARED, "nothing", ENFORCED.formatted(adds("/x")).replace("ubuntu", "flatcar"));
        world.extension("elsewhere", "corp", ENFORCED.formatted(adds("/x")));
        world.start();
        world.pass(SOON);

        JsonNode status = extension(SHARED, "corp").path("status");
        assertThat(condition(status, "Valid")).isEqualTo("False ExtensionConflict");
        assertThat(status.at("/problems/0/field").asText()).isEqualTo("spec.provisioning.files[0]");
        assertThat(condition(extension(SHARED, "nothing").path("status"), "Valid"))
                .isEqualTo("True ExtensionTargetsNothing");
        JsonNode elsewhere = extension("elsewhere", "corp").path("status");
        assertThat(condition(elsewhere, "Valid")).isEqualTo("True ExtensionTargetsNothing");
        assertThat(elsewhere.at("/problems/0/field").asText()).isEqualTo("metadata.namespace");
        assertThat(elsewhere.at("/problems/0/fix").asText())
                .isEqualTo("create it in osm-profiles or in a tenant's namespace");
        assertThat(world.events()).contains("ExtensionConflict", "ExtensionTargetsNothing");

        world.profile(SHARED, "osp-ubuntu", "v1.0.1", "shared, changed");
        world.profile(SHARED, "flatcar", "v1.0.0", "with ubuntu's name");
        world.extension(SHARED, "corp", ENFORCED.formatted(adds("/etc/corp")));
        world.pass(SOON);
        assertThat(condition(extension(SHARED, "corp").path("status"), "Valid")).isEqualTo("True TemplatesVerified");
    }

    @Test
    void ofTwoExtensionsInConflictTheLaterOneIsNotValidUntilTheyAgree() {
        world.tenant("t1");
        world.extension(SHARED, "a", ENFORCED.formatted("'order':900," + adds("/etc/issue")));
        world.extension(SHARED, "b", ENFORCED.formatted("'order':100," + adds("/etc/issue")));
        world.start();
        world.pass(SOON);

        JsonNode later = extension(SHARED, "a").path("status");
        assertThat(condition(later, "Valid")).isEqualTo("False ExtensionConflict");
        assertThat(later.at("/conditions/0/message").asText())
                .contains(
                        "/etc/issue is written by OperatingSystemProfileExtension osm-profiles/b, spec.bootstrap.files[0]",
                        "osm-profiles/a, spec.bootstrap.files[0]");
        assertThat(condition(extension(SHARED, "b").path("status"), "Valid")).isEqualTo("True TemplatesVerified");

        world.extension(SHARED, "b", ENFORCED.formatted("'order':100," + adds("/etc/motd.d/b")));
        world.pass(SOON);
        assertThat(condition(extension(SHARED, "a").path("status"), "Valid")).isEqualTo("True TemplatesVerified");
    }

    @Test
    void anExtensionIsValidBesideOneThatCannotApplyToTheSameMachineDeployments() {
        world.tenant("t1");
        String optional = ENFORCED.replace("Enforced", "Optional");
        String elsewhere = ENFORCED.replace("'target':{", "'target':{'cloudProviders':['%s'],");
        world.extension(SHARED, "a", optional.formatted(adds("/etc/optional")));
        world.extension(SHARED, "b", ENFORCED.formatted(adds("/etc/optional")));
        world.extension(SHARED, "c", elsewhere.formatted("aws", adds("/etc/provider")));
        world.extension(SHARED, "d", elsewhere.formatted("gce", adds("/etc/provider")));
        world.start();
        world.pass(SOON);

        for (String name : List.of("a", "b", "c", "d")) {
            assertThat(condition(extension(SHARED, name).path("status"), "Valid"))
                    .as(name)
                    .isEqualTo("True TemplatesVerified");
        }
    }

    @Test
    void sharedExtensionsConflictWhileATenantHasTheLabelsOfBoth() {
        String selecting = ENFORCED.replace("'target':{", "'target':{'tenants':{'matchLabels':{'%s':'yes'}},");
        world.tenant("t1");
        world.extension(SHARED, "first", selecting.formatted("one", adds("/etc/labels")));
        world.extension(SHARED, "second", selecting.formatted("two", adds("/etc/labels")));
        world.extension(SHARED, "third", selecting.formatted("two", adds("/etc/labels")));
        world.extension("t1", "own", ENFORCED.formatted(adds("/etc/labels")));
        world.start();
        world.pass(SOON);
        for (ObjectKey key :
                List.of(new ObjectKey(SHARED, "first"), new ObjectKey(SHARED, "third"), new ObjectKey("t1", "own"))) {
            assertThat(condition(extension(key.namespace(), key.name()).path("status"), "Valid"))
                    .as(key.toString())
                    .isEqualTo("True TemplatesVerified");
        }

        world.patch("t1", "prod", "{'metadata':{'labels':{'one':'yes','two':'yes'}}}");
        world.profile(SHARED, "osp-ubuntu", "v1.0.1", "changed");
        world.pass(SOON);

        assertThat(condition(extension(SHARED, "first").path("status"), "Valid"))
                .isEqualTo("True TemplatesVerified");
        assertThat(condition(extension(SHARED, "second").path("status"), "Valid"))
                .isEqualTo("False ExtensionConflict");
        assertThat(condition(extension(SHARED, "third").path("status"), "Valid"))
                .isEqualTo("False ExtensionConflict");
        // A tenant's extension is invalid itself and makes no shared one invalid.
        assertThat(condition(extension("t1", "own").path("status"), "Valid")).isEqualTo("False ExtensionConflict");
    }

    @Test
    void aConflictWithAProfileThatIsNotUsedDoesNotMakeItInvalid() {
        machineDeployment(world.tenant("t1"), "workers");
        world.profile(SHARED, "example", "v1.0.0", "used by none");
        String example = Objects.requireNonNull(
                        world.management.object(Resource.OPERATING_SYSTEM_PROFILES, SHARED, "example"))
                .toString();
        world.management.put(
                Resource.OPERATING_SYSTEM_PROFILES, example.replace("/opt/bin/provision", "/opt/bin/other"), "kubectl");
        String appended = "'provisioning':{'files':[{'path':'/opt/bin/provision','operation':'Append','content':'x'}]}";
        world.extension(SHARED, "corp", ENFORCED.formatted(appended));
        world.start();
        world.pass(Duration.ofMinutes(1));

        assertThat(condition(extension(SHARED, "corp").path("status"), "Valid")).isEqualTo("True TemplatesVerified");
        assertThat(extension(SHARED, "corp").at("/status/conditions/0/message").asText())
                .contains("unused profile", "/opt/bin/provision", "example");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void withoutTheKindOrThePermissionTheHubWorksAndFindsThemLater(boolean forbidden) {
        SimulatedServer worker = world.tenant("t1");
        machineDeployment(worker, "workers");
        setReadable(false, forbidden);

        world.start();
        world.pass(Duration.ofMinutes(10));

        assertThat(world.hub().isReady()).isTrue();
        assertThat(world.hub().managementProblem()).isEmpty();
        assertThat(world.hub().definitionProblems()).isEmpty();
        assertThat(bootstrap(worker, "workers")).contains("/opt/bin/bootstrap");
        assertThat(rendered("t1", "workers")).startsWith("True");
        assertThat(world.management.requests().stream()
                        .filter(request -> request.resource() == EXTENSIONS)
                        .count())
                .isBetween(5L, 30L);

        setReadable(true, forbidden);
        world.extension(SHARED, "corp", ENFORCED.formatted(adds("/etc/corp")));
        world.pass(AFTER_RETRY);
        assertThat(bootstrap(worker, "workers")).contains("/etc/corp");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void contentWithExtensionsIsKeptWhileTheyCannotBeRead(boolean restarted) {
        SimulatedServer worker = world.tenant("t1");
        machineDeployment(worker, "workers");
        SimulatedServer other = world.tenant("t2");
        world.extension("t1", "corp", ENFORCED.formatted(adds("/etc/corp")));
        world.start();
        world.pass(Duration.ofMinutes(1));
        List<String> versions = secretVersions(worker);
        worker.forgetRequests();

        setReadable(false, false);
        if (restarted) {
            world.kill();
            world.start();
        }
        world.pass(AFTER_RETRY);
        world.profile(SHARED, "osp-ubuntu", "v2.0.0", "changed");
        machineDeployment(other, "later");
        world.pass(AFTER_RETRY);

        assertThat(rendered("t1", "workers")).isEqualTo("False ExtensionsUnreadable");
        assertThat(config("t1", "workers").toString())
                .contains(
                        "MachineDeployment kube-system/workers: OperatingSystemProfileExtensions cannot be read (",
                        "and it was published with t1/corp");
        assertThat(secretVersions(worker)).isEqualTo(versions);
        assertThat(bootstrap(other, "later")).contains("/opt/bin/bootstrap");
        world.profile(SHARED, "osp-ubuntu", "v1.0.0", "shared");
        setReadable(true, false);
        world.pass(AFTER_RETRY);

        assertThat(rendered("t1", "workers")).startsWith("True");
        assertThat(secretVersions(worker)).isEqualTo(versions);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void objectsThatAreDeletedWithTheirDefinitionStayInWhatIsPublished(boolean objectsFirst) {
        SimulatedServer worker = world.tenant("t1");
        machineDeployment(worker, "workers");
        world.extension(SHARED, "corp", ENFORCED.formatted(adds("/etc/corp")));
        world.start();
        world.pass(Duration.ofMinutes(1));
        List<String> versions = secretVersions(worker);

        if (objectsFirst) {
            world.management.remove(EXTENSIONS, SHARED, "corp");
            world.pass(Duration.ofMillis(500));
        }
        String version = "{'name':'v1alpha1','schema':{'openAPIV3Schema':{'type':'object',"
                + "'x-kubernetes-preserve-unknown-fields':true}}}";
        String definition = ShippedDefinition.PROFILE_EXTENSIONS.definitionName();
        world.definition(ShippedDefinition.PROFILE_EXTENSIONS, version, "customresourcecleanup.apiextensions.k8s.io");
        world.delete(Resource.CUSTOM_RESOURCE_DEFINITIONS, "", definition);
        world.pass(Duration.ofSeconds(1));
        if (!objectsFirst) {
            world.management.remove(EXTENSIONS, SHARED, "corp");
        }
        world.pass(AFTER_RETRY);

        assertThat(rendered("t1", "workers")).isEqualTo("False ExtensionsUnreadable");
        assertThat(secretVersions(worker)).isEqualTo(versions);

        // A backup is restored, the objects as long after their definition as they may come.
        world.pass(Duration.ofSeconds(27));
        // Without its finalizer the old one is gone.
        world.definition(ShippedDefinition.PROFILE_EXTENSIONS, version);
        world.definition(ShippedDefinition.PROFILE_EXTENSIONS, version);
        world.pass(Duration.ofSeconds(55));
        world.extension(SHARED, "corp", ENFORCED.formatted(adds("/etc/corp")));
        world.pass(AFTER_RETRY);

        assertThat(rendered("t1", "workers")).startsWith("True");
        assertThat(secretVersions(worker)).isEqualTo(versions);
    }

    @Test
    void aTenantsExtensionIsForThatTenantAndASharedOneForThoseWithItsLabels() {
        SimulatedServer first = world.tenant("t1");
        machineDeployment(first, "workers");
        SimulatedServer second = world.tenant("t2");
        machineDeployment(second, "workers");
        world.extension("t1", "own", ENFORCED.formatted(adds("/etc/own")));
        world.extension(
                SHARED,
                "region",
                "{'target':{'operatingSystems':['ubuntu'],'tenants':{'matchLabels':{'region':'fra'}}},"
                        + "'policy':'Enforced'," + adds("/etc/region") + "}");
        world.start();
        world.pass(SOON);
        assertThat(bootstrap(first, "workers")).contains("/etc/own").doesNotContain("/etc/region");
        assertThat(bootstrap(second, "workers")).doesNotContain("/etc/own", "/etc/region");

        world.patch("t2", "prod", "{'metadata':{'labels':{'region':'fra'}}}");
        world.pass(SOON);

        assertThat(bootstrap(second, "workers")).contains("/etc/region");
        assertThat(bootstrap(first, "workers")).doesNotContain("/etc/region");
        world.patch("t2", "prod", "{'metadata':{'labels':{'region':null}}}");
        world.pass(SOON);
        assertThat(bootstrap(second, "workers")).doesNotContain("/etc/region");
    }

    @Test
    void aMachineDeploymentOptsInAndOutByItsAnnotation() {
        SimulatedServer worker = world.tenant("t1");
        choosing(worker, "workers", "gpu, -ntp, -corp");
        world.extension(SHARED, "gpu", ENFORCED.formatted(adds("/etc/gpu")).replace("Enforced", "Optional"));
        world.extension(SHARED, "ntp", ENFORCED.formatted(adds("/etc/ntp")).replace("Enforced", "Default"));
        world.extension(SHARED, "corp", ENFORCED.formatted(adds("/etc/corp")));
        world.start();
        world.pass(SOON);
        assertThat(bootstrap(worker, "workers"))
                .contains("/etc/gpu", "/etc/corp")
                .doesNotContain("/etc/ntp");
        List<String> versions = secretVersions(worker);

        choosing(worker, "workers", "gpv");
        world.pass(SOON);

        assertThat(rendered("t1", "workers")).isEqualTo("False ExtensionNotFound");
        assertThat(config("t1", "workers").toString()).contains("did you mean");
        assertThat(secretVersions(worker)).isEqualTo(versions);
    }

    @Test
    void anInvalidObjectHoldsOnlyWhatWasPublishedWithIt() {
        SimulatedServer worker = world.tenant("t1");
        choosing(worker, "used", "gpu");
        machineDeployment(worker, "plain");
        String gpu = ENFORCED.formatted(adds("/etc/gpu")).replace("Enforced", "Optional");
        world.extension(SHARED, "gpu", gpu);
        world.start();
        world.pass(SOON);

        world.extension(SHARED, "gpu", gpu.replace("'path'", "'pfad'"));
        world.profile(SHARED, "osp-ubuntu", "v2.0.0", "changed");
        world.pass(SOON);

        assertThat(rendered("t1", "used")).isEqualTo("False ExtensionInvalid");
        assertThat(bootstrap(worker, "used")).contains("/etc/gpu");
        assertThat(rendered("t1", "plain")).startsWith("True");
        assertThat(config("t1", "plain").at("/status/source/profile/version").asText())
                .isEqualTo("v2.0.0");
        assertThat(condition(extension(SHARED, "gpu").path("status"), "Valid")).isEqualTo("False ExtensionInvalid");
        assertThat(extension(SHARED, "gpu").path("status").toString()).contains("pfad");
    }

    @Test
    void aRestartWritesNothing() {
        SimulatedServer worker = world.tenant("t1");
        machineDeployment(worker, "workers");
        world.extension(SHARED, "corp", ENFORCED.formatted(adds("/etc/corp")));
        world.start();
        world.pass(Duration.ofMinutes(2));
        world.kill();
        worker.forgetRequests();
        world.management.forgetRequests();

        world.start();
        world.pass(Duration.ofMinutes(2));

        assertThat(worker.writes()).isZero();
        assertThat(world.management.requests().stream()
                        .filter(request -> request.verb().writes()
                                && (request.resource() == EXTENSIONS
                                        || request.resource() == Resource.OPERATING_SYSTEM_CONFIGS)))
                .isEmpty();
        assertThat(bootstrap(worker, "workers")).contains("/etc/corp");
    }

    @Test
    void onlyTheReplicaThatServesANamespaceWritesTheStatus() {
        SimulatedServer worker = world.tenant("t1");
        machineDeployment(worker, "workers");
        world.extension(SHARED, "corp", ENFORCED.formatted(adds("/etc/corp")));
        world.extension("t1", "own", ENFORCED.formatted(adds("/etc/own")));
        world.served = namespace -> namespace.equals("t1");
        world.start();
        world.pass(Duration.ofMinutes(2));

        assertThat(bootstrap(worker, "workers")).contains("/etc/corp", "/etc/own");
        assertThat(extension(SHARED, "corp").has("status")).isFalse();
        assertThat(condition(extension("t1", "own").path("status"), "Valid")).isEqualTo("True TemplatesVerified");

        world.served = namespace -> true;
        world.hub().onLeadershipChanged();
        world.pass(Duration.ofMinutes(2));
        world.profile(SHARED, "osp-ubuntu", "v1.0.1", "changed");
        world.pass(Duration.ofMinutes(2));
        assertThat(condition(extension(SHARED, "corp").path("status"), "Valid")).isEqualTo("True TemplatesVerified");
    }

    @Test
    void withOsmsFlagsNoExtensionIsRequested() {
        world.profile("cluster-a", "osp-ubuntu", "v1.0.0", "own");
        world.extension("cluster-a", "corp", ENFORCED.formatted(adds("/etc/corp")));
        SimulatedServer worker = world.worker("w.example.org");
        machineDeployment(worker, "workers");

        world.startWithFlags("cluster-a", SettingsLayer.EMPTY, worker);
        world.pass(SOON);

        assertThat(world.management.requests()).noneMatch(request -> request.resource() == EXTENSIONS);
        assertThat(bootstrap(worker, "workers")).isNotNull().doesNotContain("/etc/corp");
    }

    private static String adds(String path) {
        return "'bootstrap':{'files':[{'path':'" + path + "','content':'text'}]}";
    }

    private static void choosing(SimulatedServer worker, String name, String choice) {
        ObjectNode object = SyncWorld.json("kube-system", name, "osp-ubuntu", "1");
        object.withObjectProperty("metadata").withObjectProperty("annotations").put(ProfileExtension.CHOICE, choice);
        worker.put(Resource.MACHINE_DEPLOYMENTS, object.toString(), "kubectl");
    }

    /** Whether the hub can read the kind: it is served, or permitted. */
    private void setReadable(boolean readable, boolean forbidden) {
        if (forbidden) {
            world.management.reject(request -> !readable && request.resource() == EXTENSIONS
                    ? SimulatedServer.status(403, "Forbidden", "not granted")
                    : null);
        } else {
            world.management.withdraw(EXTENSIONS, !readable);
        }
        world.management.breakWatches(ApiFailure.withoutResponse(ApiFailure.ApiFailureKind.CLOSED, "restarted"));
    }

    private ObjectNode extension(String namespace, String name) {
        return Objects.requireNonNull(world.management.object(EXTENSIONS, namespace, name));
    }

    private ObjectNode config(String namespace, String machineDeployment) {
        return Objects.requireNonNull(world.management.object(
                Resource.OPERATING_SYSTEM_CONFIGS, namespace, machineDeployment + "-kube-system-config"));
    }

    private String rendered(String namespace, String machineDeployment) {
        return condition(config(namespace, machineDeployment).path("status"), "Rendered");
    }

    /** Status and reason. */
    private static String condition(JsonNode status, String type) {
        return status.path("conditions")
                .valueStream()
                .filter(condition -> condition.path("type").asText().equals(type))
                .map(condition -> condition.path("status").asText() + " "
                        + condition.path("reason").asText())
                .findFirst()
                .orElse("");
    }

    private static List<String> secretVersions(SimulatedServer worker) {
        return Stream.of("bootstrap", "provisioning")
                .map(role -> Objects.requireNonNull(worker.object(
                                Resource.SECRETS, SyncWorld.SETTINGS, "workers-kube-system-" + role + "-config"))
                        .at("/metadata/resourceVersion")
                        .asText())
                .toList();
    }
}
