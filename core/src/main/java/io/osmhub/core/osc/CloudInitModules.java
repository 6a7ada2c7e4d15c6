package io.osmhub.core.osc;

import java.util.List;
import java.util.Map;

/** cloud-init modules other than files and units. Empty collections and {@code yumRepoDir} mean left out. */
public record CloudInitModules(
        List<String> bootcmd,
        Map<String, String> rhSubscription,
        List<String> runcmd,
        Map<String, Map<String, String>> yumRepos,
        String yumRepoDir) {
    public static final CloudInitModules NONE = new CloudInitModules(List.of(), Map.of(), List.of(), Map.of(), "");

    public CloudInitModules {
        bootcmd = List.copyOf(bootcmd);
        rhSubscription = Map.copyOf(rhSubscription);
        runcmd = List.copyOf(runcmd);
        yumRepos = Map.copyOf(yumRepos);
    }

    /** Omits values: a subscription has a password. */
    @Override
    public String toString() {
        return "CloudInitModules[" + bootcmd.size() + " bootcmd, " + runcmd.size() + " runcmd]";
    }

    public CloudInitModules withRhSubscription(Map<String, String> subscription) {
        return new CloudInitModules(bootcmd, subscription, runcmd, yumRepos, yumRepoDir);
    }
}
