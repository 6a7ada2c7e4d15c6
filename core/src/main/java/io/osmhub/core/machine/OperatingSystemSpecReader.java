package io.osmhub.core.machine;

import io.osmhub.core.json.GoStructDecoder;
import io.osmhub.core.json.JsonDecodeError;
import io.osmhub.core.json.RawJson;
import io.osmhub.core.model.Sensitive;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Decodes {@code operatingSystemSpec} by the operating system's name. */
final class OperatingSystemSpecReader {
    /** Operating systems of the hub's own profiles; Go templates do not support them. */
    private static final List<String> OF_OWN_PROFILES = List.of("amzn2023", "debian");

    private static final RawJson NOTHING = new RawJson.RawObject("{}", List.of());

    private OperatingSystemSpecReader() {}

    /** The supported operating systems; {@code ownProfile} for a profile in the hub's own template language. */
    static List<String> known(boolean ownProfile) {
        List<String> known = new ArrayList<>(OperatingSystemSpec.OF_MACHINE_CONTROLLER);
        if (ownProfile) {
            known.addAll(OF_OWN_PROFILES);
        }
        return known;
    }

    /** Decodes leniently: unknown fields are skipped, absent and null mean the defaults. Null for an unknown operating system. */
    static @Nullable OperatingSystemSpec read(
            String operatingSystem, boolean ownProfile, @Nullable String json, List<JsonDecodeError> mistakes) {
        if (!known(ownProfile).contains(operatingSystem)) {
            return null;
        }
        RawJson value = parse(json, mistakes);
        List<JsonDecodeError> found = new ArrayList<>();
        OperatingSystemSpec spec =
                switch (operatingSystem) {
                    case "flatcar" -> flatcar(value, found);
                    case "rhel" -> rhel(value, found);
                    default -> new OperatingSystemSpec.DistUpgrade(distUpgradeOnBoot(value, found));
                };
        addWrong(found, mistakes);
        return spec;
    }

    static boolean distUpgradeOnBoot(@Nullable String json, List<JsonDecodeError> mistakes) {
        List<JsonDecodeError> found = new ArrayList<>();
        boolean upgrade = distUpgradeOnBoot(parse(json, found), found);
        addWrong(found, mistakes);
        return upgrade;
    }

    private static void addWrong(List<JsonDecodeError> found, List<JsonDecodeError> mistakes) {
        found.stream().filter(mistake -> !mistake.unknownField()).forEach(mistakes::add);
    }

    private static RawJson parse(@Nullable String json, List<JsonDecodeError> mistakes) {
        if (json == null) {
            return NOTHING;
        }
        try {
            return RawJson.parse(json);
        } catch (RawJson.MalformedJsonException e) {
            mistakes.add(new JsonDecodeError("", String.valueOf(e.getMessage()), "", false));
            return NOTHING;
        }
    }

    private static boolean distUpgradeOnBoot(RawJson json, List<JsonDecodeError> mistakes) {
        List<String> fields = List.of("distUpgradeOnBoot");
        GoStructDecoder reader = new GoStructDecoder("Config", "", fields, mistakes);
        boolean[] value = {false};
        reader.read(json, "Config", (field, member) -> value[0] = reader.bool(field, member, value[0]));
        return value[0];
    }

    private static OperatingSystemSpec.Flatcar flatcar(RawJson json, List<JsonDecodeError> mistakes) {
        List<String> flags = List.of("disableAutoUpdate", "disableLocksmithD", "disableUpdateEngine");
        List<String> fields = new ArrayList<>(flags);
        fields.add("provisioningUtility");
        GoStructDecoder reader = new GoStructDecoder("Config", "", fields, mistakes);
        boolean[] values = new boolean[flags.size()];
        String[] utility = {""};
        reader.read(json, "flatcar.Config", (field, member) -> {
            int flag = flags.indexOf(field);
            if (flag >= 0) {
                values[flag] = reader.bool(field, member, values[flag]);
            } else {
                utility[0] = reader.string(field, member, utility[0]);
            }
        });
        return new OperatingSystemSpec.Flatcar(values[0], values[1], values[2], utility[0]);
    }

    private static OperatingSystemSpec.Rhel rhel(RawJson json, List<JsonDecodeError> mistakes) {
        List<String> flags = List.of("distUpgradeOnBoot", "attachSubscription", "rhelUseSatelliteServer");
        List<String> texts = List.of(
                "rhelSubscriptionManagerUser",
                "rhelSubscriptionManagerPassword",
                "rhsmOfflineToken",
                "rhelSatelliteServer",
                "rhelOrganizationName",
                "rhelActivationKey");
        List<String> fields = new ArrayList<>(flags);
        fields.addAll(texts);
        GoStructDecoder reader = new GoStructDecoder("Config", "", fields, mistakes);
        boolean[] flag = new boolean[flags.size()];
        String[] text = {"", "", "", "", "", ""};
        reader.read(json, "rhel.Config", (field, member) -> {
            int index = flags.indexOf(field);
            if (index >= 0) {
                flag[index] = reader.bool(field, member, flag[index]);
            } else {
                index = texts.indexOf(field);
                text[index] = reader.string(field, member, text[index]);
            }
        });
        return new OperatingSystemSpec.Rhel(
                flag[0],
                text[0],
                new Sensitive(text[1]),
                new Sensitive(text[2]),
                flag[1],
                flag[2],
                text[3],
                text[4],
                new Sensitive(text[5]));
    }
}
