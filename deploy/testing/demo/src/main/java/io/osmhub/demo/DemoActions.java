package io.osmhub.demo;

import io.osmhub.demo.DemoRun.DemoTenant;
import io.osmhub.demo.stage.MachineDeploymentName;
import io.osmhub.demo.stage.MachineFlavor;
import io.osmhub.demo.stage.SimulatedFleet;
import java.util.List;

/** Actions on the clusters that demonstrate the hub's reactions, one per key. Not thread-safe. */
final class DemoActions {
    private final SimulatedFleet stage;
    private final List<DemoTenant> players;
    private int profileVersion;
    private int turn;
    private int broken = -1;

    DemoActions(SimulatedFleet stage, List<DemoTenant> players) {
        this.stage = stage;
        this.players = players;
    }

    /** Runs a key's action and returns what to watch for; empty for unknown keys. */
    String runAction(char key) {
        return switch (key) {
            case 'r' -> changeProfile();
            case 'b' -> toggleFault();
            case 'd' -> deleteSecret();
            default -> "";
        };
    }

    private String changeProfile() {
        String version = "v1.0." + ++profileVersion;
        String profile = MachineFlavor.DEFAULT_UBUNTU.profile();
        stage.changeProfile(profile, version);
        return "profile " + profile + " is " + version + ": every MachineDeployment that uses it gets new secrets";
    }

    private String toggleFault() {
        if (broken >= 0) {
            DemoTenant healed = players.get(broken);
            broken = -1;
            healed.tenant().cluster().faults().clear();
            return healed.tenant().workerCluster() + " accepts connections again";
        }
        broken = turn++ % players.size();
        DemoTenant player = players.get(broken);
        player.tenant().cluster().faults().refuseConnections(true);
        return player.tenant().workerCluster() + " refuses connections; the others are unaffected";
    }

    private String deleteSecret() {
        DemoTenant player = players.get(turn++ % players.size());
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
