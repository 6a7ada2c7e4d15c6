package io.osmhub.api.registration;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.api.schema.EffectiveSettings.Item;
import io.osmhub.core.settings.EffectiveSettings;
import io.osmhub.core.settings.Rolls;
import io.osmhub.core.settings.Setting;
import io.osmhub.core.settings.SettingsLayer;
import io.osmhub.core.settings.SettingsReference;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import io.osmhub.tenancy.settings.SettingsResolver;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** All settings of a tenant with their sources. Pure: made of the stored WorkerCluster, so that every replica can. */
public final class SettingsView {
    private static final Map<String, SettingsReference.Entry> REFERENCE = SettingsReference.all().stream()
            .collect(Collectors.toUnmodifiableMap(SettingsReference.Entry::field, Function.identity()));

    private SettingsView() {}

    /** @param defaults the hub's */
    public static io.osmhub.api.schema.EffectiveSettings of(WorkerClusterRecord record, SettingsLayer defaults) {
        EffectiveSettings effective = new EffectiveSettings(
                SettingsResolver.read(record.describe(), record.settings()).layer(), defaults);
        List<Item> items = new ArrayList<>();
        for (Setting<?> setting : Setting.ALL) {
            items.add(item(setting, effective));
        }
        return new io.osmhub.api.schema.EffectiveSettings(hash(items), items);
    }

    private static Item item(Setting<?> setting, EffectiveSettings effective) {
        SettingsReference.Entry entry = REFERENCE.get(setting.path());
        JsonNode value = SettingValues.of(setting, effective.get(setting));
        String peer = entry == null ? "" : entry.peer();
        return new Item(
                setting.path(),
                value,
                switch (effective.source(setting)) {
                    case TENANT -> Item.Layer.TENANT;
                    case HUB -> Item.Layer.HUB;
                    case BUILT_IN -> Item.Layer.BUILT_IN;
                },
                peer.startsWith("-") ? peer : null,
                entry == null || entry.rolls().isEmpty()
                        ? null
                        : entry.rolls().stream().map(SettingsView::target).toList());
    }

    private static Item.Target target(Rolls rolls) {
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
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            items.forEach(item -> digest.update((item.field() + "=" + item.value() + "\n").getBytes(UTF_8)));
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
