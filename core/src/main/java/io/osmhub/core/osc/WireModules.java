package io.osmhub.core.osc;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.osmhub.core.resource.NullableCollections;
import io.osmhub.core.resource.WireRecord;
import io.osmhub.core.schema.FieldDescription;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** cloud-init modules as stored. */
@WireRecord
public record WireModules(
        @FieldDescription("Commands that run early at every boot.") @Nullable List<String> bootcmd,

        @JsonProperty("rh_subscription") @FieldDescription("Settings of the Red Hat subscription.") @Nullable Map<String, String> rhSubscription,

        @FieldDescription("Commands that run at the end of the first boot.") @Nullable List<String> runcmd,

        @JsonProperty("yum_repos") @FieldDescription("Package repositories by name.") @Nullable Map<String, Map<String, String>> yumRepos,

        @JsonProperty("yum_repo_dir") @FieldDescription("Directory that the repository files are written to.") @Nullable String yumRepoDir) {

    public WireModules {
        bootcmd = NullableCollections.copyOf(bootcmd);
        rhSubscription = NullableCollections.copyOf(rhSubscription);
        runcmd = NullableCollections.copyOf(runcmd);
        yumRepos = NullableCollections.copyOf(yumRepos);
    }

    /** Converts to a domain object. */
    public CloudInitModules toModules() {
        return new CloudInitModules(
                Objects.requireNonNullElse(bootcmd, List.of()),
                Objects.requireNonNullElse(rhSubscription, Map.of()),
                Objects.requireNonNullElse(runcmd, List.of()),
                Objects.requireNonNullElse(yumRepos, Map.of()),
                Objects.requireNonNullElse(yumRepoDir, ""));
    }

    /** Converts to the stored form: empty values are left out. */
    public static WireModules of(CloudInitModules modules) {
        return new WireModules(
                NullableCollections.nullIfEmpty(modules.bootcmd()),
                NullableCollections.nullIfEmpty(modules.rhSubscription()),
                NullableCollections.nullIfEmpty(modules.runcmd()),
                NullableCollections.nullIfEmpty(modules.yumRepos()),
                NullableCollections.nullIfEmpty(modules.yumRepoDir()));
    }
}
