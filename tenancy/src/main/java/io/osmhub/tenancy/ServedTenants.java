package io.osmhub.tenancy;

import io.osmhub.core.template.language.TemplateLanguage;
import io.osmhub.tenancy.settings.HubSettings;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a process serves: all discovered tenants, or the one of its flags. */
public sealed interface ServedTenants extends TenantDirectory permits Hub, SingleTenantHub {
    void start();

    /** Stops; another process can continue. */
    void stop();

    /** Called when the tenants that this process writes for may have changed. */
    void onLeadershipChanged();

    /** Applies changed settings at runtime. */
    void settings(HubSettings now);

    /** Whether all of the management cluster has been read once. */
    boolean isReady();

    /** Kinds of the management cluster that are not read yet. */
    List<String> missingLists();

    /** Why the management cluster cannot be read; empty if it can. */
    Optional<String> managementProblem();

    /** Statuses that wait to be written. */
    int statusBacklog();

    /** Cached objects of the management cluster by kind. */
    Map<String, Integer> cached();

    /** Cached compiled profiles by language. */
    Map<TemplateLanguage, Integer> compiledProfiles();
}
