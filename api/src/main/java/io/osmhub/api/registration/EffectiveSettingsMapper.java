package io.osmhub.api.registration;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.api.schema.EffectiveSettings.Item;
import io.osmhub.core.model.Sha256;
import io.osmhub.core.resource.NullableCollections;
import io.osmhub.core.settings.LayeredSettings;
import io.osmhub.core.settings.Setting;
import io.osmhub.core.settings.SettingsCatalog;
import io.osmhub.core.settings.SettingsCatalog.AffectedObject;
import io.osmhub.core.settings.SettingsLayer;
import io.osmhub.core.settings.SettingsLayer.Origin;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import io.osmhub.tenancy.settings.SettingsResolver;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Maps all settings of a tenant with their sources. Pure: reads only stored objects, so that every replica can do it. */
public final class EffectiveSettingsMapper {
    private static final Map<String, SettingsCatalog.Entry> REFERENCE = SettingsCatalog.all().stream()
            .collect(Collectors.toUnmodifiableMap(SettingsCatalog.Entry::field, Function.identity()));

    private EffectiveSettingsMapper() {}

    /**
     * @param platform from the objects of the platform that runs the worker cluster
     * @param defaults the hub's
     */
    public static io.osmhub.api.schema.EffectiveSettings of(
            WorkerClusterRecord record, SettingsLayer platform, SettingsLayer defaults) {
        LayeredSettings effective = new LayeredSettings(
                SettingsResolver.read(record.describe(), record.settings()).layer(), platform, defaults);
        List<Item> items = new ArrayList<>();
        for (Setting<?> setting : Setting.ALL) {
            items.add(item(setting, effective));
        }
        return new io.osmhub.api.schema.EffectiveSettings(hash(items), items);
    }

    private static Item item(Setting<?> setting, LayeredSettings effective) {
        SettingsCatalog.Entry entry = REFERENCE.get(setting.path());
        JsonNode value = SettingValueEncoder.of(setting, effective.get(setting));
        String peer = entry == null ? "" : entry.peer();
        return new Item(
                setting.path(),
                value,
                switch (effective.source(setting)) {
                    case TENANT -> Item.Layer.TENANT;
                    case PLATFORM -> Item.Layer.PLATFORM;
                    case HUB -> Item.Layer.HUB;
                    case BUILT_IN -> Item.Layer.BUILT_IN;
                },
                NullableCollections.nullIfEmpty(effective.origins(setting).stream()
                        .map(Origin::toString)
                        .toList()),
                peer.startsWith("-") ? peer : null,
                entry == null || entry.affectedObjects().isEmpty()
                        ? null
                        : entry.affectedObjects().stream()
                                .map(EffectiveSettingsMapper::target)
                                .toList());
    }

    private static Item.Target target(AffectedObject rolls) {
        return switch (rolls) {
            case CONFIG -> Item.Target.OSC;
            case BOOTSTRAP -> Item.Target.BOOTSTRAP;
            case PROVISIONING -> Item.Target.PROVISIONING;
            case KUBELET_BOOTSTRAP -> Item.Target.KUBELET_BOOTSTRAP;
            case TOKEN -> Item.Target.TOKEN;
            case EDGE_SCRIPT -> Item.Target.EDGE_SCRIPT;
        };
    }

    private static String hash(List<Item> items) {
        return Sha256.hex(items.stream()
                .map(item -> item.field() + "=" + item.value() + "\n")
                .collect(Collectors.joining()));
    }
}
