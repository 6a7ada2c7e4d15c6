package io.osmhub.deploy.config;

import io.osmhub.deploy.render.Mistake;
import java.util.ArrayList;
import java.util.List;

/** What people read when a configuration cannot be used. */
public final class ConfigurationReport {
    private ConfigurationReport() {}

    /**
     * A headline, one line for each mistake, and where to read on.
     *
     * @param command as it was called, for example {@code hub controller}
     * @param what is wrong, for example {@code in the configuration}
     * @param outcome what became of the command, for example {@code nothing was started}; empty for a mere check
     */
    public static List<String> lines(String command, String what, String outcome, List<Mistake> mistakes) {
        List<String> lines = new ArrayList<>();
        int count = mistakes.size();
        lines.add(command + ": " + count + (count == 1 ? " mistake " : " mistakes ") + what
                + (outcome.isEmpty() ? "" : ", " + outcome));
        lines.addAll(Mistake.lines(mistakes));
        mistakes.stream()
                .map(Mistake::field)
                .filter(field -> FileLayer.key(field) != null)
                .reduce((first, last) -> last)
                .ifPresent(key -> lines.add("Explained by: hub explain config " + key));
        return lines;
    }
}
