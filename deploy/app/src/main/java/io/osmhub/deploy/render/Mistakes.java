package io.osmhub.deploy.render;

import io.osmhub.core.document.SourceText;
import io.osmhub.core.problem.Finding;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Collects what is wrong with all inputs, and knows from which file an object came. */
final class Mistakes {
    private final Set<Mistake> mistakes = new LinkedHashSet<>();
    private final Map<String, SourceText> sources = new HashMap<>();

    /** Findings that name this object stand in this document. */
    void knowSource(String object, SourceText source) {
        sources.put(object, source);
    }

    void add(Mistake mistake) {
        mistakes.add(mistake);
    }

    void add(SourceText source, List<Finding> findings) {
        findings.forEach(finding -> mistakes.add(Mistake.in(source, finding)));
    }

    /** Findings about objects, each put where its object came from; {@code otherwise} for one that names no object. */
    void add(List<Finding> findings, String otherwise) {
        for (Finding finding : findings) {
            SourceText source = sources.get(finding.object());
            if (source != null) {
                mistakes.add(Mistake.in(source, finding));
            } else {
                mistakes.add(Mistake.of(finding.object().isEmpty() ? otherwise : finding.object(), finding));
            }
        }
    }

    boolean none() {
        return mistakes.isEmpty();
    }

    List<Mistake> all() {
        return new ArrayList<>(mistakes);
    }
}
