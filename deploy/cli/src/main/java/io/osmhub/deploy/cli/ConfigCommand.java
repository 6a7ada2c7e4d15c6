package io.osmhub.deploy.cli;

import io.osmhub.core.kkp.KkpSettings;
import io.osmhub.core.settings.SettingsLayer.Origin;
import io.osmhub.deploy.config.ConfigurationLoader;
import io.osmhub.deploy.config.ConfigurationLoader.Result;
import io.osmhub.deploy.config.ConfigurationReport;
import io.osmhub.deploy.config.ConfigurationSources;
import io.osmhub.deploy.config.EffectiveConfiguration;
import io.osmhub.deploy.fleet.ObjectPrinter;
import io.osmhub.deploy.fleet.TextTable;
import io.osmhub.deploy.render.KkpFiles;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code hub config}: checks or prints the configuration without starting anything. */
@Command(
        name = "config",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "check|print|from-kkp",
        description =
                "Check the hub's configuration, print it with the source of every value, or derive settings from KKP.",
        subcommands = {ConfigCommand.Check.class, ConfigCommand.Print.class, ConfigCommand.FromKkp.class})
final class ConfigCommand extends CommandGroup {
    /** {@code hub config check}. */
    @Command(
            name = "check",
            mixinStandardHelpOptions = true,
            description = "Check the configuration and report all errors.",
            footer = {"", "Exit codes: 0 valid, 2 errors."})
    static final class Check extends TerminalCommand {
        @Parameters(
                index = "0",
                arity = "0..1",
                paramLabel = "FILE",
                description = "File to check instead of the one that the hub would read.")
        private @Nullable String file;

        @Mixin
        private final ConfigurationOptions options = new ConfigurationOptions();

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
    static final class Print extends TerminalCommand {
        @Mixin
        private final ConfigurationOptions options = new ConfigurationOptions();

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

    /** {@code hub config from-kkp}: derives the settings of a KKP user cluster. Connects to nothing. */
    @Command(
            name = "from-kkp",
            mixinStandardHelpOptions = true,
            description = "Print the settings of a KKP user cluster, with the fields that they come from.",
            footer = {
                "",
                "Examples:",
                "  hub config from-kkp cluster.yaml seed.yaml config.yaml",
                "  hub config from-kkp cluster.yaml seed.yaml config.yaml -o args",
                "",
                "Exit codes: 0 printed, 2 errors."
            })
    static final class FromKkp extends TerminalCommand {
        /** Output formats. */
        enum Format {
            /** The command line of Operating System Manager, one word a line. */
            args,
            table,
            json,
            yaml
        }

        /** One setting in JSON and YAML. */
        record KkpSetting(String setting, String flag, String value, List<Origin> sources) {
            String source() {
                return sources.stream().map(Origin::toString).collect(Collectors.joining(", "));
            }
        }

        @Parameters(
                arity = "1..*",
                paramLabel = "FILE",
                description = "Files with the Cluster, the Seed of its datacenter and optionally the"
                        + " KubermaticConfiguration; - is standard input.")
        private List<String> files = List.of();

        @Option(
                names = {"-o", "--output"},
                paramLabel = "FORMAT",
                description = "Output format: ${COMPLETION-CANDIDATES} (default: table). args prints the arguments that"
                        + " KKP gives to Operating System Manager.")
        private Format format = Format.table;

        @Override
        public Integer call() {
            lines(KkpFiles.read(files, format != Format.args, terminal.in())).forEach(terminal.out()::println);
            return ExitCode.OK;
        }

        private List<String> lines(KkpSettings settings) {
            List<KkpSetting> shown = settings.arguments().stream()
                    .filter(argument -> !argument.setting().isEmpty())
                    .map(argument ->
                            new KkpSetting(argument.setting(), argument.flag(), argument.value(), argument.origins()))
                    .toList();
            return switch (format) {
                case args -> settings.words();
                case json -> List.of(ObjectPrinter.json(ObjectPrinter.list(shown)));
                case yaml -> List.of(ObjectPrinter.yaml(ObjectPrinter.list(shown)));
                case table ->
                    new TextTable<>(shown)
                            .text("SETTING", KkpSetting::setting)
                            .text("FLAG", KkpSetting::flag)
                            .text("VALUE", KkpSetting::value)
                            .text("SOURCE", KkpSetting::source)
                            .lines(true, false, terminal.width());
            };
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
