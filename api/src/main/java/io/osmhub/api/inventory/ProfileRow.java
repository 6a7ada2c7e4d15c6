package io.osmhub.api.inventory;

import io.osmhub.api.paging.TableRow;
import io.osmhub.core.osp.OperatingSystemProfileStatus;
import io.osmhub.core.resource.Condition;
import io.osmhub.tenancy.catalog.StoredProfile;
import io.osmhub.tenancy.catalog.StoredProfile.ProfileContent;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A profile in a list.
 *
 * @param users MachineDeployments that use it, in all tenants
 */
record ProfileRow(StoredProfile profile, int users, String words) implements TableRow {
    static ProfileRow of(StoredProfile profile, int users) {
        return new ProfileRow(
                profile,
                users,
                SearchTerms.of(
                        List.of(profile.namespace(), profile.name()),
                        profile.labels().values()));
    }

    @Override
    public String namespace() {
        return profile.namespace();
    }

    String name() {
        return profile.name();
    }

    /** As named in the status of MachineDeployments. */
    String key() {
        return ConfigRow.profileKey(namespace(), name());
    }

    @Override
    public Map<String, String> labels() {
        return profile.labels();
    }

    @Override
    public boolean matchesText(String text) {
        Condition valid = validCondition();
        return words.contains(text)
                || valid != null && SearchTerms.containsReason(StatusParser.reason(valid.reason()), text);
    }

    @Nullable Condition validCondition() {
        OperatingSystemProfileStatus status = profile.status();
        return status == null ? null : StatusParser.condition(status.conditions(), "Valid");
    }

    Condition.Status valid() {
        Condition valid = validCondition();
        return valid == null ? Condition.Status.UNKNOWN : valid.status();
    }

    /** Empty if its spec is invalid. */
    String osName() {
        ProfileContent content = profile.content();
        return content == null ? "" : content.spec().osName();
    }
}
