package io.osmhub.demo;

import io.osmhub.demo.stage.MachineDeploymentName;
import io.osmhub.demo.stage.Recipe;
import io.osmhub.demo.stage.Stage;
import java.util.List;

/** What a person can do to the clusters with one key, to see the hub answer. For one thread. */
final class Tricks {
    private final Stage stage;
    private final List<Player> players;
    private int profileVersion;
    private int turn;
    private int broken = -1;

    Tricks(Stage stage, List<Player> players) {
        this.stage = stage;
        this.players = players;
    }

    /** Does what the key stands for and says what to look at; empty for a key without a meaning. */
    String play(char key) {
        return switch (key) {
            case 'r' -> changeProfile();
            case 'b' -> breakOrHeal();
            case 'd' -> deleteSecret();
            default -> "";
        };
    }

    private String changeProfile() {
        String version = "v1.0." + ++profileVersion;
        String profile = Recipe.DEFAULT_UBUNTU.profile();
        stage.changeProfile(profile, version);
        return "profile " + profile + " is " + version + " now: every MachineDeployment that uses it gets new secrets";
    }

    private String breakOrHeal() {
        if (broken >= 0) {
            Player healed = players.get(broken);
            broken = -1;
            healed.tenant().cluster().faults().clear();
            return healed.tenant().workerCluster() + " answers again";
        }
        broken = turn++ % players.size();
        Player player = players.get(broken);
        player.tenant().cluster().faults().refuseConnections(true);
        return player.tenant().workerCluster() + " refuses connections; the others must not notice";
    }

    private String deleteSecret() {
        Player player = players.get(turn++ % players.size());
        for (MachineDeploymentName name : player.wanted().keySet()) {
            if (player.tenant()
                    .objects()
                    .delete("v1", "Secret", MachineDeploymentName.SECRETS_NAMESPACE, name.bootstrapSecret())) {
                return "deleted Secret " + name.bootstrapSecret() + " of "
                        + player.tenant().workerCluster() + "; it comes back";
            }
        }
        return player.tenant().workerCluster() + " has no secret yet";
    }
}
