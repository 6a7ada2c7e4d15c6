package io.osmhub.deploy.view;

import io.osmhub.core.problem.Suggestion;
import io.osmhub.deploy.fleet.FleetFailure;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** What can be asked for. Singular, plural and short forms are equal. */
public enum Noun {
    CLUSTERS("wc", "WorkerCluster", "clusters cluster wc workercluster workerclusters"),
    OSPS("osp", "OperatingSystemProfile", "osps osp operatingsystemprofile operatingsystemprofiles"),
    OSCS("osc", "OperatingSystemConfig", "oscs osc operatingsystemconfig operatingsystemconfigs"),
    MDS("md", "MachineDeployment", "mds md machinedeployment machinedeployments"),
    PROBLEMS("problem", "Problem", "problems problem");

    private final String shortForm;
    private final String kind;
    private final String words;

    Noun(String shortForm, String kind, String words) {
        this.shortForm = shortForm;
        this.kind = kind;
        this.words = words;
    }

    /** For {@code kind/name}. */
    public String shortForm() {
        return shortForm;
    }

    /** As the API calls it. */
    public String kind() {
        return kind;
    }

    private List<String> words() {
        return List.of(words.split(" "));
    }

    /** The first word of each, for messages. */
    public String word() {
        return words().getFirst();
    }

    /** The noun that a word means. */
    public static Noun of(String word) throws FleetFailure {
        String lower = word.toLowerCase(Locale.ROOT);
        List<String> all = new ArrayList<>();
        for (Noun noun : values()) {
            if (noun.words().contains(lower)) {
                return noun;
            }
            all.addAll(noun.words());
        }
        String cure = Suggestion.closest(word, all)
                .map(near -> "did you mean " + near + "?")
                .orElse("use "
                        + String.join(
                                ", ", Arrays.stream(values()).map(Noun::word).toList()));
        throw new FleetFailure(FleetFailure.Kind.UNUSABLE, "nothing is called " + word + "; " + cure);
    }

    /** The short form of a kind of the API; the kind itself when it is none of these. */
    static String shortOf(String kind) {
        return Arrays.stream(values())
                .filter(noun -> noun.kind.equals(kind))
                .map(Noun::shortForm)
                .findFirst()
                .orElse(kind.toLowerCase(Locale.ROOT));
    }
}
