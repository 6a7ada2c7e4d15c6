package io.osmhub.workersync;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.plan.OwnershipAnnotations;
import io.osmhub.core.problem.Reason;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.apiserver.Verb;
import io.osmhub.workersync.fake.SimulatedServer;
import io.osmhub.workersync.fake.SyncWorld;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** machine-controller and others edit a MachineDeployment while the hub publishes for it. */
final class OtherWritersTest {
    private final SyncWorld world = new SyncWorld();

    private void started() {
        world.start();
        world.pass(Duration.ofSeconds(20));
        world.forgetRequests();
    }

    /** Another writer edits the MachineDeployment before this many of the hub's patches. */
    private void editBeforePatches(int times, Consumer<ObjectNode> edit) {
        int[] left = {times};
        world.worker.faults((request, number) -> {
            if (isPatch(request) && left[0]-- > 0) {
                ObjectNode object =
                        world.machineDeploymentJson("kube-system", "workers").deepCopy();
                edit.accept(object);
                world.worker.put(Resource.MACHINE_DEPLOYMENTS, object.toString(), "machine-controller");
            }
            return null;
        });
    }

    private static boolean isPatch(ApiRequest request) {
        return request.verb() == Verb.PATCH && request.resource() == Resource.MACHINE_DEPLOYMENTS;
    }

    private List<String> finalizers() {
        return world.machineDeploymentJson("kube-system", "workers")
                .at("/metadata/finalizers")
                .valueStream()
                .map(finalizer -> finalizer.asText())
                .toList();
    }

    @Test
    void anEditOfSomethingElseDoesNotDelayTheFinalizer() {
        started();
        editBeforePatches(3, object -> object.withObjectProperty("status")
                .put(
                        "observedGeneration",
                        object.at("/metadata/resourceVersion").asText()));

        world.machineDeployment("kube-system", "workers");
        world.time.settle();

        assertThat(world.bootstrap("kube-system", "workers")).isNotNull();
        assertThat(world.requests()).isEqualTo(6);
    }

    @Test
    void aRejectedFinalizerIsReportedAlthoughSomethingElseWasEditedMeanwhile() {
        started();
        world.worker.failWrites(SimulatedServer.status(422, "Invalid", "the webhook rejects it"));
        world.worker.faults((request, number) -> {
            if (request.verb() == Verb.GET && request.resource() == Resource.MACHINE_DEPLOYMENTS) {
                ObjectNode object =
                        world.machineDeploymentJson("kube-system", "workers").deepCopy();
                object.withObjectProperty("status").put("observedGeneration", number);
                world.worker.put(Resource.MACHINE_DEPLOYMENTS, object.toString(), "machine-controller");
            }
            return null;
        });

        world.machineDeployment("kube-system", "workers");
        world.time.settle();

        assertThat(world.hub().status().machineDeployments().getFirst().problems())
                .singleElement()
                .satisfies(problem -> {
                    assertThat(problem.reason()).isEqualTo(Reason.WriteRejected);
                    assertThat(problem.message()).contains("the webhook rejects it");
                });
    }

    @Test
    void aWriteThatAPolicyForbidsIsNoLackOfPermissions() {
        started();
        world.worker.failWrites(SimulatedServer.status(
                403, "Forbidden", "ValidatingAdmissionPolicy 'p' with binding 'b' denied request: no"));

        world.machineDeployment("kube-system", "workers");
        world.time.settle();

        assertThat(world.hub().status().machineDeployments().getFirst().problems())
                .singleElement()
                .satisfies(problem -> {
                    assertThat(problem.reason()).isEqualTo(Reason.WriteRejected);
                    assertThat(problem.message()).endsWith("denied request: no; change that policy, or exempt osm-hub");
                });
    }

    @Test
    void anotherFinalizerThatIsAddedMeanwhileStaysAndDelaysNothing() {
        started();
        editBeforePatches(1, object -> object.withObjectProperty("metadata")
                .putArray("finalizers")
                .add("example.com/other"));

        world.machineDeployment("kube-system", "workers");
        world.time.settle();

        assertThat(finalizers()).containsExactly("example.com/other", MachineDeployment.FINALIZER);
        assertThat(world.bootstrap("kube-system", "workers")).isNotNull();
        assertThat(world.worker.count(Verb.GET)).isEqualTo(1);
    }

    @Test
    void aRevisionThatIsSetWhileTheFinalizerIsAddedIsStamped() {
        started();
        editBeforePatches(1, object -> object.withObjectProperty("metadata")
                .withObjectProperty("annotations")
                .put(MachineDeployment.REVISION, "7"));

        world.machineDeployment("kube-system", "workers");
        world.time.settle();

        assertThat(revision()).isEqualTo("7");
    }

