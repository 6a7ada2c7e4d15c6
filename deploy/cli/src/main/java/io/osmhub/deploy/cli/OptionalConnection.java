package io.osmhub.deploy.cli;

import io.osmhub.deploy.fleet.FleetOptions;
import java.lang.reflect.Field;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** A verb with the options of a connection that does not always connect. */
interface OptionalConnection {
    /** Why this command line does not connect, for example {@code without -n NAMESPACE}; null if it does. */
    @Nullable String whyNotConnected();

    /** Rejects options of a connection where they have no effect. */
    static void rejectUnused(ParseResult given) {
        if (given.hasSubcommand()) {
            rejectUnused(given.subcommand());
            return;
        }
        String reason =
                given.commandSpec().userObject() instanceof OptionalConnection command && !given.isUsageHelpRequested()
                        ? command.whyNotConnected()
                        : null;
        List<String> unused = reason == null
                ? List.of()
                : given.matchedOptions().stream()
                        .filter(option -> option.userObject() instanceof Field field
                                && FleetOptions.class.isAssignableFrom(field.getDeclaringClass()))
                        .map(OptionSpec::longestName)
                        .toList();
        if (!unused.isEmpty()) {
            throw new ParameterException(
                    given.commandSpec().commandLine(),
                    String.join(", ", unused) + (unused.size() == 1 ? ": has" : ": have") + " no effect " + reason);
        }
    }
}
