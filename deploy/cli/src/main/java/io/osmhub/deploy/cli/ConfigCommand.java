package io.osmhub.deploy.cli;

import io.osmhub.deploy.config.ConfigurationLoader;
import io.osmhub.deploy.config.ConfigurationLoader.Result;
import io.osmhub.deploy.config.ConfigurationReport;
import io.osmhub.deploy.config.ConfigurationSources;
import io.osmhub.deploy.config.EffectiveConfiguration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code hub config}: checks or prints the configuration without starting anything. */
@Command(
        name = "config",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "check|print",
        description = "Check the hub's configuration, or print it with the source of every value.",
        subcommands = {ConfigCommand.Check.class, ConfigCommand.Print.class})
final class ConfigCommand extends CommandGroup {
    /** {@code hub config check}. */
    @Command(
            name = "check",
            mixinStandardHelpOptions = true,
            description = "Check the configuration and report all errors.",
            footer = {"", "Exit codes: 0 valid, 2 errors."})
    static final class Check implements Callable<Integer> {
        private final Terminal terminal;

        @Parameters(
                index = "0",
                arity = "0..1",
                paramLabel = "FILE",
                description = "File to check instead of the one that the hub would read.")
        private @Nullable String file;

        @Mixin
        private final ConfigurationOptions options = new ConfigurationOptions();

        Check(Terminal terminal) {
            this.terminal = terminal;
        }

        @Override
        public Integer call() {
            EffectiveConfiguration effective = load(terminal, options.sources(System.getenv(), file));
            if (effective == null) {
                return ExitCode.UNUSABLE_INPUT;
            }
            String read = effective.file();
            terminal.out().println((read == null ? "no file; environment and defaults" : read) + ": valid");
            return ExitCode.OK;
        }
    }

    /** {@code hub config print}. */
    @Command(
            name = "print",
            mixinStandardHelpOptions = true,
            description = "Print the effective configuration as a file, with the source of every value.",
            footer = {"", "Exit codes: 0 printed, 2 errors."})
    static final class Print implements Callable<Integer> {
        private final Terminal terminal;

        @Mixin
        private final ConfigurationOptions options = new ConfigurationOptions();

        Print(Terminal terminal) {
            this.terminal = terminal;
        }

        @Override
        public Integer call() {
            EffectiveConfiguration effective = load(terminal, options.sources(System.getenv(), null));
            if (effective == null) {
                return ExitCode.UNUSABLE_INPUT;
            }
            effective.print().forEach(terminal.out()::println);
            return ExitCode.OK;
        }
    }

    /** Returns null after printing the errors, if any. */
    private static @Nullable EffectiveConfiguration load(Terminal terminal, ConfigurationSources sources) {
        return switch (ConfigurationLoader.load(sources)) {
            case Result.Loaded(EffectiveConfiguration effective) -> effective;
            case Result.Refused(var mistakes) -> {
                ConfigurationReport.lines("hub", "in the configuration", "", mistakes)
                        .forEach(terminal.err()::println);
                yield null;
            }
        };
    }
}
