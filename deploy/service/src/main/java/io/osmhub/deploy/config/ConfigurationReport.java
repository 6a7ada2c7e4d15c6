package io.osmhub.deploy.config;

import java.util.ArrayList;
import java.util.List;

/** The error report for an unusable configuration. */
public final class ConfigurationReport {
    private ConfigurationReport() {}

    /**
     * Returns a headline, one line per error, and a reference to further help.
     *
     * @param command as invoked, for example {@code hub controller}
     * @param what location of the errors, for example {@code in the configuration}
     * @param outcome for example {@code nothing was started}; empty for a check
     */
    public static List<String> lines(String command, String what, String outcome, List<InputError> mistakes) {
        List<String> lines = new ArrayList<>();
        int count = mistakes.size();
        lines.add(command + ": " + count + (count == 1 ? " error " : " errors ") + what
                + (outcome.isEmpty() ? "" : ", " + outcome));
        lines.addAll(InputError.formatLines(mistakes));
        mistakes.stream()
                .map(InputError::field)
                .filter(field -> ConfigurationKey.of(field) != null)
                .reduce((first, last) -> last)
                .ifPresent(key -> lines.add("For help: docs/reference/configuration.md, " + key));
        return lines;
    }
}
