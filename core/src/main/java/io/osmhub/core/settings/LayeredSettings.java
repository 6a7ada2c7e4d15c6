package io.osmhub.core.settings;

import io.osmhub.core.settings.SettingsLayer.Origin;
import io.osmhub.core.settings.TenantSettings.Admission;
import io.osmhub.core.settings.TenantSettings.Bootstrap;
import io.osmhub.core.settings.TenantSettings.Connection;
import io.osmhub.core.settings.TenantSettings.ContainerRuntime;
import io.osmhub.core.settings.TenantSettings.Downloads;
import io.osmhub.core.settings.TenantSettings.Kubelet;
import io.osmhub.core.settings.TenantSettings.Profiles;
import io.osmhub.core.settings.TenantSettings.Provisioning;
import io.osmhub.core.settings.TenantSettings.Proxy;
import io.osmhub.core.settings.TenantSettings.Registries;
import io.osmhub.core.settings.TenantSettings.WriteBudget;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Merges a tenant's settings over its platform's, over the hub's, over the built-in defaults, and records the source of each
 * value.
 */
public final class LayeredSettings {
    /** Where a setting's value comes from. */
    public enum SettingSource {
        TENANT,
        /** KKP's objects. */
        PLATFORM,
        HUB,
        BUILT_IN
    }

    /** From the highest to the lowest, without the built-in defaults. */
    private final Map<SettingSource, SettingsLayer> layers;

    public LayeredSettings(SettingsLayer tenant, SettingsLayer hub) {
        this(tenant, SettingsLayer.EMPTY, hub);
    }

    /** @param platform of the objects of the platform that runs the worker cluster */
    public LayeredSettings(SettingsLayer tenant, SettingsLayer platform, SettingsLayer hub) {
        this.layers = new EnumMap<>(
                Map.of(SettingSource.TENANT, tenant, SettingSource.PLATFORM, platform, SettingSource.HUB, hub));
    }

    /** The same platform and hub with other settings of the tenant. */
    public LayeredSettings withTenant(SettingsLayer tenant) {
        LayeredSettings changed = new LayeredSettings(SettingsLayer.EMPTY, SettingsLayer.EMPTY);
        changed.layers.putAll(layers);
        changed.layers.put(SettingSource.TENANT, tenant);
        return changed;
    }

    public SettingSource source(Setting<?> setting) {
        return layers.entrySet().stream()
                .filter(layer -> layer.getValue().isSet(setting))
                .findFirst()
                .map(Map.Entry::getKey)
                .orElse(SettingSource.BUILT_IN);
    }

    /** The fields that determined the value; empty unless it is the platform's. */
    public List<Origin> origins(Setting<?> setting) {
        SettingsLayer layer = layers.get(source(setting));
        return layer == null ? List.of() : layer.origins(setting);
    }

    public <T> T get(Setting<T> setting) {
        SettingsLayer layer = layers.get(source(setting));
        T value = layer == null ? null : layer.get(setting);
        return value != null ? value : setting.builtIn();
    }

    /** All settings as one value. */
    public TenantSettings toTenantSettings() {
        return new TenantSettings(provisioning(), profiles(), connection(), admission());
    }

    private Provisioning provisioning() {
        return new Provisioning(
                get(Setting.CLUSTER_DNS),
                get(Setting.EXTERNAL_CLOUD_PROVIDER),
                new Kubelet(new TreeMap<>(get(Setting.FEATURE_GATES)), get(Setting.INITIAL_TAINTS)),
                new ContainerRuntime(
                        get(Setting.CONTAINER_RUNTIME), get(Setting.PAUSE_IMAGE), get(Setting.DEVICE_OWNERSHIP)),
                new Registries(
                        get(Setting.INSECURE_REGISTRIES),
                        get(Setting.MIRRORS),
                        get(Setting.REGISTRY_CREDENTIALS).orElse(null)),
                proxy(),
                get(Setting.KUBERNETES_CA),
                get(Setting.HOST_CA),
                new Bootstrap(
                        get(Setting.API_SERVER_URL),
                        get(Setting.SERVICE_ACCOUNT).orElse(null),
                        get(Setting.TOKEN_TTL),
                        get(Setting.NODE_FETCH)),
                get(Setting.CLOUD_CREDENTIALS).orElse(null),
                new Downloads(
                        get(Setting.DOWNLOADS_KUBERNETES),
                        get(Setting.DOWNLOADS_CNI_PLUGINS),
                        get(Setting.DOWNLOADS_CRI_TOOLS),
                        get(Setting.DOWNLOADS_CONTAINERD),
                        get(Setting.DOWNLOADS_OS_PACKAGES)),
                get(Setting.AIR_GAPPED),
                get(Setting.USER_DATA_LIMIT).orElse(null));
    }

    private Proxy proxy() {
        // Two alternatives for one setting: a layer that sets a URL, also an empty one, does not want a lower layer's
        // secret.
        boolean ownUrl = source(Setting.HTTP_PROXY).compareTo(source(Setting.HTTP_PROXY_SECRET)) < 0;
        return new Proxy(
                get(Setting.HTTP_PROXY),
                ownUrl ? null : get(Setting.HTTP_PROXY_SECRET).orElse(null),
                get(Setting.NO_PROXY));
    }

    private Profiles profiles() {
        return new Profiles(
                get(Setting.PROFILE_NAMESPACES), get(Setting.INSTALL_DEFAULTS), get(Setting.BY_OPERATING_SYSTEM));
    }

    private Connection connection() {
        return new Connection(
                get(Setting.MAX_CONCURRENT_RECONCILES),
                get(Setting.REQUEST_TIMEOUT),
                get(Setting.PING_INTERVAL),
                new WriteBudget(get(Setting.WRITES_PER_SECOND), get(Setting.WRITE_BURST)));
    }

    private Admission admission() {
        return new Admission(
                get(Setting.ADMISSION_MODE).orElse(null),
                get(Setting.ADMISSION_FAILURE_POLICY),
                get(Setting.ADMISSION_TIMEOUT));
    }
}
