package io.osmhub.core.osc;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.osmhub.core.resource.Copies;
import io.osmhub.core.resource.Wire;
import io.osmhub.core.schema.Described;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** cloud-init modules as stored. */
@Wire
public record WireModules(
        @Described("Commands that run early at every boot.") @Nullable List<String> bootcmd,

        @JsonProperty("rh_subscription") @Described("Settings of the Red Hat subscription.") @Nullable Map<String, String> rhSubscription,

        @Described("Commands that run at the end of the first boot.") @Nullable List<String> runcmd,

        @JsonProperty("yum_repos") @Described("Package repositories by name.") @Nullable Map<String, Map<String, String>> yumRepos,

        @JsonProperty("yum_repo_dir") @Described("Directory that the repository files are written to.") @Nullable String yumRepoDir) {

    public WireModules {
        bootcmd = Copies.of(bootcmd);
        rhSubscription = Copies.of(rhSubscription);
        runcmd = Copies.of(runcmd);
        yumRepos = Copies.of(yumRepos);
    }

    /** As the domain knows them. */
    public CloudInitModules toModules() {
        return new CloudInitModules(
                Objects.requireNonNullElse(bootcmd, List.of()),
                Objects.requireNonNullElse(rhSubscription, Map.of()),
                Objects.requireNonNullElse(runcmd, List.of()),
                Objects.requireNonNullElse(yumRepos, Map.of()),
                Objects.requireNonNullElse(yumRepoDir, ""));
    }

    /** As they are stored: what is empty is left out. */
    public static WireModules of(CloudInitModules modules) {
        return new WireModules(
                Copies.nullIfEmpty(modules.bootcmd()),
                Copies.nullIfEmpty(modules.rhSubscription()),
                Copies.nullIfEmpty(modules.runcmd()),
                Copies.nullIfEmpty(modules.yumRepos()),
                Copies.nullIfEmpty(modules.yumRepoDir()));
    }
}
