package io.osmhub.core.osc;

import io.osmhub.core.document.ObjectFieldReader;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

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

    /** Null if the object has none. */
    public static @Nullable CloudInitModules read(@Nullable ObjectFieldReader modules) {
        if (modules == null) {
            return null;
        }
        CloudInitModules read = new CloudInitModules(
                modules.texts("bootcmd"),
                modules.textMap("rh_subscription"),
                modules.texts("runcmd"),
                modules.map("yum_repos", modules::textMap),
                modules.text("yum_repo_dir", ""));
        modules.reportUnknownFields();
        return read;
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
