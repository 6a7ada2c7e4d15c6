package io.osmhub.core.document;

import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.ProblemObject;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.template.SpellingSuggestion;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Collects all mistakes of one object, so that a user can fix them together. */
public final class FindingsCollector {
    private final ProblemObject object;
    private final Reason reason;
    private final List<Problem> findings = new ArrayList<>();

    /**
     * @param object that the findings are about
     * @param reason the default reason of the findings
     */
    public FindingsCollector(ProblemObject object, Reason reason) {
        this.object = object;
        this.reason = reason;
    }

    /** A question for the fix if a known word is close, else an empty text. */
    public static String suggestClosest(String word, Collection<String> known) {
        return SpellingSuggestion.findClosest(word, known)
                .map(near -> "did you mean " + near + "?")
                .orElse("");
    }

    public ProblemObject object() {
        return object;
    }

    public void add(String field, String what, String cure) {
        findings.add(new Problem(reason, object, field, what, cure));
    }

    public boolean isEmpty() {
        return findings.isEmpty();
    }

    public List<Problem> findings() {
        return List.copyOf(findings);
    }

    /** Throws if there are findings. */
    public void throwIfAny() {
        if (!findings.isEmpty()) {
            throw new TenantMistake(findings);
        }
    }
}
