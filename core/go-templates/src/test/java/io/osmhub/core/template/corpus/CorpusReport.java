package io.osmhub.core.template.corpus;

import java.util.ArrayList;
import java.util.List;

/**
 * The results of running a corpus.
 *
 * @param compared the number of results compared with the expected ones
 * @param refusals cases that the engine refused by name; not compared
 */
public record CorpusReport(int compared, List<Difference> differences, List<Refusal> refusals) {
    /** A case whose result is not the expected one; {@code what} says which of its results. */
    public record Difference(String id, String what, String want, String got) {
        @Override
        public String toString() {
            return id + " " + what + "\n  want " + want + "\n  got  " + got;
        }
    }

    /** A case that uses a function or a format that is not supported; {@code name} is its name. */
    public record Refusal(String id, String name) {}

    public CorpusReport {
        differences = List.copyOf(differences);
        refusals = List.copyOf(refusals);
    }

    public int passed() {
        return compared - differences.size();
    }

    /** Collects results one by one. */
    static final class Builder {
        private int compared;
        private final List<Difference> differences = new ArrayList<>();
        private final List<Refusal> refusals = new ArrayList<>();

        void compare(String id, String what, String want, String got) {
            compared++;
            if (!want.equals(got)) {
                differences.add(new Difference(id, what, want, got));
            }
        }

        void refuse(String id, String name) {
            refusals.add(new Refusal(id, name));
        }

        CorpusReport build() {
            return new CorpusReport(compared, differences, refusals);
        }
    }
}
