package io.osmhub.core.settings;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.settings.SettingsLayer.Origin;
import java.util.List;

/**
 * Merges a tenant's settings over its platform's, over the hub's, over the built-in defaults, and records the source of each
 * value.
 *
 * @param platform of the objects of the platform that runs the worker cluster
 */
public record LayeredSettings(SettingsLayer tenant, SettingsLayer platform, SettingsLayer hub) {
    /** Where a setting's value comes from, from the highest to the lowest. */
    public enum SettingSource {
        TENANT,
        /** KKP's objects. */
        PLATFORM,
        HUB,
        BUILT_IN
    }

    public LayeredSettings(SettingsLayer tenant, SettingsLayer hub) {
        this(tenant, SettingsLayer.EMPTY, hub);
    }

    /** The same platform and hub with other settings of the tenant. */
    public LayeredSettings withTenant(SettingsLayer changed) {
        return new LayeredSettings(changed, platform, hub);
    }

    public SettingSource source(Setting setting) {
        return tenant.isSet(setting)
                ? SettingSource.TENANT
                : platform.isSet(setting)
                        ? SettingSource.PLATFORM
                        : hub.isSet(setting) ? SettingSource.HUB : SettingSource.BUILT_IN;
    }

    /** The fields that determined the value; empty unless it is the platform's. */
    public List<Origin> origins(Setting setting) {
        return source(setting) == SettingSource.PLATFORM ? platform.origins(setting) : List.of();
    }

    /** The effective value as in a WorkerCluster; missing if neither a layer nor the built-in defaults have one. */
    public JsonNode get(Setting setting) {
        return switch (source(setting)) {
            case TENANT -> tenant.get(setting);
            case PLATFORM -> platform.get(setting);
            case HUB -> hub.get(setting);
            case BUILT_IN -> setting.builtIn();
        };
    }

    /** All settings as one value. */
    public TenantSettings toTenantSettings() {
        ObjectNode spec = JsonNodeFactory.instance.objectNode();
        Setting.ALL.forEach(setting -> setting.set(spec, get(setting)));
        // Two alternatives for one setting: a layer that sets a URL, also an empty one, does not want a lower layer's
        // secret.
        if (source(Setting.HTTP_PROXY).compareTo(source(Setting.HTTP_PROXY_SECRET)) < 0) {
            spec.withObject("/provisioning/proxy").remove("httpProxySecretRef");
        }
        return TenantSettings.of(spec);
    }
}
