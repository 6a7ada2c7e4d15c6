package io.osmhub.core.render;

import io.osmhub.core.osc.SystemdUnit;
import io.osmhub.core.osp.OperatingSystemProfile;
import io.osmhub.core.osp.OperatingSystemProfile.Inline;
import io.osmhub.core.osp.ProfileExtension;
import io.osmhub.core.osp.ProfileExtension.Operation;
import io.osmhub.core.osp.ProfileExtension.Phase;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.render.CompiledProfile.Part;
import io.osmhub.core.render.CompiledProfile.SourceFile;
import io.osmhub.core.template.TemplateEngine;
import io.osmhub.core.template.language.TemplateLanguage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An extension's content, parsed once. Immutable and thread-safe.
 *
 * @param changes of files, in the order of the object's fields
 * @param commands in the order in which they run
 * @param contents a template of each change, empty if it has no content, then of each command
 * @param mistakes why it cannot be rendered
 */
public record CompiledExtension(
        ProfileExtension extension,
        List<FileChange> changes,
        List<Command> commands,
        Part contents,
        List<Problem> mistakes) {
    public CompiledExtension {
        changes = List.copyOf(changes);
        commands = List.copyOf(commands);
        mistakes = List.copyOf(mistakes);
    }

    /** What it selects. */
    public ProfileExtension.Target target() {
        return extension.spec().target();
    }

    /** Whether it applies unasked. */
    public ProfileExtension.Policy policy() {
        return extension.spec().policy();
    }

    /** A change of one file; units and drop-ins are files below {@link SystemdUnit#FOLDER}. {@code field} is its path in the object. */
    public record FileChange(boolean bootstrap, String field, ProfileExtension.File file) {}

    /** When commands run. */
    public enum Hook {
        BOOTSTRAP_BEFORE,
        BEFORE,
        AFTER
    }

    /** One command of a hook's script. */
    public record Command(Hook hook, String field, String text) {}

    /** Compiles an extension; one whose templates cannot be parsed has mistakes. */
    public static CompiledExtension compile(
            ProfileExtension extension, Function<TemplateLanguage, TemplateEngine> engines) {
        ProfileExtension.Spec spec = extension.spec();
        List<FileChange> changes = new ArrayList<>();
        List<Command> commands = new ArrayList<>();
        addPhase(spec.bootstrap(), true, changes, commands);
        addPhase(spec.provisioning(), false, changes, commands);
        List<SourceFile> files = new ArrayList<>();
        changes.forEach(change -> {
            ProfileExtension.File file = change.file();
            // Only one that has a template is found by its path.
            String path = file.content() == null ? change.field() : file.path();
            String content = Objects.requireNonNullElse(file.content(), "");
            files.add(source(spec, change.field(), path, file.permissions(), content));
        });
        commands.forEach(command -> files.add(source(spec, command.field(), command.field(), null, command.text())));
        List<Problem> mistakes = new ArrayList<>();
        Part contents = CompiledProfile.part("spec", files, Map.of(), engines.apply(languageOf(spec)), mistakes);
        mistakes.replaceAll(mistake -> mistake.withObject(extension.describe()));
        return new CompiledExtension(extension, changes, commands, contents, mistakes);
    }

    /** What it consists of, for example {@code 1 file change, 2 commands}. */
    public String describeContent() {
        List<String> parts = new ArrayList<>();
        addCount(changes.size(), "file change", parts);
        addCount(commands.size(), "command", parts);
        if (extension.spec().provisioning().kubeletConfiguration() != null) {
            parts.add("kubelet configuration");
        }
        return parts.isEmpty() ? "no change" : String.join(", ", parts);
    }

    private static void addCount(int count, String noun, List<String> parts) {
        if (count > 0) {
            parts.add(count + " " + noun + (count == 1 ? "" : "s"));
        }
    }

    /** The language in which {@link #contents} are compiled. */
    TemplateLanguage language() {
        return languageOf(extension.spec());
    }

    /** Plain text is written as a Go template. */
    private static TemplateLanguage languageOf(ProfileExtension.Spec spec) {
        return Objects.requireNonNullElse(spec.language(), TemplateLanguage.GO);
    }

    private static SourceFile source(
            ProfileExtension.Spec spec, String field, String path, @Nullable String permissions, String content) {
        int mode = permissions == null ? 0 : Integer.parseInt(permissions);
        String template = spec.language() == null ? content.replace("{{", "{{\"{{\"}}") : content;
        return new SourceFile(field, new OperatingSystemProfile.File(path, mode, new Inline(template, "b64")));
    }

    private static void addPhase(Phase phase, boolean bootstrap, List<FileChange> changes, List<Command> commands) {
        String root = bootstrap ? "spec.bootstrap." : "spec.provisioning.";
        for (int i = 0; i < phase.files().size(); i++) {
            changes.add(new FileChange(
                    bootstrap, root + "files[" + i + "]", phase.files().get(i)));
        }
        Hook before = bootstrap ? Hook.BOOTSTRAP_BEFORE : Hook.BEFORE;
        for (int i = 0; i < phase.units().size(); i++) {
            SystemdUnit unit = phase.units().get(i);
            String field = root + "units[" + i + "]";
            if (unit.content() != null) {
                changes.add(new FileChange(bootstrap, field, added(SystemdUnit.FOLDER + unit.name(), unit.content())));
            }
            for (int j = 0; j < unit.dropIns().size(); j++) {
                SystemdUnit.DropIn dropIn = unit.dropIns().get(j);
                String path = SystemdUnit.FOLDER + unit.name() + ".d/" + dropIn.name();
                changes.add(new FileChange(bootstrap, field + ".dropIns[" + j + "]", added(path, dropIn.content())));
            }
            if (Boolean.TRUE.equals(unit.mask())) {
                commands.add(new Command(before, field + ".mask", "systemctl mask " + unit.name()));
            }
            if (Boolean.TRUE.equals(unit.enable())) {
                String enable = "systemctl daemon-reload\nsystemctl enable --now " + unit.name();
                commands.add(new Command(before, field + ".enable", enable));
            }
        }
        addCommands(before, root + "beforeCommands", phase.beforeCommands(), commands);
        addCommands(Hook.AFTER, root + "afterCommands", phase.afterCommands(), commands);
    }

    private static void addCommands(Hook hook, String field, List<String> texts, List<Command> commands) {
        for (int i = 0; i < texts.size(); i++) {
            commands.add(new Command(hook, field + "[" + i + "]", texts.get(i)));
        }
    }

    private static ProfileExtension.File added(String path, String content) {
        return new ProfileExtension.File(path, Operation.ADD, null, content, List.of(), null, null);
    }
}
