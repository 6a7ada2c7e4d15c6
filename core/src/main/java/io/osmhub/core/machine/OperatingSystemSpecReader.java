package io.osmhub.core.machine;

import io.osmhub.core.json.GoStructReader;
import io.osmhub.core.json.JsonMistake;
import io.osmhub.core.json.RawJson;
import io.osmhub.core.model.Sensitive;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Decodes {@code operatingSystemSpec} by the operating system's name. */
final class OperatingSystemSpecReader {
    /** Systems of this project's own profiles; no Go template knows them. */
    private static final List<String> OF_OWN_PROFILES = List.of("amzn2023", "debian");

    private static final RawJson NOTHING = new RawJson.Obj("{}", List.of());

    private OperatingSystemSpecReader() {}

    /** The operating systems that are rendered; {@code ownProfile} = for a profile of this project's template language. */
    static List<String> known(boolean ownProfile) {
        List<String> known = new ArrayList<>(OperatingSystemSpec.OF_MACHINE_CONTROLLER);
        if (ownProfile) {
            known.addAll(OF_OWN_PROFILES);
        }
        return known;
    }

    /** Decodes leniently: unknown fields are skipped, absent and null mean the defaults. Null when the system is unknown. */
    static @Nullable OperatingSystemSpec read(
            String operatingSystem, boolean ownProfile, @Nullable String json, List<JsonMistake> mistakes) {
        if (!known(ownProfile).contains(operatingSystem)) {
            return null;
        }
        RawJson value = parse(json, mistakes);
        List<JsonMistake> found = new ArrayList<>();
        OperatingSystemSpec spec =
                switch (operatingSystem) {
                    case "flatcar" -> flatcar(value, found);
                    case "rhel" -> rhel(value, found);
                    default -> new OperatingSystemSpec.DistUpgrade(distUpgradeOnBoot(value, found));
                };
        addWrong(found, mistakes);
        return spec;
    }

    static boolean distUpgradeOnBoot(@Nullable String json, List<JsonMistake> mistakes) {
        List<JsonMistake> found = new ArrayList<>();
        boolean upgrade = distUpgradeOnBoot(parse(json, found), found);
        addWrong(found, mistakes);
        return upgrade;
    }

    private static void addWrong(List<JsonMistake> found, List<JsonMistake> mistakes) {
        found.stream().filter(mistake -> !mistake.unknownField()).forEach(mistakes::add);
    }

    private static RawJson parse(@Nullable String json, List<JsonMistake> mistakes) {
        if (json == null) {
            return NOTHING;
        }
        try {
            return RawJson.parse(json);
        } catch (RawJson.Malformed e) {
            mistakes.add(new JsonMistake("", String.valueOf(e.getMessage()), "", false));
            return NOTHING;
        }
    }

    private static boolean distUpgradeOnBoot(RawJson json, List<JsonMistake> mistakes) {
        List<String> fields = List.of("distUpgradeOnBoot");
        GoStructReader reader = new GoStructReader("Config", "", fields, mistakes);
        boolean[] value = {false};
        reader.read(json, "Config", (field, member) -> value[0] = reader.bool(field, member, value[0]));
        return value[0];
    }

    private static OperatingSystemSpec.Flatcar flatcar(RawJson json, List<JsonMistake> mistakes) {
        List<String> flags = List.of("disableAutoUpdate", "disableLocksmithD", "disableUpdateEngine");
        List<String> fields = new ArrayList<>(flags);
        fields.add("provisioningUtility");
        GoStructReader reader = new GoStructReader("Config", "", fields, mistakes);
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

    private static OperatingSystemSpec.Rhel rhel(RawJson json, List<JsonMistake> mistakes) {
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
        GoStructReader reader = new GoStructReader("Config", "", fields, mistakes);
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
