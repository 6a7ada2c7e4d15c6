package io.osmhub.core.kkp;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;

import io.osmhub.core.document.SourceDocument;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.ProblemObject;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.settings.OsmFlags;
import io.osmhub.core.settings.Setting;
import io.osmhub.core.settings.SettingsLayer;
import io.osmhub.core.settings.SettingsLayer.Origin;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
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
     * @param words on the command line
     * @param origins fields that determined it; empty for constants of KKP
     */
    public record Argument(String flag, String value, List<String> words, List<Origin> origins) {
        public Argument {
            words = List.copyOf(words);
            origins = List.copyOf(origins);
        }

        /** Path of the setting below {@code spec} of a WorkerCluster; empty if it is not a setting. */
        public String setting() {
            Setting setting = Setting.ofFlag(flag);
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
        return new KkpSettings(KkpArguments.derive(cluster, seeds, configuration));
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
        Map<String, List<String>> flags = arguments.stream()
                .collect(groupingBy(
                        argument -> argument.flag().substring(1),
                        LinkedHashMap::new,
                        mapping(Argument::value, toList())));
        Map<Setting, List<Origin>> origins = new LinkedHashMap<>();
        for (Argument argument : arguments) {
            Setting setting = Setting.ofFlag(argument.flag());
            if (setting != null) {
                origins.merge(setting, argument.origins(), (one, more) -> Stream.concat(one.stream(), more.stream())
                        .distinct()
                        .toList());
            }
        }
        try {
            return new SettingsLayer(OsmFlags.read(flags, null, null).spec(), origins);
        } catch (TenantMistake e) {
            throw new TenantMistake(e.findings().stream().map(this::atOrigin).toList());
        }
    }

    private Problem atOrigin(Problem finding) {
        return arguments.stream()
                .filter(argument -> argument.flag().equals(finding.field()))
                .map(argument -> argument.origins().getFirst())
                .findFirst()
                .map(origin ->
                        finding.withObject(ProblemObject.input(origin.object())).withField(origin.field()))
                .orElse(finding);
    }
}
