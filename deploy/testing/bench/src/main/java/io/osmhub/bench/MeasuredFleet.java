package io.osmhub.bench;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.demo.stage.PackedManifests;
import io.osmhub.sim.controllers.PublishTimes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntUnaryOperator;

/** A management cluster and worker clusters to measure a hub with: creates MachineDeployments and measures when their secrets appear. */
interface MeasuredFleet extends AutoCloseable {
    /** Namespace of all MachineDeployments. */
    String NAMESPACE = "kube-system";

    /** For the progress bar. */
    String kind();

    /** The hub's kubeconfig. */
    String managementKubeconfig();

    int managementPort();

    Set<Integer> workerPorts();

    /** Adds and registers a tenant with existing MachineDeployments. */
    void addTenant(int machineDeployments);

    /** Creates a MachineDeployment in the tenant with this index. */
    void create(int tenant, String name);

    /** Creates MachineDeployments as fast as possible, numbered from 0. */
    default void createAll(String prefix, int count, IntUnaryOperator tenantOf) {
        for (int i = 0; i < count; i++) {
            create(tenantOf.applyAsInt(i), prefix + i);
        }
    }

    /** The times of each worker cluster. */
    List<PublishTimes> publishTimes();

    /** Discards all measured latencies. */
    default void startMeasuring() {
        publishTimes().forEach(PublishTimes::reset);
    }

    /** Number of MachineDeployments created since then without secrets. */
    default long pending() {
        return publishTimes().stream().mapToLong(PublishTimes::pending).sum();
    }

    /** Latencies of the others. */
    default Collection<Duration> latencies() {
        return publishTimes().stream()
                .flatMap(times -> times.millis().stream())
                .map(millis -> Duration.ofNanos(Math.round(millis * 1e6)))
                .toList();
    }

    /** Requests to all clusters so far, by {@code verb resource}. */
    Map<String, Long> requests();

    @Override
    void close();

    /** The benchmark's profile, which is as large as OSM's for ubuntu, a MachineDeployment that uses it, and extensions of it. */
    record FleetExample(ObjectNode profile, ObjectNode machineDeployment, List<ObjectNode> extensions) {
        static FleetExample read(Path checkout, String profileNamespace) throws IOException {
            Path cases = checkout.resolve("deploy/testing/bench/cases/ubuntu");
            ObjectNode profile = read(cases.resolve("osp.yaml")).getFirst();
            profile.withObject("/metadata").put("namespace", profileNamespace);
            return new FleetExample(
                    profile,
                    read(cases.resolve("machinedeployment.yaml")).getFirst(),
                    read(cases.resolve("extensions.yaml")));
        }

        private static List<ObjectNode> read(Path file) throws IOException {
            return PackedManifests.read(Files.readString(file));
        }

        /** A new MachineDeployment. */
        ObjectNode machineDeployment(String name) {
            ObjectNode copy = machineDeployment.deepCopy();
            copy.withObject("/metadata").put("namespace", NAMESPACE).put("name", name);
            return copy;
        }
    }
}
