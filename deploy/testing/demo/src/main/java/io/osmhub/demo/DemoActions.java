package io.osmhub.demo;

import io.osmhub.demo.DemoRun.DemoTenant;
import io.osmhub.demo.stage.MachineDeploymentName;
import io.osmhub.demo.stage.MachineFlavor;
import io.osmhub.demo.stage.SimulatedFleet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Actions on the clusters that demonstrate the hub's reactions, one per key. Not thread-safe. */
final class DemoActions {
    private static final String MACHINE_API = "cluster.k8s.io/v1alpha1";
    private static final String ANNOTATION = "k8c.io/operating-system-profile";
    private static final String DEMO_FILE = "/etc/osm-hub-demo";
    /** Index of the flavor's MachineDeployment, which is named after it. */
    private static final List<MachineDeploymentName> MACHINE_DEPLOYMENTS =
            List.of(machineDeployment(0), machineDeployment(1), machineDeployment(2));

    private final SimulatedFleet fleet;
    private final List<DemoTenant> players;
    private final String console;
    private final Map<Character, InjectedFault> injected = new HashMap<>();
    private int turn;

    /**
     * A fault, and where the hub explains it.
     *
     * @param page of the console
     * @param shown what the page and the command show: reason and fix
     */
    private record InjectedFault(
            String what, String page, String command, String shown, String healed, Runnable heal) {}

    /** {@code console} is the URL of the console without a path; empty if there is none. */
    DemoActions(SimulatedFleet fleet, List<DemoTenant> players, String console) {
        this.fleet = fleet;
        this.players = players;
        this.console = console;
    }

    /** The demo's MachineDeployment of the flavor with this index: {@code kube-system/workers-a} ... */
    static MachineDeploymentName machineDeployment(int flavor) {
        return new MachineDeploymentName("kube-system", "workers-" + (char) ('a' + flavor));
    }

    /** Runs a key's action and returns what happened, then where to look; empty for unknown keys. */
    List<String> runAction(char key) {
        return switch (key) {
            case 'm', 't', 'p', 'c', 'b' -> toggleFault(key);
            case 'r' -> List.of(changeProfile());
            case 'd' -> List.of(deleteSecret());
            default -> List.of();
        };
    }

    private List<String> toggleFault(char key) {
        InjectedFault earlier = injected.remove(key);
        if (earlier != null) {
            earlier.heal().run();
            return List.of(earlier.healed());
        }
        DemoTenant first = players.getFirst();
        boolean created = players.stream()
                .allMatch(player -> player.desiredReplicas().keySet().containsAll(MACHINE_DEPLOYMENTS));
        if (!created) {
            return List.of("wait until each worker cluster has its 3 MachineDeployments, then press " + key);
        }
        InjectedFault fault =
                switch (key) {
                    case 'm' -> misspellProfile(first);
                    case 't' -> breakTemplate(first);
                    case 'p' -> changeProvider(player(1));
                    case 'c' -> expireCredential(player(2));
                    default -> loseConnection(player(turn++));
                };
        injected.put(key, fault);
        return List.of(
                fault.what() + "; press " + key + " again to heal",
                "run   " + fault.command(),
                (console.isEmpty() ? "" : "open  " + console + fault.page()),
                "Both show " + fault.shown());
    }

    private DemoTenant player(int index) {
        return players.get(index % players.size());
    }

    private InjectedFault misspellProfile(DemoTenant player) {
        MachineDeploymentName name = MACHINE_DEPLOYMENTS.getFirst();
        String profile = MachineFlavor.ALL.getFirst().profile();
        String misspelt = "osp-ubunto";
        annotate(player, name, misspelt);
        return new InjectedFault(
                name.name() + " of " + player.tenant().workerCluster() + " names profile " + misspelt,
                page(player, name),
                why(player, name),
                "ProfileNotFound and its fix (with kubectl --context "
                        + player.tenant().workerCluster() + ")",
                name.name() + " of " + player.tenant().workerCluster() + " names " + profile + " again",
                () -> annotate(player, name, profile));
    }

    private static void annotate(DemoTenant player, MachineDeploymentName name, String profile) {
        patch(player, name, "{\"metadata\":{\"annotations\":{\"" + ANNOTATION + "\":\"" + profile + "\"}}}");
    }

