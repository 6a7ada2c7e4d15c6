package io.osmhub.core.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;

import io.osmhub.core.bootstrap.ObjectNames;
import io.osmhub.core.bootstrap.SourceAnnotations;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.plan.Decider.WriteStage;
import io.osmhub.core.plan.Decision.Outcome;
import io.osmhub.core.plan.Facts.LookupResult;
import io.osmhub.core.plan.StoredSecret.SecretRole;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.ProblemObject;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.render.AppliedExtensions;
import io.osmhub.core.render.RegistryCredentials;
import io.osmhub.core.render.Renderer.RenderInput;
import io.osmhub.core.settings.TenantSettings.ServiceAccountName;
import io.osmhub.core.userdata.UserDataSize;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DeciderTest {
    private static final String MD = "kube-system/workers";
    private static final String BOOTSTRAP = "workers-kube-system-bootstrap-config";
    private static final String PROVISIONING = "workers-kube-system-provisioning-config";
    private static final String KUBELET = "kube-system-workers-kubelet-bootstrap-config";

    private final World world = new World(1).machineDeployment("kube-system", "workers");

    private StoredSecret secret(String name) {
        return Objects.requireNonNull(world.secrets.get(name));
    }

    private World published() {
        world.run(MD);
        world.done.clear();
        return world;
    }

    private static List<Reason> reasons(Decision decision) {
        return decision.problems().stream().map(Problem::reason).toList();
    }

    @Test
    void aNewMachineDeploymentCostsSixWritesInASafeOrder() {
        world.run(MD);

        assertThat(world.kinds())
                .containsExactly(
                        "AddFinalizer", "CreateToken", "CreateSecret", "CreateSecret", "CreateSecret", "CreateConfig");
        assertThat(world.done.subList(2, 5))
                .extracting(PlannedChange::role)
                .containsExactly(SecretRole.KUBELET_BOOTSTRAP, SecretRole.PROVISIONING, SecretRole.BOOTSTRAP);
    }

    @Test
    void aNewMachineDeploymentIsPublishedAfterTwoRoundTrips() {
        List<PlannedChange> changes = world.decide(MD).changes();

        assertThat(changes.stream().map(PlannedChange::stage))
                .as("all that the bootstrap secret relies on at once, then it, then the OperatingSystemConfig")
                .containsExactly(
                        WriteStage.TOKEN,
                        WriteStage.TOKEN,
                        WriteStage.TOKEN,
                        WriteStage.TOKEN,
                        WriteStage.BOOTSTRAP,
                        WriteStage.CONFIG);
    }

    @Test
    void aTokenIsThereBeforeWhatEmbedsItWhereMachinesMayStart() {
        published().tokens.clear();
        world.secrets.remove(KUBELET);

        List<PlannedChange> changes = world.decide(MD).changes();

        int token = stage(changes, "CreateToken");
        assertThat(token).isLessThan(stage(changes, "CreateSecret"));
    }

    private static int stage(List<PlannedChange> changes, String kind) {
        return changes.stream()
                .filter(change -> World.kind(change).equals(kind))
                .findFirst()
                .orElseThrow()
                .stage();
    }

    @Test
    void decidesNothingWhenAllIsAsWanted() {
        published();

        Decision decision = world.decide(MD);

        assertThat(decision.changes()).isEmpty();
        assertThat(decision.problems()).isEmpty();
        assertThat(decision.outcome()).isInstanceOf(Outcome.Published.class);
    }

    @Test
    void marksWhatItWrites() {
        published();

        assertThat(secret(KUBELET).annotations())
                .containsEntry("osmhub.io/machine-deployment", MD)
                .containsEntry("osmhub.io/machine-deployment-uid", "uid-1")
                .containsEntry("osmhub.io/tenant", "cluster-x7f/x7f")
                .containsEntry("osmhub.io/hub-id", World.HUB)
                .doesNotContainKey(SourceAnnotations.REVISION);
        assertThat(secret(BOOTSTRAP).annotations()).containsKeys(SourceAnnotations.REVISION, "osmhub.io/hub-id");
        assertThat(Objects.requireNonNull(world.configs.get("workers-kube-system-config"))
                        .annotations())
                .containsEntry("osmhub.io/machine-deployment", MD)
                .doesNotContainKey("osmhub.io/hub-id");
    }

    @Test
    void aCosmeticAnnotationWritesNothing() {
        published().annotate(MD, "kubectl.kubernetes.io/last-applied-configuration", "{}");

        assertThat(world.decide(MD).changes()).isEmpty();
    }

    @Test
    void aNewVersionOfTheSameProfileIsStampedWithoutWritingContent() {
        published().profileVersion = "v1.0.1";

        world.run(MD);

        assertThat(world.kinds()).containsExactlyInAnyOrder("AnnotateSecret", "AnnotateSecret", "AnnotateConfig");
        assertThat(secret(BOOTSTRAP).annotations()).containsEntry(SourceAnnotations.PROFILE_VERSION, "v1.0.1");
        assertThat(secret(PROVISIONING).annotations()).containsEntry(SourceAnnotations.PROFILE_VERSION, "v1.0.1");
        assertThat(world.configs.values()).allSatisfy(config -> assertThat(config.annotations())
                .containsEntry(SourceAnnotations.PROFILE_VERSION, "v1.0.1"));
        assertThat(world.done.getFirst().reason().explanation()).endsWith("has version v1.0.1 (was v1.0.0)");
        assertThat(world.decide(MD).changes()).isEmpty();
    }

    @Test
    void aNewRevisionWithTheSameBytesIsOneStamp() {
        published().annotate(MD, MachineDeployment.REVISION, "2");

        world.run(MD);

        assertThat(world.kinds()).containsExactly("AnnotateSecret");
        assertThat(secret(BOOTSTRAP).annotations()).containsEntry(SourceAnnotations.REVISION, "2");
        assertThat(secret(PROVISIONING).annotations()).containsEntry(SourceAnnotations.REVISION, "1");
        assertThat(world.done.getFirst().reason().explanation())
                .isEqualTo("the MachineDeployment has revision 2 (was 1)");
        assertThat(world.decide(MD).changes()).isEmpty();
    }

    @Test
    void changedContentIsUpdatedInPlaceWithItsStampsProvisioningFirst() {
        published().annotate(MD, MachineDeployment.REVISION, "2").profileText = "more\n";
        String uid = secret(BOOTSTRAP).uid();

        world.run(MD);

        assertThat(world.kinds()).containsExactly("UpdateSecret", "UpdateSecret", "ReplaceConfig");
        assertThat(world.done.getFirst().role()).isEqualTo(SecretRole.PROVISIONING);
        assertThat(secret(BOOTSTRAP).uid()).isEqualTo(uid);
        assertThat(secret(PROVISIONING).annotations()).containsEntry(SourceAnnotations.REVISION, "2");
    }

    @Test
    void aChangeThatConcernsOneSecretWritesThatOne() {
        published().clusterDns("10.1.1.1");

        world.run(MD);

        assertThat(world.kinds()).containsExactly("UpdateSecret", "ReplaceConfig");
        assertThat(world.done.getFirst().role()).isEqualTo(SecretRole.PROVISIONING);
    }

    @Test
    void aCredentialIsNotInTheConfigSoOnlySecretsChange() {
        published().fetchToken = "fetch-2";

        world.run(MD);

        assertThat(world.kinds()).containsExactly("UpdateSecret");
    }

    @Test
    void theEndpointReachesTheKubeletsKubeconfigToo() {
        published().endpoint = "https://other.example:6443";

        world.run(MD);

        assertThat(world.kinds()).containsExactly("UpdateSecret", "UpdateSecret", "UpdateSecret", "ReplaceConfig");
    }

    @Test
    void anEditedSecretIsRestoredAndTheWriterNamed() {
        published().edit(PROVISIONING, "kubectl-edit");

        Decision decision = world.run(MD);

        assertThat(world.kinds()).containsExactly("UpdateSecret");
        assertThat(decision.changes().getFirst().reason())
                .isEqualTo(new ChangeReason(ChangeReason.Cause.DRIFT, "kubectl-edit changed it"));
    }

    @Test
    void anEditedConfigIsRestoredAndTheWriterNamed() {
        published();
        StoredConfig config = Objects.requireNonNull(world.config(MD));
        world.configs.put(
                config.name(),
                new StoredConfig(
                        config.namespace(),
                        config.name(),
                        config.uid(),
                        "x",
                        2,
                        config.annotations(),
                        "another hash",
                        null,
                        "kubectl-edit"));

        Decision decision = world.run(MD);

        assertThat(world.kinds()).containsExactly("ReplaceConfig");
        assertThat(decision.changes().getFirst().reason())
                .isEqualTo(new ChangeReason(ChangeReason.Cause.DRIFT, "kubectl-edit changed it"));
    }

    @Test
    void theFirstRevisionIsNamedAlone() {
        world.annotate(MD, MachineDeployment.REVISION, null);
        published().annotate(MD, MachineDeployment.REVISION, "1");

        world.run(MD);

        assertThat(world.kinds()).containsExactly("AnnotateSecret");
        assertThat(world.done.getFirst().reason().explanation()).isEqualTo("the MachineDeployment has revision 1");
    }

    @Test
    void aDeletedSecretIsRestored() {
        published().secrets.remove(BOOTSTRAP);

        Decision decision = world.run(MD);

        assertThat(world.kinds()).containsExactly("CreateSecret");
        assertThat(decision.changes().getFirst().reason().cause()).isEqualTo(ChangeReason.Cause.DRIFT);
    }

    @Test
    void theEdgeScriptIsForProviderEdgeOnly() {
        String edge = "edge-provider-script-workers-kube-system";
        published().machinesOf(MD, World.providerSpec("edge", "AAAA"));

        world.run(MD);

        assertThat(world.secrets).containsKey(edge);
        assertThat(secret(edge).digests()).containsOnlyKeys("fetch-bootstrap-script");

        world.machinesOf(MD, World.providerSpec("aws", "AAAA"));
        world.run(MD);

        assertThat(world.secrets).doesNotContainKey(edge);
        assertThat(world.decide(MD).changes()).isEmpty();
    }

    @Test
    void adoptsWhatThePeerLeftWithoutAWrite() {
        published().asPeer();

        assertThat(world.decide(MD).changes()).isEmpty();
    }

    @Test
    void aDeletedConfigIsCreatedBecauseItWasMissing() {
        published().configs.clear();

        world.run(MD);

        assertThat(world.done).singleElement().satisfies(change -> {
            assertThat(World.kind(change)).isEqualTo("CreateConfig");
            assertThat(change.reason().explanation()).isEqualTo("it was missing");
        });
    }

    @Test
    void aChangeWithoutAKnownCauseIsNotGivenOne() {
        published();
        world.machinesOf(MD, World.providerSpec("aws", "CCCC"));

        world.run(MD);

        assertThat(world.done).isNotEmpty().allSatisfy(change -> assertThat(
                        change.reason().explanation())
                .isEqualTo("the rendered content changed"));
    }

    @Test
    void replacesAnImmutableSecretOfThePeerOnlyWhenItsContentChanges() {
        published().asPeer();
        world.clusterDns("10.1.1.1");

        world.run(MD);

        assertThat(world.kinds()).containsExactly("ReplaceSecret", "ReplaceConfig");
        assertThat(secret(PROVISIONING).immutable()).isFalse();
        assertThat(secret(PROVISIONING).annotations()).containsEntry("osmhub.io/machine-deployment", MD);
        assertThat(secret(BOOTSTRAP).immutable()).isTrue();
        assertThat(world.decide(MD).changes()).isEmpty();
    }

    @Test
    void otherContentOfThePeerIsKeptUntilItMayBeReplaced() {
        published().asPeer();
        world.configs.clear();
        world.keepsOsm = true;
        world.clusterDns("10.1.1.1");

        Decision kept = world.run(MD);

        assertThat(world.done).isEmpty();
        assertThat(kept.outcome()).isInstanceOf(Outcome.NotPublished.class);
        assertThat(kept.problems().getFirst().message())
                .isEqualTo("cluster-x7f: MachineDeployment " + MD
                        + ": 1 secret would get other content than Operating System Manager published, which is kept;"
                        + " take it over with its profiles and settings (hub migrate plan), or publish the hub's content:"
                        + " hub cluster adopt x7f -n cluster-x7f");

        world.keepsOsm = false;
        world.run(MD);

        assertThat(world.kinds()).containsExactly("ReplaceSecret", "CreateConfig");
    }

    @Test
    void theSameContentOfThePeerIsAdoptedAndFollowsLaterChanges() {
        published().asPeer();
        world.configs.clear();
        world.keepsOsm = true;

        world.run(MD);
        assertThat(world.kinds()).containsExactly("CreateConfig");

        world.clusterDns("10.1.1.1");
        assertThat(world.run(MD).outcome()).isInstanceOf(Outcome.Published.class);
        assertThat(secret(PROVISIONING).annotations()).containsEntry("osmhub.io/machine-deployment", MD);
    }

    @Test
    void aConfigOfThePeerDoesNotMeanThatTheHubHasPublished() {
        published().asPeer();
        world.keepsOsm = true;
        world.clusterDns("10.1.1.1");

        assertThat(reasons(world.decide(MD))).containsExactly(Reason.OSMContentKept);
    }

    @Test
    void whatTheHubPublishedChangesWithoutAConsent() {
        published().keepsOsm = true;
        world.configs.clear();
        world.clusterDns("10.1.1.1");

        assertThat(world.run(MD).outcome()).isInstanceOf(Outcome.Published.class);
    }

    @Test
    void stampsAnImmutableSecretOfThePeerInPlace() {
        published().asPeer();
        world.annotate(MD, MachineDeployment.REVISION, "2");

        world.run(MD);

        assertThat(world.kinds()).containsExactly("AnnotateSecret");
        assertThat(world.decide(MD).changes()).isEmpty();
    }

    @Test
    void anObjectOfSomebodyElseIsLeftAlone() {
        StoredSecret foreign = stored(PROVISIONING, new TreeMap<>(), "kubectl-create");
        world.secrets.put(PROVISIONING, foreign);

        Decision decision = world.run(MD);

        assertThat(world.done).isEmpty();
        assertThat(reasons(decision)).containsExactly(Reason.ObjectNotOwned);
        assertThat(decision.outcome()).isInstanceOf(Outcome.NotPublished.class);
        assertThat(decision.problems().getFirst().message())
                .isEqualTo("cluster-x7f: Secret " + PROVISIONING
                        + ": written by kubectl-create, not by this hub, nothing is overwritten; delete it, or let the hub adopt it: "
                        + "in worker cluster x7f: kubectl -n cloud-init-settings annotate Secret " + PROVISIONING
                        + " osmhub.io/machine-deployment=" + MD);
    }

    @Test
    void anObjectOfAnotherHubIsLeftAlone() {
        published().hubId = "another";

        Decision decision = world.decide(MD);

        assertThat(decision.changes()).isEmpty();
        assertThat(reasons(decision)).containsOnly(Reason.ObjectNotOwned);
        assertThat(decision.problems().getFirst().message()).contains("written by the hub " + World.HUB);
    }

    @Test
    void anObjectOfATakenOverHubIsOwned() {
        published().hubId = "another";
        String cure = world.decide(MD).problems().getFirst().message();
        world.formerHubs = Set.of(World.HUB);

        Decision decision = world.decide(MD);

        assertThat(cure).endsWith("hub cluster takeover x7f -n cluster-x7f --from " + World.HUB);
        assertThat(decision.problems()).isEmpty();
        assertThat(decision.changes()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"'', " + World.HUB, World.HUB + ", ''"})
    void anEmptyIdIsNeverAnotherHub(String before, String after) {
        world.hubId = before;
        published().hubId = after;

        Decision decision = world.decide(MD);

        assertThat(decision.problems()).isEmpty();
        assertThat(decision.changes()).isEmpty();
    }

    @Test
    void anObjectThatWasHandedOverIsTaken() {
        SortedMap<String, String> mark = new TreeMap<>();
        mark.put(OwnershipAnnotations.OWNER, MD);
        world.secrets.put(PROVISIONING, stored(PROVISIONING, mark, "kubectl-create"));

        world.run(MD);

        assertThat(secret(PROVISIONING).lastWriter()).isEqualTo("osm-hub");
        assertThat(world.decide(MD).changes()).isEmpty();
    }

    private static StoredSecret stored(String name, SortedMap<String, String> annotations, String writer) {
        return new StoredSecret(
                "cloud-init-settings",
                name,
                "u",
                "1",
                StoredSecret.OPAQUE,
                false,
                annotations,
                new TreeMap<>(),
                new TreeMap<>(),
                0,
                writer);
    }

    @Test
    void whenNothingCanBeRenderedThePublishedStaysAndItsTokenIsKept() {
        published().profileText = "{{ fail `no` }}";
        world.now = World.START.plus(Duration.ofMinutes(60));

        Decision decision = world.run(MD);

        assertThat(world.kinds()).containsExactly("ExtendToken");
        assertThat(reasons(decision)).containsExactly(Reason.TemplateExecutionFailed);
        assertThat(decision.outcome()).isInstanceOf(Outcome.NotRendered.class);
        assertThat(decision.requeueAt()).isEqualTo(world.now.plus(Duration.ofMinutes(50)));
    }

    @Test
    void aFirstRenderingThatFailsWritesNothing() {
        world.noProfile = new Problem(
                Reason.ProfileNotFound, ProblemObject.of("MachineDeployment", MD), "annotation x", "none", "");

        Decision decision = world.run(MD);

        assertThat(world.done).isEmpty();
        assertThat(reasons(decision)).containsExactly(Reason.ProfileNotFound);
        assertThat(decision.requeueAt()).isNull();
    }

    @Test
    void invalidSettingsAreToldAtTheWorkerCluster() {
        published().brokenSettings = new Problem(
                Reason.SettingsReferenceNotFound,
                ProblemObject.NONE,
                "provisioning.hostCA.secretKeyRef",
                "no Secret x",
                "create it");

        Decision decision = world.decide(MD);

        assertThat(decision.changes()).isEmpty();
        assertThat(decision.problems())
                .extracting(Problem::reason, Problem::message)
                .containsExactly(tuple(
                        Reason.SettingsReferenceNotFound,
                        "cluster-x7f: WorkerCluster x7f, spec.provisioning.hostCA.secretKeyRef: no Secret x; create it: "
                                + "kubectl -n cluster-x7f edit workercluster x7f"));
    }

    @Test
    void whatExceededALimitIsRenderedOnceForAllMachineDeploymentsOfTheKind() {
        published();
        world.machineDeployment("kube-system", "more");
        world.profileText = "{{ range until 5000000 }}{{ end }}";
        assertThat(reasons(world.decide(MD))).containsExactly(Reason.TemplateLimitExceeded);
        int reads = world.clockReads;

        Decision same = world.decide(MD);
        Decision other = world.decide("kube-system/more");

        assertThat(reasons(same)).containsExactly(Reason.TemplateLimitExceeded);
        assertThat(reasons(other)).containsExactly(Reason.TemplateLimitExceeded);
        assertThat(other.requeueAt()).isEqualTo(world.now.plus(Duration.ofMinutes(10)));
        assertThat(world.clockReads).isEqualTo(reads);
    }

    @Test
    void whatExceededALimitIsRenderedAgainWhenAnInputChangesOrTimePassed() {
        published();
        world.profileText = "{{ range until 5000000 }}{{ end }}";
        assertThat(reasons(world.decide(MD))).containsExactly(Reason.TemplateLimitExceeded);
        int reads = world.clockReads;

        world.clusterDns("10.0.0.10");
        world.decide(MD);
        assertThat(world.clockReads).isGreaterThan(reads);

        reads = world.clockReads;
        world.now = world.now.plus(Duration.ofMinutes(10));
        world.decide(MD);
        assertThat(world.clockReads).isGreaterThan(reads);

        world.profileText = "";
        assertThat(reasons(world.decide(MD))).doesNotContain(Reason.TemplateLimitExceeded);
    }

    @Test
    void whatExceededALimitIsRenderedAgainWhenACredentialOrTheApiServerChanges() {
        published();
        world.profileText = "{{ range until 5000000 }}{{ end }}";
        world.decide(MD);
        int reads = world.clockReads;

        world.registryCredentials = RegistryCredentials.read(
                "registries", null, Map.of("registry.example", "{\"username\":\"u\",\"password\":\"p\"}"));
        world.decide(MD);
        assertThat(world.clockReads).isGreaterThan(reads);

        reads = world.clockReads;
        world.endpoint = "https://other.example:6443";
        world.decide(MD);
        assertThat(world.clockReads).isGreaterThan(reads);
    }

    @Test
    void previewsUseWhatPublishingExceededAndDoNotAffectIt() {
        published();
        world.profileText = "{{ range until 5000000 }}{{ end }}";
        assertThatExceptionOfType(TenantMistake.class).isThrownBy(() -> world.preview(MD));
        int reads = world.clockReads;

        world.decide(MD);
        assertThat(world.clockReads).isGreaterThan(reads);

        int published = world.clockReads;
        assertThatExceptionOfType(TenantMistake.class).isThrownBy(() -> world.preview(MD));
        assertThat(world.clockReads).isEqualTo(published);
    }

    @Test
    void aProfileOfManySlowFilesIsStoppedAsAWhole() {
        published().copies = 40;
        world.profileText = "{{ range until 150000 }}{{ end }}";

        Decision decision = world.decide(MD);

        assertThat(reasons(decision)).containsExactly(Reason.TemplateLimitExceeded);
        assertThat(decision.problems().getFirst().message()).contains("more than 5000000 steps");
        assertThat(decision.changes()).isEmpty();
    }

    @Test
    void userDataThatIsTooLargeKeepsTheOlder() {
        published().profileText = UserDataSize.standIn(24_000).reveal();

        Decision decision = world.decide(MD);

        assertThat(decision.changes()).isEmpty();
        assertThat(reasons(decision)).containsExactly(Reason.UserDataTooLarge);
        assertThat(decision.outcome()).isInstanceOf(Outcome.NotPublished.class);
        assertThat(decision.problems().getFirst().message())
                .contains("too large for aws", " B of 16,384 B after gzip)")
                .contains("/opt/bin/bootstrap")
                .contains(", older content stays in use; ");
    }

    private static String kubelet(String fields) {
        return "apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n" + fields + "\n";
    }

    @Test
    void contentThatNoKubeletCanReadKeepsTheOlder() {
        published().profileText = kubelet("maxPods: many");

        Decision decision = world.decide(MD);

        assertThat(decision.changes()).isEmpty();
        assertThat(reasons(decision)).containsOnly(Reason.UserDataUnreadable);
        assertThat(decision.outcome()).isInstanceOf(Outcome.NotPublished.class);
        assertThat(decision.problems().getFirst().message())
                .contains("MachineDeployment " + MD + ", file ")
                .contains(": no YAML: ", " as rendered")
                .contains(", no node starts with it, older content stays in use; ", "correct spec.")
                .contains(" of OperatingSystemProfile ");
    }

    @Test
    void contentThatNoKubeletCanReadIsNeverPublished() {
        world.profileText = kubelet("maxPods: many");

        Decision decision = world.decide(MD);

        assertThat(decision.outcome()).isInstanceOf(Outcome.NotPublished.class);
        assertThat(decision.changes()).noneMatch(change -> World.kind(change).equals("CreateSecret"));
        assertThat(decision.problems().getFirst().message()).doesNotContain("older content");
    }

    @Test
    void aMistakeThatStopsNoNodeIsPublishedWithAWarning() {
        world.annotate(MD, "v1.kubelet-config.machine-controller.kubermatic.io/maxPods", "60");

        Decision decision = world.decide(MD);

        assertThat(decision.outcome()).isInstanceOf(Outcome.Published.class);
        assertThat(decision.changes()).isNotEmpty();
        assertThat(reasons(decision)).containsExactly(Reason.KubeletAnnotationUnusable);
    }

    @Test
    void anObjectThatIsTooLargeIsNotPublished() {
        world.machinesOf(MD, World.providerSpec("openstack", "AAAA"));
        world.profileText = "{{ repeat 40000 `12345678901234567890` }}";

        Decision decision = world.decide(MD);

        assertThat(decision.changes()).isEmpty();
        assertThat(reasons(decision)).containsAnyOf(Reason.ObjectTooLarge, Reason.UserDataTooLarge);
    }

    @Test
    void deletionTakesTheBootstrapSecretFirstAndTheFinalizerLast() {
        published().delete(MD);

        world.run(MD);

        assertThat(world.done.getFirst().describe()).isEqualTo("delete Secret cloud-init-settings/" + BOOTSTRAP);
        assertThat(world.done.getLast().describe()).isEqualTo("remove the finalizer from MachineDeployment " + MD);
        assertThat(world.secrets).isEmpty();
        assertThat(world.tokens).isEmpty();
        assertThat(world.configs).isEmpty();
        assertThat(world.machineDeployments).isEmpty();
    }

    @Test
    void deletionLeavesObjectsOfOthers() {
        published();
        world.secrets.put(PROVISIONING, stored(PROVISIONING, new TreeMap<>(), "kubectl-create"));
        world.delete(MD);

        world.run(MD);

        assertThat(world.secrets).containsOnlyKeys(PROVISIONING);
        assertThat(world.machineDeployments).isEmpty();
    }

    @Test
    void withoutItsProfileAnnotationTheSecretsStayAndTheTokenIsKept() {
        published().annotate(MD, MachineDeployment.PROFILE, null);
        world.now = World.START.plus(Duration.ofMinutes(60));

        Decision decision = world.run(MD);

        assertThat(world.kinds()).containsExactly("ExtendToken");
        assertThat(reasons(decision)).containsExactly(Reason.ProfileAnnotationMissing);
    }

    @Test
    void aMachineDeploymentThatNeverNamedAProfileIsNotOurs() {
        world.annotate(MD, MachineDeployment.PROFILE, null);

        assertThat(world.decide(MD).outcome()).isEqualTo(new Outcome.NotManaged());
    }

    @Test
    void whilePausedItTellsWhatItWouldDo() {
        world.paused = true;

        Decision decision = world.decide(MD);

        assertThat(decision.changes()).isEmpty();
        assertThat(decision.withheld()).hasSize(6);
        assertThat(decision.requeueAt()).isNull();
    }

    @Test
    void twoMachineDeploymentsThatGiveOneNameTheOlderGetsIt() {
        World both = new World(1).machineDeployment("c", "a-b");
        both.now = World.START.plusSeconds(10);
        both.machineDeployment("b-c", "a");

        both.run("c/a-b");
        Decision second = both.decide("b-c/a");

        assertThat(both.secrets).containsKey("a-b-c-bootstrap-config");
        assertThat(second.changes()).isEmpty();
        assertThat(second.problems())
                .extracting(Problem::reason, Problem::message)
                .containsExactly(
                        tuple(
                                Reason.NameCollision,
                                "cluster-x7f: MachineDeployment b-c/a: OperatingSystemConfig a-b-c-config already belongs to "
                                        + "MachineDeployment c/a-b, nothing is overwritten; replace this MachineDeployment by one with another name"));
        assertThat(both.decide("c/a-b").changes()).isEmpty();
    }

    @Test
    void theMarkDecidesNotTheAge() {
        World both = new World(1).machineDeployment("c", "a-b");
        both.run("c/a-b");
        both.now = World.START.minusSeconds(1000);
        both.machineDeployment("b-c", "a");
        both.now = World.START;

        assertThat(reasons(both.decide("b-c/a"))).containsExactly(Reason.NameCollision);
        assertThat(both.decide("c/a-b").problems()).isEmpty();
    }

    @Test
    void withoutAMarkTheOneThatTheSecretFitsIsTheOwner() {
        World both = new World(1).machineDeployment("b-c", "a");
        both.now = World.START.plusSeconds(10);
        both.machineDeployment("c", "a-b");
        MachineDeployment older = both.get("b-c/a");
        both.machineDeployments.remove("b-c/a");
        both.run("c/a-b");
        both.asPeer();
        both.put(older);

        assertThat(reasons(both.decide("b-c/a"))).containsExactly(Reason.NameCollision);
        assertThat(both.decide("c/a-b").problems()).isEmpty();
    }

    @Test
    void whenTheOwnerGoesTheOtherIsPublished() {
        World both = new World(1).machineDeployment("c", "a-b");
        both.now = World.START.plusSeconds(10);
        both.machineDeployment("b-c", "a");
        both.run("c/a-b");
        both.delete("c/a-b").run("c/a-b");

        both.run("b-c/a");

        assertThat(Objects.requireNonNull(both.secrets.get("a-b-c-bootstrap-config"))
                        .annotations())
                .containsEntry(OwnershipAnnotations.OWNER, "b-c/a");
    }

    @Test
    void deletingTheLoserTakesNothingFromTheOwner() {
        World both = new World(1).machineDeployment("c", "a-b");
        both.now = World.START.plusSeconds(10);
        both.machineDeployment("b-c", "a");
        both.run("c/a-b");
        both.asPeer();
        MachineDeployment loser = both.get("b-c/a");
        both.put(new MachineDeployment(
                loser.namespace(),
                loser.name(),
                loser.uid(),
                "",
                loser.creationTimestamp(),
                both.now,
                List.of(MachineDeployment.FINALIZER),
                loser.annotations(),
                loser.kubeletVersion(),
                loser.providerSpec(),
                new TreeMap<>()));

        both.run("b-c/a");

        assertThat(both.secrets).containsKeys("a-b-c-bootstrap-config", "a-b-c-provisioning-config");
        assertThat(both.configs).hasSize(1);
        assertThat(both.machineDeployments).doesNotContainKey("b-c/a");
    }

    @Test
    void aSecretOfAnotherKindUnderOneNameIsACollisionToo() {
        World both = new World(1).machineDeployment("y-kubelet", "x");
        both.run("y-kubelet/x");
        both.now = World.START.plusSeconds(10);
        both.machineDeployment("x", "y");

        assertThat(reasons(both.decide("x/y"))).containsExactly(Reason.NameCollision);
    }

    @Test
    void aMachineDeploymentCanCollideWithItself() {
        String name = "n".repeat(60);
        World one = new World(1).machineDeployment("kubelet", name);

        Decision decision = one.decide("kubelet/" + name);

        assertThat(decision.changes()).isEmpty();
        assertThat(reasons(decision)).containsExactly(Reason.NameCollision);
    }

    @ParameterizedTest
    @ValueSource(ints = {64, 230})
    void aNameThatIsTooLongIsToldBeforeTheFirstWrite(int length) {
        String name = "n".repeat(length);
        World one = new World(1).machineDeployment("kube-system", name);

        Decision decision = one.decide("kube-system/" + name);

        assertThat(decision.changes()).isEmpty();
        assertThat(reasons(decision)).contains(Reason.NameTooLong).doesNotContain(Reason.ProfileNotFound);
    }

    @Test
    void aMachineDeploymentMadeAnewTakesOverWhatItsPredecessorLeft() {
        published().machineDeployments.clear();
        String token = world.tokens.firstKey();
        world.machineDeployment("kube-system", "workers");

        world.run(MD);

        assertThat(world.secrets.values()).allSatisfy(secret -> assertThat(secret.annotations())
                .containsEntry(OwnershipAnnotations.UID, world.get(MD).uid()));
        assertThat(world.tokens).hasSize(2);
        assertThat(world.embeddedToken(MD)).doesNotContain(token.substring(16));
        assertThat(world.decide(MD).changes()).isEmpty();
    }

    @Test
    void aRevisionThatDoesNotComeIsTold() {
        world.annotate(MD, MachineDeployment.REVISION, null);

        Decision first = world.run(MD);

        assertThat(first.problems()).isEmpty();
        assertThat(first.requeueAt()).isEqualTo(World.START.plus(Duration.ofMinutes(2)));

        world.now = World.START.plus(Duration.ofMinutes(2));

        assertThat(reasons(world.decide(MD))).containsExactly(Reason.RevisionNotSet);
    }

    @Test
    void aServiceAccountTakesThePlaceOfTokens() {
        published().bootstrap(new ServiceAccountName("kube-system", "join"), Duration.ofHours(2));

        Decision missing = world.decide(MD);

        assertThat(missing.changes()).isEmpty();
        assertThat(reasons(missing)).containsExactly(Reason.ServiceAccountTokenMissing);

        world.serviceAccountToken = "sa-token";
        world.run(MD);

        assertThat(world.kinds()).containsExactly("UpdateSecret", "UpdateSecret");
        assertThat(world.embeddedToken(MD)).isEqualTo("sa-token");
        assertThat(world.decide(MD).changes()).isEmpty();

        world.now = World.START.plus(Duration.ofHours(3));
        world.done.clear();
        world.run(MD);

        assertThat(world.kinds()).containsExactly("DeleteToken");
        assertThat(world.decide(MD).requeueAt()).isNull();
    }

    @Test
    void aFailureOfTheHubKeepsTheTokenToo() {
        published();
        world.now = World.START.plus(Duration.ofMinutes(60));
        Facts facts = world.facts(MD);
        RenderInput.Profile found = Objects.requireNonNull(facts.profile().value());
        Facts broken = new Facts(
                withOperatingSystem(facts.machineDeployment(), "flatcar"),
                facts.otherClaimants(),
                LookupResult.of(new RenderInput.Profile(
                        found.namespace(), found.name(), found.compiled(), AppliedExtensions.NONE, () -> {
                            throw new IllegalStateException("a fault");
                        })),
                facts.tenant(),
                facts.apiServer(),
                facts.fetch(),
                facts.serviceAccountToken(),
                facts.found(),
                facts.now(),
                true,
                true);

        Decision decision = world.decider.decide(broken);

        assertThat(decision.outcome()).isInstanceOf(Outcome.Failed.class);
        assertThat(decision.changes()).singleElement().isInstanceOf(PlannedChange.ExtendToken.class);
    }

    private static MachineDeployment withOperatingSystem(MachineDeployment machineDeployment, String operatingSystem) {
        return new MachineDeployment(
                machineDeployment.namespace(),
                machineDeployment.name(),
                machineDeployment.uid(),
                machineDeployment.resourceVersion(),
                machineDeployment.creationTimestamp(),
                null,
                machineDeployment.finalizers(),
                machineDeployment.annotations(),
                machineDeployment.kubeletVersion(),
                "{\"cloudProvider\":\"openstack\",\"operatingSystem\":\"" + operatingSystem + "\"}",
                new TreeMap<>());
    }

    @Test
    void namesAreThoseThatMachineControllerLooksFor() {
        published();

        assertThat(world.secrets)
                .containsOnlyKeys(SecretRole.BOOTSTRAP.name(ObjectNames.of(world.get(MD))), PROVISIONING, KUBELET);
        assertThat(secret(KUBELET).digests()).containsOnlyKeys("kubeconfig");
    }
}
