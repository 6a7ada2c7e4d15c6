package io.osmhub.core.document;

import io.osmhub.core.problem.Finding;
import io.osmhub.core.problem.Suggestion;
import io.osmhub.core.problem.TenantMistake;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Collects all that is wrong with one object, so that a user mends everything at once. */
public final class Mistakes {
    private final String object;
    private final String reason;
    private final List<Finding> findings = new ArrayList<>();

    /**
     * @param object what the findings name, for example {@code OperatingSystemProfile osp-ubuntu}
     * @param reason their reason, unless one is given
     */
    public Mistakes(String object, String reason) {
        this.object = object;
        this.reason = reason;
    }

    /** A question for the cure when one of the known words is near, else an empty text. */
    public static String didYouMean(String word, Collection<String> known) {
        return Suggestion.closest(word, known)
                .map(near -> "did you mean " + near + "?")
                .orElse("");
    }

    public void add(String field, String what, String cure) {
        findings.add(new Finding(reason, object, field, what, cure));
    }

    public boolean none() {
        return findings.isEmpty();
    }

    public List<Finding> findings() {
        return List.copyOf(findings);
    }

    /** Ends the reading when there is anything wrong. */
    public void raise() {
        if (!findings.isEmpty()) {
            throw new TenantMistake(findings);
        }
    }
}
