package io.osmhub.deploy.render;

import io.osmhub.core.document.SourceText;
import io.osmhub.core.problem.ProblemFinding;
import io.osmhub.deploy.config.InputError;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Collects the errors of all inputs, and maps objects to their files. */
final class InputErrors {
    private final Set<InputError> mistakes = new LinkedHashSet<>();
    private final Map<String, SourceText> sources = new HashMap<>();

    /** Maps findings of this object to this document. */
    void registerSource(String object, SourceText source) {
        sources.put(object, source);
    }

    void add(InputError mistake) {
        mistakes.add(mistake);
    }

    void add(SourceText source, List<ProblemFinding> findings) {
        findings.forEach(finding -> mistakes.add(InputError.ofDocument(source, finding)));
    }

    /** Adds findings at the sources of their objects; {@code otherwise} if a finding names no object. */
    void add(List<ProblemFinding> findings, String otherwise) {
        for (ProblemFinding finding : findings) {
            SourceText source = sources.get(finding.object());
            if (source != null) {
                mistakes.add(InputError.ofDocument(source, finding));
            } else {
                mistakes.add(InputError.of(finding.object().isEmpty() ? otherwise : finding.object(), finding));
            }
        }
    }

    boolean isEmpty() {
        return mistakes.isEmpty();
    }

    List<InputError> all() {
        return new ArrayList<>(mistakes);
    }
}
