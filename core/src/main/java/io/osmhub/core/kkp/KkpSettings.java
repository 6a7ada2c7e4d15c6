package io.osmhub.core.kkp;

import io.osmhub.core.document.DocumentNode;
import io.osmhub.core.document.SourceDocument;
import io.osmhub.core.problem.ProblemFinding;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.settings.OsmFlags;
import io.osmhub.core.settings.Setting;
import io.osmhub.core.settings.SettingsLayer;
import io.osmhub.core.settings.SettingsLayer.Origin;
import io.osmhub.core.workercluster.WorkerClusterSpec.ProfileSettings.InstallDefaults;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The settings of one user cluster of KKP: exactly those that the arguments mean which KKP gives to OSM. Pure.
 *
 * @param arguments in KKP's order; of the groups that KKP emits in random order, sorted by flag
 */
public record KkpSettings(List<Argument> arguments) {
    public KkpSettings {
        arguments = List.copyOf(arguments);
    }

    /**
     * One argument of OSM.
     *
     * @param flag with its dash
     * @param value {@code true} of a switch
     * @param origins fields that determined it; empty for constants of KKP
     */
    public record Argument(String flag, String value, Form form, List<Origin> origins) {
        /** How flag and value are written. */
        public enum Form {
            SEPARATE,
            JOINED,
            SWITCH
        }

        public Argument {
            origins = List.copyOf(origins);
        }

        /** The words on the command line. */
        public List<String> words() {
            return switch (form) {
                case SEPARATE -> List.of(flag, value);
                case JOINED -> List.of(flag + "=" + value);
                case SWITCH -> List.of(flag);
            };
        }

        /** Path of the setting below {@code spec} of a WorkerCluster; empty if it is not a setting. */
        public String setting() {
            Setting<?> setting = settingOf(flag);
            return setting == null ? "" : setting.path();
        }
    }

    /**
     * Derives the arguments of OSM.
     *
     * @param seeds all Seeds; the one with the Cluster's datacenter is used
     * @param configuration null for an empty one
     * @throws TenantMistake with every mistake for which KKP stops reconciling the Cluster: a missing datacenter, several
     *     providers, no services network, or fields of wrong types; each names its object
     */
    public static KkpSettings read(
            SourceDocument cluster, List<SourceDocument> seeds, @Nullable SourceDocument configuration) {
        KkpObjects objects = new KkpObjects(cluster, seeds, configuration);
        checkProviders(cluster, objects);
        List<Argument> arguments = new ArrayList<>();
        KkpMapping.ROWS.forEach(row -> arguments.addAll(row.derive().apply(objects)));
        List<ProblemFinding> findings = objects.findings();
        if (!findings.isEmpty()) {
            throw new TenantMistake(findings);
        }
        return new KkpSettings(arguments);
    }

    /** A provider is an object below {@code spec.cloud}. None is allowed. */
    private static void checkProviders(SourceDocument cluster, KkpObjects objects) {
        if (cluster.find("spec.cloud") instanceof DocumentNode.Fields cloud) {
            List<String> providers = cloud.fields().stream()
                    .filter(field -> field.value() instanceof DocumentNode.Fields)
                    .map(DocumentNode.Field::name)
                    .toList();
            if (providers.size() > 1) {
                objects.mistake(
                        "spec.cloud", "more than one provider: " + String.join(", ", providers), "keep one of them");
            }
        }
    }

    /** The command line, one word each. */
    public List<String> words() {
        return arguments.stream().flatMap(argument -> argument.words().stream()).toList();
    }

    /**
     * The settings with the field that determined each.
     *
     * @throws TenantMistake if OSM rejects an argument; each finding names the object and field of KKP
     */
    public SettingsLayer layer() {
        Map<String, List<Argument>> byFlag = arguments.stream()
                .filter(argument -> settingOf(argument.flag()) != null)
                .collect(Collectors.groupingBy(
                        argument -> argument.flag().substring(1), LinkedHashMap::new, Collectors.toList()));
        Map<String, List<String>> flags = new LinkedHashMap<>();
        byFlag.forEach((flag, list) ->
                flags.put(flag, list.stream().map(Argument::value).toList()));
        boolean noDefaults = flags.remove("disable-default-osps") != null;
        SettingsLayer.Builder read = new SettingsLayer.Builder();
        try {
            SettingsLayer settings = OsmFlags.read(flags, null, null);
            Setting.ALL.forEach(setting -> read.copy(setting, settings, List.of()));
        } catch (TenantMistake e) {
            throw new TenantMistake(e.findings().stream()
                    .map(finding -> atOrigin(finding, byFlag.get(finding.field().substring(1))))
                    .toList());
        }
        if (noDefaults) {
            read.set(Setting.INSTALL_DEFAULTS, InstallDefaults.NONE);
        }
        SettingsLayer values = read.build();
        SettingsLayer.Builder layer = new SettingsLayer.Builder();
        Setting.ALL.forEach(setting -> layer.copy(setting, values, origins(setting)));
        return layer.build();
    }

    private static ProblemFinding atOrigin(ProblemFinding finding, @Nullable List<Argument> arguments) {
        Origin origin =
                arguments == null ? null : arguments.getFirst().origins().getFirst();
        return origin == null
                ? finding
                : new ProblemFinding(finding.reason(), origin.object(), origin.field(), finding.what(), finding.cure());
    }

    private List<Origin> origins(Setting<?> setting) {
        return arguments.stream()
                .filter(argument -> setting.equals(settingOf(argument.flag())))
                .flatMap(argument -> argument.origins().stream())
                .distinct()
                .toList();
    }

    private static @Nullable Setting<?> settingOf(String flag) {
        return KkpMapping.ROWS.stream()
                .filter(row -> row.flag().equals(flag))
                .findFirst()
                .map(KkpMapping.Row::setting)
                .orElse(null);
    }
}
