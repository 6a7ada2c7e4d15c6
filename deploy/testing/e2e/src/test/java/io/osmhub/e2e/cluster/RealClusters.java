package io.osmhub.e2e.cluster;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A management cluster and some worker clusters for one test class: register it as a static extension. What the processes printed
 * and what the API servers were asked stays in {@link #FOLDER} after the run. Benchmarks {@link #start} them themselves.
 */
public final class RealClusters implements BeforeAllCallback, AfterAllCallback, AutoCloseable {
    /** The tag of a test that takes long or needs all others, and runs on one version of Kubernetes only. */
    public static final String ONE_VERSION = "one-version";

    /** Tag of tests that take so long that they run only if their method is named. */
    public static final String BY_NAME = "by-name";

    /** Where the clusters of each test class have their folder; another one for each version of Kubernetes. */
    public static final Path FOLDER = Path.of(System.getProperty("osmhub.e2e.folder", "target/e2e"));

    private static final Path MACHINE_KINDS =
            Path.of(System.getProperty("osmhub.root", "../../..")).resolve("docs/examples/machine-crds.yaml");

    private static final String IPV4 = "127.0.0.1";

    private final int workerCount;
    private final boolean machineKinds;
    private final boolean separateStore;
    private final boolean clientCertificates;
    private final String address;
    private final List<RealCluster> clusters = new ArrayList<>();
    private @Nullable Path folder;
    private @Nullable CertificateSigner signer;
    private final List<Etcd> stores = new ArrayList<>();

    private RealClusters(
            int workerCount, boolean machineKinds, boolean separateStore, boolean clientCertificates, String address) {
        this.workerCount = workerCount;
        this.machineKinds = machineKinds;
        this.separateStore = separateStore;
        this.clientCertificates = clientCertificates;
        this.address = address;
    }

    /** A management cluster, and this many worker clusters with the kinds of machine-controller. */
    public static RealClusters withWorkers(int count) {
        return new RealClusters(count, true, false, false, IPV4);
    }

    /** A management cluster, and this many worker clusters, all as kube-apiserver starts them. */
    public static RealClusters bare(int workers) {
        return new RealClusters(workers, false, false, false, IPV4);
    }

    /** The same as {@link #withWorkers}, but the management cluster has its own etcd, which can be restored from a backup. */
    public static RealClusters withSeparateStores(int workers) {
        return new RealClusters(workers, true, true, false, IPV4);
    }

    /** A management cluster, and one worker cluster that machines can join: {@link #signer} signs the certificates of its nodes. */
    public static RealClusters withNodes() {
        return new RealClusters(1, true, false, true, IPV4);
    }

    /** A management cluster and one worker cluster, reached by IPv6, that accept client certificates of {@link #signer}. */
    public static RealClusters withIpv6AndClientCertificates() {
        return new RealClusters(1, true, false, true, "::1");
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        if (isNested(context)) {
            return;
        }
        start(FOLDER.toAbsolutePath().resolve(context.getRequiredTestClass().getSimpleName()));
    }

    /** Starts the processes with their files in a folder, which is replaced; returns when all API servers are ready. */
    public RealClusters start(Path place) {
        delete(place);
        folder = create(place);
        ServerPrograms programs = ServerPrograms.locate();
        stores.add(Etcd.start(programs, create(place.resolve("store"))));
        if (separateStore) {
            stores.add(Etcd.start(programs, create(place.resolve("worker-store"))));
        }
        for (int number = 0; number <= workerCount; number++) {
            String name = number == 0 ? "management" : "worker-" + number;
            Etcd store = number == 0 ? stores.getFirst() : stores.getLast();
            clusters.add(RealCluster.start(name, programs, store.url(), place.resolve(name), address, flags(place)));
        }
        clusters.forEach(RealCluster::awaitReady);
        if (machineKinds) {
            clusters.subList(1, clusters.size()).forEach(RealClusters::installMachineKinds);
        }
        return this;
    }

    private List<String> flags(Path place) {
        if (!clientCertificates) {
            return List.of("--authorization-mode=RBAC");
        }
        if (signer == null) {
            signer = CertificateSigner.create(place, "nodes");
        }
        return List.of("--client-ca-file=" + signer.certificateFile(), "--authorization-mode=Node,RBAC");
    }

    /** The CA of client certificates; needs {@link #withNodes} or {@link #withIpv6AndClientCertificates}. */
    public CertificateSigner signer() {
        return Objects.requireNonNull(signer, "without client certificates");
    }

    /** Makes a cluster know MachineDeployments, as machine-controller's manifests do. */
    public static void installMachineKinds(RealCluster cluster) {
        ManifestObjects.file(MACHINE_KINDS).forEach(definition -> {
            cluster.admin().apply(definition);
            awaitServed(cluster, ManifestObjects.name(definition));
        });
    }

    /** Waits until the API server serves a custom kind. */
    public static void awaitServed(RealCluster cluster, String definition) {
        var stored = cluster.admin()
                .typed()
                .apiextensions()
                .v1()
                .customResourceDefinitions()
                .withName(definition);
        Await.until(
                definition + " is served",
                () -> Optional.ofNullable(stored.get()).map(CustomResourceDefinition::getStatus).stream()
                        .flatMap(status -> Stream.ofNullable(status.getConditions()))
                        .flatMap(List::stream)
                        .anyMatch(condition -> condition.getType().equals("Established")
                                && condition.getStatus().equals("True")));
    }

    /** A file that lies beside the tests. */
    public static String resource(String name) {
        try (var in = RealClusters.class.getResourceAsStream("/io/osmhub/e2e/" + name)) {
            return new String(Objects.requireNonNull(in, name).readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void afterAll(ExtensionContext context) {
        if (isNested(context)) {
            return;
        }
        close();
    }

    /** Ends the processes; their logs stay, the data of etcd do not. */
    @Override
    public void close() {
        clusters.forEach(RealCluster::close);
        clusters.clear();
        stores.forEach(store -> {
            store.close();
            delete(store.data());
        });
        stores.clear();
    }

    /** Copies the data of a cluster to a folder; needs {@link #withSeparateStores}. Its API server restarts. */
    public void backUp(RealCluster cluster, Path backup) {
        replaceData(cluster, store -> copy(store.data(), backup), _ -> {});
    }

    /** Replaces the data of a cluster by those of a backup, at a higher revision. */
    public void restore(RealCluster cluster, Path backup) {
        replaceData(
                cluster,
                store -> {
                    delete(store.data());
                    copy(backup, store.data());
                },
                Etcd::bumpRevision);
    }

    /** Ends the etcd of a cluster, whose API server then answers with errors or not at all; needs {@link #withSeparateStores}. */
    public void stopStore(RealCluster cluster) {
        store(cluster).stop();
    }

    /** Brings the etcd of a cluster back with its data. */
    public void resumeStore(RealCluster cluster) {
        store(cluster).resume();
    }

    private Etcd store(RealCluster cluster) {
        return cluster == management() ? stores.getFirst() : stores.getLast();
    }

    /** Changes the files of the stopped etcd, then what the running one holds. */
    private void replaceData(RealCluster cluster, Consumer<Etcd> change, Consumer<Etcd> afterwards) {
        Etcd store = store(cluster);
        cluster.stop();
        store.stop();
        change.accept(store);
        store.resume();
        afterwards.accept(store);
        cluster.resume();
    }

    private static void copy(Path from, Path to) {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(from.relativize(file).toString()));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Nested classes share the clusters of the class around them. */
    private static boolean isNested(ExtensionContext context) {
        return context.getRequiredTestClass().isMemberClass();
    }

    /** Where this class keeps its files. */
    public Path folder() {
        return Objects.requireNonNull(folder, "the clusters are started before the first test");
    }

    public RealCluster management() {
        return clusters.getFirst();
    }

    /** A worker cluster, counted from 1. */
    public RealCluster worker(int number) {
        return clusters.get(number);
    }

    private static Path create(Path place) {
        try {
            return Files.createDirectories(place);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void delete(Path place) {
        if (!Files.exists(place)) {
            return;
        }
        try (Stream<Path> files = Files.walk(place)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