    private String revision() {
        return world.annotation("workers-kube-system-bootstrap-config", "k8c.io/machine-deployment-revision");
    }

    private void published() {
        world.machineDeployment("kube-system", "workers");
        started();
    }

    private void editTemplate() {
        ObjectNode object =
                world.machineDeploymentJson("kube-system", "workers").deepCopy();
        object.withObject("/spec/template/spec/providerSpec/value")
                .putArray("sshPublicKeys")
                .add("ssh-rsa AAAA x");
        world.worker.put(Resource.MACHINE_DEPLOYMENTS, object.toString(), "kubectl");
        world.time.settle();
    }

    @Test
    void aChangedTemplateIsPublishedOnceTogetherWithItsRevision() {
        published();

        editTemplate();
        assertThat(world.requests()).isZero();
        world.pass(Duration.ofMillis(300));
        world.annotate("kube-system", "workers", MachineDeployment.REVISION, "2");
        world.time.settle();

        assertThat(revision()).isEqualTo("2");
        assertThat(world.worker.requests().stream()
                        .filter(request -> request.resource() == Resource.SECRETS)
                        .map(ApiRequest::name))
                .hasSizeLessThanOrEqualTo(2)
                .doesNotHaveDuplicates();
        long requests = world.requests();
        world.pass(Duration.ofSeconds(10));
        assertThat(world.requests()).isEqualTo(requests);
    }

    @Test
    void aChangedTemplateIsPublishedSoonWhereNoRevisionFollows() {
        published();
        String before = world.bootstrap("kube-system", "workers");

        editTemplate();
        world.pass(Duration.ofSeconds(3));

        assertThat(world.bootstrap("kube-system", "workers")).isNotEqualTo(before);
        assertThat(revision()).isEqualTo("1");
    }

    @Test
    void aMachineDeploymentThatIsDeletedMeanwhileGetsNoFinalizer() {
        started();
        int[] left = {1};
        world.worker.faults((request, number) -> {
            if (isPatch(request) && left[0]-- > 0) {
                world.worker.remove(Resource.MACHINE_DEPLOYMENTS, "kube-system", "workers");
                world.machineDeployment("kube-system", "workers");
            }
            return null;
        });

        world.machineDeployment("kube-system", "workers");
        world.time.settle();

        assertThat(finalizers()).containsExactly(MachineDeployment.FINALIZER);
        assertThat(world.bootstrap("kube-system", "workers")).isNotNull();
    }

    /** Another hub's mark and a version that the API server will not reach. */
    private static byte[] foreign(byte[] answer) {
        ObjectNode object = SimulatedServer.parse(new String(answer, StandardCharsets.UTF_8));
        ObjectNode metadata = object.withObjectProperty("metadata").put("resourceVersion", "99999999");
        metadata.withObjectProperty("annotations").put(OwnershipAnnotations.HUB_ID, "another-hub");
        return object.toString().getBytes(StandardCharsets.UTF_8);
    }

    private List<Reason> problems() {
        return world.hub().status().machineDeployments().getFirst().problems().stream()
                .map(problem -> problem.reason())
                .toList();
    }

    @Test
    void aFalseResponseDoesNotMakeAnObjectForeignForGood() {
        started();
        world.worker.lie((request, answer) ->
                request.verb().writes() && request.resource() == Resource.SECRETS ? foreign(answer) : answer);
        world.machineDeployment("kube-system", "workers");
        world.time.settle();
        world.worker.lie((request, answer) -> answer);
        String before = world.bootstrap("kube-system", "workers");

        world.profile("1.1.0", "changed");
        world.time.settle();
        assertThat(problems()).contains(Reason.ObjectNotOwned);
        world.pass(Duration.ofMinutes(10));

        assertThat(problems()).isEmpty();
        assertThat(world.bootstrap("kube-system", "workers")).isNotEqualTo(before);
    }

    @Test
    void aFalseListDoesNotMakeAnObjectForeignForGood() {
        started();
        world.machineDeployment("kube-system", "workers");
        world.time.settle();
        world.kill();
        world.worker.lie((request, answer) -> request.verb() == Verb.LIST && request.resource() == Resource.SECRETS
                ? new String(answer, StandardCharsets.UTF_8)
                        .replaceAll("(\"" + OwnershipAnnotations.HUB_ID + "\":\")[^\"]*", "$1another-hub")
                        .getBytes(StandardCharsets.UTF_8)
                : answer);
        world.start();
        world.time.settle();
        assertThat(problems()).contains(Reason.ObjectNotOwned);

        world.worker.lie((request, answer) -> answer);
        world.pass(Duration.ofMinutes(10));

        assertThat(problems()).isEmpty();
    }
}
