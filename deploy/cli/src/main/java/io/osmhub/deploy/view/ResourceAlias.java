package io.osmhub.deploy.view;

import io.osmhub.core.osp.ProfileExtension;
import io.osmhub.core.template.SpellingSuggestion;
import io.osmhub.deploy.fleet.CommandFailure;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Resources of the command line. Singular, plural and short forms are accepted. */
public enum ResourceAlias {
    CLUSTERS("wc", "WorkerCluster", "clusters cluster wc workercluster workerclusters"),
    OSPS("osp", "OperatingSystemProfile", "osps osp operatingsystemprofile operatingsystemprofiles"),
    OSCS("osc", "OperatingSystemConfig", "oscs osc operatingsystemconfig operatingsystemconfigs"),
    MDS("md", "MachineDeployment", "mds md machinedeployment machinedeployments"),
    PROBLEMS("problem", "Problem", "problems problem"),
    CAUSES("cause", "Cause", "causes cause"),
    SETTINGS("setting", "Setting", "settings setting");

    /** Names of an extension, which only kubectl lists; the short form first. */
    private static final List<String> EXTENSION = List.of(
            "ospx", "extension", "extensions", "operatingsystemprofileextension", "operatingsystemprofileextensions");

    private final String shortForm;
    private final String kind;
    private final String aliases;

    ResourceAlias(String shortForm, String kind, String words) {
        this.shortForm = shortForm;
        this.kind = kind;
        this.aliases = words;
    }

    /** For {@code kind/name}. */
    public String shortForm() {
        return shortForm;
    }

    /** The kind in the API. */
    public String kind() {
        return kind;
    }

    private List<String> aliases() {
        return List.of(aliases.split(" "));
    }

    /** The first alias, for messages. */
    public String displayName() {
        return aliases().getFirst();
    }

    public boolean isNamed(String word) {
        return aliases().contains(word.toLowerCase(Locale.ROOT));
    }

    /** Parses an alias. */
    public static ResourceAlias of(String word) {
        List<String> all = new ArrayList<>();
        for (ResourceAlias noun : values()) {
            if (noun.isNamed(word)) {
                return noun;
            }
            all.addAll(noun.aliases());
        }
        if (EXTENSION.contains(word.toLowerCase(Locale.ROOT))) {
            throw CommandFailure.unusable("unknown resource \"" + word + "\"; list extensions with kubectl get ospx");
        }
        String cure = SpellingSuggestion.findClosest(word, all)
                .map(near -> "did you mean " + near + "?")
                .orElse("use "
                        + String.join(
                                ", ",
                                Arrays.stream(values())
                                        .map(ResourceAlias::displayName)
                                        .toList()));
        throw CommandFailure.unusable("unknown resource \"" + word + "\"; " + cure);
    }

    /** The short form of an API kind; unknown kinds unchanged. */
    static String shortFormOf(String kind) {
        return Arrays.stream(values())
                .filter(noun -> noun.kind.equals(kind))
                .map(ResourceAlias::shortForm)
                .findFirst()
                .orElse(kind.equals(ProfileExtension.KIND) ? EXTENSION.getFirst() : kind.toLowerCase(Locale.ROOT));
    }
}
