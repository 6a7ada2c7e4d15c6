package io.osmhub.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.e2e.cluster.RealCluster;
import io.osmhub.e2e.cluster.RealClusters;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The commands of the guides, run by a shell as their readers run them: all blocks of a page with the language {@code sh}, in their
 * order, on clusters where nothing is prepared. The transcript stays in the folder of the test.
 */
@Tag(RealClusters.ONE_VERSION)
final class GuidesE2E {
    /** The pages with commands for real API servers; GuidePagesTest checks that none is missing. */
    static final String PAGES = "quick-start how-to/install how-to/register-tenants how-to/rotate-credentials"
            + " how-to/back-up how-to/remove how-to/use-cluster-api how-to/replace-osm reference/kkp";

    @RegisterExtension
    static final RealClusters CLUSTERS = RealClusters.bare(7);

    private static final Path ROOT = Path.of(System.getProperty("osmhub.root", "../../.."))
            .toAbsolutePath()
            .normalize();
    private static final Pattern COMMANDS = Pattern.compile("(?ms)^ *```sh\n(.*?)^ *```$");
    private static final int LIMIT_MINUTES = 10;
    private static final Path KUBECTL = kubectl();

    private static Path kubectl() {
        try {
            Process program = new ProcessBuilder(
                            ROOT.resolve("deploy/testing/e2e/kubectl/program").toString())
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            return Path.of(new String(program.getInputStream().readAllBytes(), UTF_8).strip());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void theQuickStartLeadsFromEmptyClustersToAServedTenant() throws Exception {
        String transcript = run("quick-start", CLUSTERS.management(), CLUSTERS.worker(1), commands("quick-start"));

        assertThat(transcript)
                .contains("osp-ubuntu")
                .contains("-kube-system-bootstrap-config")
                .contains("-kube-system-provisioning-config");
    }

    @Test
    void theGuidesForOperationWorkOnAServedTenant() throws Exception {
        String served = commands("quick-start");
        String commands = served.substring(0, served.indexOf("kubectl create namespace cluster-shop"))
                + commands("how-to/install")
                + commands("how-to/register-tenants")
                + served.substring(served.indexOf("sed 's/osp-example/osp-ubuntu/'"), served.indexOf("hub login"))
                + commands("how-to/rotate-credentials")
                + commands("how-to/back-up")
                + commands("how-to/remove");

        String transcript = run("operation", CLUSTERS.worker(2), CLUSTERS.worker(3), commands);

        assertThat(transcript)
                .contains("renewed")
                .contains("No resources found")
                .contains("secrets cloud-init-settings/workers-kube-system-bootstrap-config");
        assertThat(CLUSTERS.folder().resolve("operation/backup.json")).isNotEmptyFile();
    }

    @Test
    void kubeconfigsOfClusterApiRegisterTenants() throws Exception {
        String served = commands("quick-start");
        String commands = served.substring(0, served.indexOf("kubectl create namespace cluster-shop"))
                        .replace("--api-address", "--set tenancy.discovery.clusterAPI=true --api-address")
                + commands("how-to/use-cluster-api");

        String transcript = run("cluster-api", CLUSTERS.worker(4), CLUSTERS.worker(5), commands);

        assertThat(transcript).contains("workercluster.osmhub.io/shop condition met");
    }

    @Test
    void theGuidesForReplacingOsmLeadToTheHubAndBack() throws Exception {
        RealCluster management = CLUSTERS.worker(6);
        RealTenant tenant = new RealTenant("cluster-9tzl4w", management, CLUSTERS.worker(7));
        OsmInstallation osm = OsmInstallation.create(tenant, FixtureCase.osm("flatcar-aws-default"));
        String served = commands("quick-start");
        String start =
                served.substring(0, served.indexOf("hub cluster prepare shop")) + "export KUBECONFIG=management.yaml\n";
        String replace = withoutQuestions(commands("how-to/replace-osm"));
        int inPlace = replace.indexOf("hub migrate back --yes --in-place");
        Map<String, String> published = tenant.secretVersions();

        String there = run("replace-osm", management, tenant.worker(), start + replace.substring(0, inPlace));

        assertThat(there)
                .contains("writes: 0, unclear: 0")
                .contains("tenants: 1, objects: 6, secrets written: 0, revisions moved: 0")
                .contains("returned to Deployment cluster-9tzl4w/operating-system-manager");
        assertThat(tenant.secretVersions()).isEqualTo(published);
        assertThat(osm.replicas()).isOne();

        osm.installKkp(CLUSTERS.folder().resolve("kkp"));
        Thread kkp = Thread.ofVirtual().start(osm::stopAndStartAsTheClusterSays);
        String back = run(
                "kkp",
                management,
                tenant.worker(),
                start.substring(start.indexOf("hub run"))
                                .replace("--api-address", "--set kkp.namespace=kubermatic --api-address")
                        + withoutQuestions(commands("reference/kkp")));
        kkp.join();

        assertThat(back)
                .contains("169.254.20.10")
                .contains("workercluster.osmhub.io/cluster-9tzl4w condition met")
                .contains("secrets written: 0");

        osm.runTheHubInItsPlace();
        assertThat(run(
                        "in-place",
                        management,
                        tenant.worker(),
                        "export KUBECONFIG=management.yaml\n" + replace.substring(inPlace)))
                .contains("kube-system");
    }

    private static String withoutQuestions(String commands) {
        return commands.replaceAll("hub migrate (?:apply|back)", "$0 --yes");
    }

    /** All commands of a page. */
    private static String commands(String page) throws IOException {
        StringBuilder commands = new StringBuilder();
        Matcher block = COMMANDS.matcher(Files.readString(ROOT.resolve("docs/" + page + ".md"), UTF_8));
        while (block.find()) {
            commands.append(block.group(1));
        }
        return commands.toString();
    }

    /** Runs commands and returns their transcript; fails on the first command that fails. */
    private static String run(String name, RealCluster management, RealCluster worker, String commands)
            throws IOException, InterruptedException {
        Path folder = Files.createDirectories(CLUSTERS.folder().resolve(name).toAbsolutePath());
        Files.writeString(folder.resolve("management.yaml"), management.kubeconfig(management.adminToken()));
        Files.writeString(folder.resolve("shop-admin.yaml"), worker.kubeconfig(worker.adminToken()));
        link(folder.resolve("docs"), ROOT.resolve("docs"));
        link(folder.resolve("deploy"), ROOT.resolve("deploy"));
        String script = "set -euo pipefail\nset -m\ntrap 'kill $(jobs -p) || true' EXIT\nset -v\n" + commands;
        Path file = Files.writeString(folder.resolve("commands.sh"), script);
        Path transcript = folder.resolve("transcript.txt");

        ProcessBuilder shell = new ProcessBuilder(List.of("bash", file.toString()))
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectInput(new File("/dev/null"))
                .redirectOutput(transcript.toFile());
        shell.environment().clear();
        shell.environment().putAll(environment(folder));
        Process process = shell.start();
        if (!process.waitFor(LIMIT_MINUTES, TimeUnit.MINUTES)) {
            new ArrayList<>(process.descendants().toList()).forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly().waitFor();
        }
        String text = Files.readString(transcript, UTF_8);
        assertThat(process.exitValue()).as(text).isZero();
        return text;
    }

    private static void link(Path name, Path target) throws IOException {
        if (!Files.exists(name)) {
            Files.createSymbolicLink(name, target);
        }
    }

    private static Map<String, String> environment(Path folder) {
        Map<String, String> environment = new TreeMap<>();
        environment.put(
                "PATH", Distribution.program().getParent() + ":" + KUBECTL.getParent() + ":" + System.getenv("PATH"));
        environment.put("JAVA_HOME", System.getProperty("java.home"));
        environment.put("HOME", folder.toString());
        environment.put("XDG_CONFIG_HOME", folder.toString());
        environment.put("JAVA_OPTS", "-Xmx384m");
        return environment;
    }
}
