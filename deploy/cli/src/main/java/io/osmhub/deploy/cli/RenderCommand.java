package io.osmhub.deploy.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.osmhub.core.userdata.UserDataSize;
import io.osmhub.deploy.fleet.CommandFailure;
import io.osmhub.deploy.fleet.OutputDirectory;
import io.osmhub.deploy.fleet.OutputDirectory.OutputFile;
import io.osmhub.deploy.fleet.TextTable;
import io.osmhub.deploy.render.OfflineRenderRequest;
import io.osmhub.deploy.render.OfflineRenderer;
import io.osmhub.deploy.render.OfflineRenderer.OfflineRendering;
import io.osmhub.deploy.render.RenderedFiles.RenderOutput;
import io.osmhub.deploy.view.ValueFormatter;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** {@code hub render}: renders from files what a new machine of a MachineDeployment gets. */
@Command(
        name = "render",
        mixinStandardHelpOptions = true,
        description = {
            "Render what a new machine of a MachineDeployment gets, from files and without a cluster.",
            "",
            "FILE - is standard input. Files may contain several documents; those of other kinds are ignored."
                    + " Without --only and --out everything is printed as YAML; notes and errors go to standard error."
                    + " Missing credentials are replaced by placeholders such as <redacted:bootstrap-token>.",
            ""
        },
        sortOptions = false,
        footer = {
            "",
            "Examples:",
            "  hub render --osp docs/examples/osp.yaml --machine-deployment docs/examples/machinedeployment.yaml \\",
            "             --settings docs/examples/tenant.yaml --out out",
            "      writes out/osc.yaml, out/bootstrap.txt, out/provisioning.txt and the rest",
            "  hub render --osp osp.yaml -m md.yaml --only bootstrap | cloud-init schema --config-file /dev/stdin",
            "      checks one document",
            "  kubectl get osp,machinedeployments -A -o yaml | hub render --osp - -m - --name workers --only osc",
            "      renders what a cluster has",
            "  hub render --osp osp.yaml -m md.yaml --peer-flag node-http-proxy=http://proxy:3128",
            "      with settings as flags of the Operating System Manager",
            "",
            "Exit codes: 0 rendered, 2 invalid input, nothing written."
        })
final class RenderCommand extends TerminalCommand {
    @Mixin
    private final OfflineRenderRequest request = new OfflineRenderRequest();

    @Option(
            names = "--only",
            paramLabel = "DOCUMENT",
            defaultValue = "all",
            converter = OutputConverter.class,
            completionCandidates = OutputCandidates.class,
            description = "Document to print or write: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    @SuppressWarnings("NullAway.Init") // set by picocli before call
    private RenderOutput output;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "Write files into DIR; all but osc.yaml are readable only by their owner.")
    private @Nullable Path out;

    /** Parses {@code --only}. */
    static final class OutputConverter implements ITypeConverter<RenderOutput> {
        @Override
        public RenderOutput convert(String text) {
            for (RenderOutput output : RenderOutput.values()) {
                if (output.optionValue().equals(text)) {
                    return output;
                }
            }
            throw new TypeConversionException(
                    "\"" + text + "\" is not one of " + String.join(", ", RenderOutput.optionValues()));
        }
    }

    /** Completion of {@code --only}. */
    static final class OutputCandidates implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return RenderOutput.optionValues().iterator();
        }
    }

    @Override
    public Integer call() {
        if (out != null && out.toString().isEmpty()) {
            throw CommandFailure.unusable("--out: expected a directory, found an empty value");
        }
        long start = System.nanoTime();
        return give(OfflineRenderer.render(request, terminal.in()), start);
    }

    private int give(OfflineRendering rendered, long start) {
        List<OutputFile> files = rendered.files().select(output);
        if (files.isEmpty()) {
            throw CommandFailure.unusable(
                    "no " + output.optionValue() + " for these machines; only cloud provider edge has one");
        }
        if (out != null) {
            new OutputDirectory(out).write(files);
            list(files, out);
        } else if (output == RenderOutput.ALL) {
            print(rendered.files().stream());
        } else {
            print(files.getFirst().text());
        }
        rendered.notes().forEach(note -> terminal.err().println("note: " + note));
        if (out != null) {
            terminal.err().println(summary(rendered, files.size(), start));
        }
        return ExitCode.OK;
    }

    private void print(String text) {
        byte[] bytes = text.getBytes(UTF_8);
        terminal.out().write(bytes, 0, bytes.length);
        terminal.out().flush();
    }

    private void list(List<OutputFile> files, Path directory) {
        new TextTable<>(files)
                .text("FILE", file -> directory.resolve(file.name()).toString())
                .number("SIZE", file -> UserDataSize.formatBytes(file.bytes().length))
                .text("LIMIT", OutputFile::limit)
                .lines(false, false, 0)
                .forEach(terminal.out()::println);
    }

    private static String summary(OfflineRendering rendered, int files, long start) {
        int placeholders = rendered.placeholders();
        return ValueFormatter.countOf(files, "file") + " from " + rendered.profile() + " for "
                + rendered.machineDeployment() + ", " + (System.nanoTime() - start) / 1_000_000 + " ms"
                + (placeholders == 0
                        ? ""
                        : "; " + ValueFormatter.countOf(placeholders, "placeholder") + " for credentials");
    }
}
