package io.osmhub.core.template.corpus;

import java.util.ArrayList;
import java.util.List;

/** What came of running a corpus. */
public record CorpusReport(int compared, List<Difference> differences) {
    /** A case whose result is not the one wanted; {@code what} says which of its results. */
    public record Difference(String id, String what, String want, String got) {
        @Override
        public String toString() {
            return id + " " + what + "\n  want " + want + "\n  got  " + got;
        }
    }

    public CorpusReport {
        differences = List.copyOf(differences);
    }

    public int passed() {
        return compared - differences.size();
    }

    /** Collects results one by one. */
    static final class Builder {
        private int compared;
        private final List<Difference> differences = new ArrayList<>();

        void compare(String id, String what, String want, String got) {
            compared++;
            if (!want.equals(got)) {
                differences.add(new Difference(id, what, want, got));
            }
        }

        CorpusReport build() {
            return new CorpusReport(compared, differences);
        }
    }
}