    private InjectedFault breakTemplate(DemoTenant player) {
        String profile = MachineFlavor.ALL.getLast().profile();
        MachineDeploymentName name = MACHINE_DEPLOYMENTS.getLast();
        String version = fleet.addFile(profile, DEMO_FILE, "version={{uper KubeVersion}}\n");
        return new InjectedFault(
                profile + " " + version + " calls an unknown helper",
                "/profiles/" + SimulatedFleet.PROFILES + "/" + profile,
                why(player, name),
                "TemplateSyntaxError, its line, and the helper that was meant",
                profile + " is correct again",
                () -> fleet.removeFile(profile, DEMO_FILE));
    }

    private InjectedFault changeProvider(DemoTenant player) {
        MachineDeploymentName name = MACHINE_DEPLOYMENTS.get(1);
        String old = player.tenant()
                .objects()
                .get(MACHINE_API, "MachineDeployment", name.namespace(), name.name())
                .map(found -> found.at("/spec/template/spec/providerSpec/value/cloudProvider")
                        .asText())
                .orElseThrow();
        setProvider(player, name, "anexia");
        return new InjectedFault(
                name.name() + " of " + player.tenant().workerCluster() + " has cloud provider anexia",
                page(player, name),
                why(player, name),
                "ProfileCloudProviderMismatch and the supported providers",
                name.name() + " of " + player.tenant().workerCluster() + " has cloud provider " + old + " again",
                () -> setProvider(player, name, old));
    }

    private static void setProvider(DemoTenant player, MachineDeploymentName name, String provider) {
        patch(
                player,
                name,
                "{\"spec\":{\"template\":{\"spec\":{\"providerSpec\":{\"value\":{\"cloudProvider\":\"" + provider
                        + "\"}}}}}}");
    }

    private static void patch(DemoTenant player, MachineDeploymentName name, String patch) {
        player.tenant().objects().patch(MACHINE_API, "MachineDeployment", name.namespace(), name.name(), patch);
    }

    private InjectedFault expireCredential(DemoTenant player) {
        fleet.expireCredential(player.tenant());
        return new InjectedFault(
                player.tenant().workerCluster() + " rejects the hub's credential",
                page(player),
                why(player, MACHINE_DEPLOYMENTS.getFirst()),
                "CredentialsRejected and the command that replaces it",
                player.tenant().workerCluster() + " has a new kubeconfig",
                () -> fleet.replaceCredential(player.tenant()));
    }

    private InjectedFault loseConnection(DemoTenant player) {
        player.tenant().cluster().faults().refuseConnections(true);
        player.tenant().cluster().faults().closeConnections();
        return new InjectedFault(
                player.tenant().workerCluster() + " refuses connections",
                page(player),
                why(player, MACHINE_DEPLOYMENTS.getFirst()),
                "WorkerClusterUnreachable",
                player.tenant().workerCluster() + " accepts connections again",
                () -> player.tenant().cluster().faults().refuseConnections(false));
    }

    private static String page(DemoTenant player) {
        return "/clusters/" + player.tenant().namespace() + "/"
                + player.tenant().workerCluster();
    }

    private static String page(DemoTenant player, MachineDeploymentName name) {
        return "/tenants/" + player.tenant().namespace() + "/machine-deployments/" + name;
    }

    private static String why(DemoTenant player, MachineDeploymentName name) {
        return "./hub why " + name.name() + " -n " + player.tenant().namespace();
    }

    private String changeProfile() {
        String profile = MachineFlavor.ALL.getFirst().profile();
        String version = fleet.addFile(profile, DEMO_FILE + "-" + ++turn, "changed\n");
        return "profile " + profile + " is " + version + ": every MachineDeployment that uses it gets new secrets";
    }

    private String deleteSecret() {
        DemoTenant player = player(turn++);
        for (MachineDeploymentName name : player.desiredReplicas().keySet()) {
            if (player.tenant()
                    .objects()
                    .delete("v1", "Secret", MachineDeploymentName.SECRETS_NAMESPACE, name.bootstrapSecret())) {
                return "deleted Secret " + name.bootstrapSecret() + " of "
                        + player.tenant().workerCluster() + "; the hub recreates it";
            }
        }
        return player.tenant().workerCluster() + " has no secret yet";
    }
}
