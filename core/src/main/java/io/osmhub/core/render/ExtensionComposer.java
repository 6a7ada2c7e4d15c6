package io.osmhub.core.render;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.model.Sha256;
import io.osmhub.core.osc.OperatingSystemConfig;
import io.osmhub.core.osc.OperatingSystemConfigStatus.ExtensionSource;
import io.osmhub.core.osc.SystemdUnit;
import io.osmhub.core.osp.OperatingSystemProfile;
import io.osmhub.core.osp.ProfileExtension;
import io.osmhub.core.osp.ProfileExtension.Edit;
import io.osmhub.core.osp.ProfileExtension.Operation;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.render.CompiledExtension.FileChange;
import io.osmhub.core.render.Renderer.PartRenderer.FileVariants;
import io.osmhub.core.render.Renderer.RenderInput;
import io.osmhub.core.render.Renderer.RenderedConfig.FileOrigin;
import io.osmhub.core.resource.NullableCollections;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BinaryOperator;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Applies extensions to the rendered files of a profile. Only commands and appended text depend on the order of extensions; whatever
 * else two of them would decide is a conflict. Each file has two variants, with credentials and with placeholders. Not thread-safe.
 */
final class ExtensionComposer {
    /** Written by the hub into each document. */
    static final String MACHINE_NAME = "/etc/machine-name";

    /** In a status, whose schema allows no more. */
    private static final int MOST_PATHS = 256;

    /** As many characters as templates may write. */
    private static final int LONGEST_TEXT = 4 << 20;

    private final RenderInput.Profile profile;
    private final Set<String> reserved;
    private final boolean rendered;
    private final List<ComposedFile> files = new ArrayList<>();
    private final List<ComposedFile> added = new ArrayList<>();
    /** The only one that may write a path or a key. */
    private final Map<String, FileOrigin> writers = new HashMap<>();
    /** The first one that appends to a path. */
    private final Map<String, FileOrigin> appenders = new HashMap<>();

    private final List<Problem> mistakes = new ArrayList<>();
    private final Map<String, Set<String>> changed = new HashMap<>();
    private final List<Problem> warnings = new ArrayList<>();
    private final List<Problem> skipped = new ArrayList<>();

    /** A file in both variants. */
    static final class ComposedFile {
        final boolean bootstrap;
        final FileOrigin origin;
        private OperatingSystemConfig.File revealed;
        private OperatingSystemConfig.File redacted;

        ComposedFile(
                boolean bootstrap,
                FileOrigin origin,
                OperatingSystemConfig.File revealed,
                OperatingSystemConfig.File redacted) {
            this.bootstrap = bootstrap;
            this.origin = origin;
            this.revealed = revealed;
            this.redacted = redacted;
        }

        String path() {
            return revealed.path();
        }

        /** With placeholders. */
        String text() {
            return redacted.data();
        }

        boolean contains(String text) {
            return revealed.data().contains(text) || redacted.data().contains(text);
        }

        void change(UnaryOperator<OperatingSystemConfig.File> change) {
            boolean same = revealed.equals(redacted);
            revealed = change.apply(revealed);
            redacted = same ? revealed : change.apply(redacted);
        }

        void combine(ComposedFile content, BinaryOperator<OperatingSystemConfig.File> change) {
            revealed = change.apply(revealed, content.revealed);
            redacted = change.apply(redacted, content.redacted);
        }
    }

    /**
     * The files of both configurations.
     *
     * @param changed paths of the profile that an extension changed, by {@link ProfileExtension#path}
     * @param skipped optional changes of what the profile does not have
     */
    record Composition(
            List<ComposedFile> files, Map<String, Set<String>> changed, List<Problem> warnings, List<Problem> skipped) {
        FileVariants variants(boolean bootstrap) {
            return new FileVariants(
                    stream(bootstrap).map(file -> file.revealed).toList(),
                    stream(bootstrap).map(file -> file.redacted).toList());
        }

        List<FileOrigin> origins(boolean bootstrap) {
            return stream(bootstrap).map(file -> file.origin).toList();
        }

        List<ExtensionSource> sources(List<CompiledExtension> extensions) {
            return extensions.stream()
                    .map(CompiledExtension::extension)
                    .map(extension -> new ExtensionSource(
                            NullableCollections.nullIfEmpty(extension.namespace()),
                            extension.name(),
                            extension.contentHash(),
                            paths(extension),
                            NullableCollections.nullIfEmpty(skipped.stream()
                                    .filter(problem -> problem.object().equals(extension.describe()))
                                    .map(Problem::field)
                                    .distinct()
                                    .limit(MOST_PATHS)
                                    .toList())))
                    .toList();
        }

        /** What an extension adds and changes. */
        private List<String> paths(ProfileExtension extension) {
            return Stream.concat(
                            files.stream()
                                    .filter(file -> file.origin.object().equals(extension.describe())
                                            && !file.origin.field().isEmpty())
                                    .map(ComposedFile::path),
                            changed.getOrDefault(extension.path(), new TreeSet<>()).stream())
                    .distinct()
                    .sorted()
                    .limit(MOST_PATHS)
                    .toList();
        }

        private Stream<ComposedFile> stream(boolean bootstrap) {
            return files.stream().filter(file -> file.bootstrap == bootstrap);
        }
    }

    /**
     * @param reserved paths that the hub writes
     * @param rendered false if texts are templates, in which a text to edit may be missing
     */
    ExtensionComposer(RenderInput.Profile profile, Set<String> reserved, boolean rendered) {
        this.profile = profile;
        this.reserved = reserved;
        this.rendered = rendered;
    }

    /** The conflicts that can be found without rendering. */
    static List<Problem> findConflicts(RenderInput.Profile profile) {
        try {
            new ExtensionComposer(profile, Set.of(MACHINE_NAME), false)
                    .compose(
                            templates(profile.compiled().bootstrap()),
                            templates(profile.compiled().provisioning()),
                            profile.applied().extensions().stream()
                                    .map(extension -> templates(extension.contents()))
                                    .toList());
            return List.of();
        } catch (TenantMistake e) {
            return e.findings();
        }
    }

    private static FileVariants templates(CompiledProfile.Part part) {
        List<OperatingSystemConfig.File> texts = part.files().stream()
                .map(CompiledProfile.SourceFile::unrendered)
                .toList();
        return new FileVariants(texts, texts);
    }

    /**
     * Composes.
     *
     * @param contents the rendered contents of each extension
     * @throws TenantMistake with every conflict, and every change that does not fit the profile
     */
    Composition compose(FileVariants bootstrap, FileVariants provisioning, List<FileVariants> contents) {
        addBase(bootstrap, profile.compiled().bootstrap(), true);
        addBase(provisioning, profile.compiled().provisioning(), false);
        ExtensionHooks hooks = new ExtensionHooks(profile, List.copyOf(files));
        List<CompiledExtension> extensions = profile.applied().extensions();
        for (int i = 0; i < extensions.size(); i++) {
            apply(extensions.get(i), contents.get(i), hooks);
        }
        for (CompiledExtension extension : extensions) {
            mergeKubeletConfiguration(extension.extension());
        }
        List<ComposedFile> scripts = hooks.files(mistakes);
        findNestedPaths(scripts);
        if (!mistakes.isEmpty()) {
            throw new TenantMistake(mistakes);
        }
        files.addAll(added);
        files.addAll(scripts);
        return new Composition(files, changed, warnings, skipped);
    }

    private void addBase(FileVariants variants, CompiledProfile.Part part, boolean bootstrap) {
        for (int i = 0; i < variants.revealed().size(); i++) {
            files.add(new ComposedFile(
                    bootstrap,
                    new FileOrigin(profile.describe(), part.files().get(i).field()),
                    variants.revealed().get(i),
                    variants.redacted().get(i)));
        }
    }

    private void apply(CompiledExtension compiled, FileVariants contents, ExtensionHooks hooks) {
        List<FileChange> changes = compiled.changes();
        for (int i = 0; i < changes.size(); i++) {
            FileChange change = changes.get(i);
            ComposedFile content = new ComposedFile(
                    change.bootstrap() || hooks.isAllInBootstrap(),
                    new FileOrigin(compiled.extension().describe(), change.field()),
                    contents.revealed().get(i),
                    contents.redacted().get(i));
            if (change.file().operation() == Operation.ADD) {
                add(content);
            } else {
                change(content, change.file());
            }
        }
        hooks.addScripts(compiled, contents, changes.size());
    }

    private void add(ComposedFile file) {
        String path = file.path();
        if (hasUnit(path)) {
            conflict(file.origin, path + " is written by " + profile.describe(), "use a drop-in");
        } else if (!findBases(path).isEmpty()) {
            conflict(file.origin, path + " is written by " + profile.describe(), "use Replace, Edit or Append");
        } else if (isReserved(path)) {
            conflict(file.origin, path + " is written by the hub", "use another path");
        } else if (claim(file.origin, path, path)) {
            added.add(file);
        }
    }

    private void change(ComposedFile content, ProfileExtension.File wanted) {
        String path = wanted.path();
        FileOrigin writer = content.origin;
        List<ComposedFile> bases = findBases(path);
        if (bases.isEmpty() && !writers.containsKey(path)) {
            missing(writer, wanted, "the profile has no file " + path + (hasUnit(path) ? ", but a unit" : ""));
            return;
        }
        if (!claimChange(writer, wanted)) {
            return;
        }
        checkBase(writer, wanted);
        recordChange(writer, path);
        switch (wanted.operation()) {
            case ADD -> throw new IllegalArgumentException("not a change of the profile's files");
            case REPLACE ->
                bases.forEach(base -> base.combine(
                        content,
                        (old, file) -> new OperatingSystemConfig.File(
                                path,
                                wanted.permissions() == null ? old.permissions() : file.permissions(),
                                file.data(),
                                old.encoding())));
            case APPEND ->
                bases.forEach(base -> base.combine(content, (old, file) -> {
                    String end = old.data().isEmpty() || old.data().endsWith("\n") ? "" : "\n";
                    return withData(old, old.data() + end + file.data());
                }));
            case EDIT -> {
                if (rendered) {
                    edit(writer, wanted, bases);
                }
            }
            case REMOVE -> files.removeAll(bases);
        }
    }

    private void edit(FileOrigin writer, ProfileExtension.File wanted, List<ComposedFile> bases) {
        for (int i = 0; i < wanted.edits().size(); i++) {
            Edit edit = wanted.edits().get(i);
            if (bases.stream().noneMatch(base -> base.contains(edit.find()))) {
                FileOrigin field = new FileOrigin(writer.object(), writer.field() + ".edits[" + i + "]");
                missing(field, wanted, "the text to find does not occur in " + wanted.path());
            }
            bases.forEach(base -> base.change(old -> edit(writer, edit, old)));
        }
    }

    /** The file as it is if its text would exceed the limit. */
    private OperatingSystemConfig.File edit(FileOrigin writer, Edit edit, OperatingSystemConfig.File old) {
        String text = old.data();
        int growth = edit.replace().length() - edit.find().length();
        long length = text.length() + (long) text.length() / edit.find().length() * Math.max(0, growth);
        // Counted only if that many occurrences would be too many.
        if (length > LONGEST_TEXT) {
            int found = text.length() - text.replace(edit.find(), "").length();
            length = text.length() + (long) found / edit.find().length() * growth;
        }
        if (length <= LONGEST_TEXT) {
            return withData(old, text.replace(edit.find(), edit.replace()));
        }
        mistakes.add(problem(
                Reason.TemplateLimitExceeded,
                writer,
                old.path() + " would have " + length + " characters, at most " + LONGEST_TEXT + " are allowed",
                "replace less"));
        return old;
    }

    private void recordChange(FileOrigin writer, String path) {
        changed.computeIfAbsent(writer.object().path(), extension -> new TreeSet<>())
                .add(path);
    }

    private static OperatingSystemConfig.File withData(OperatingSystemConfig.File file, String data) {
        return new OperatingSystemConfig.File(file.path(), file.permissions(), data, file.encoding());
    }

    /** Claims a path or key for one extension. */
    private boolean claim(FileOrigin writer, String key, String what) {
        FileOrigin other = writers.putIfAbsent(key, writer);
        if (other != null) {
            conflict(other, writer, what, "remove one");
        }
        return other == null;
    }

    /** Claims a file of the profile for one extension, or for all that append to it. */
    private boolean claimChange(FileOrigin writer, ProfileExtension.File wanted) {
        String path = wanted.path();
        FileOrigin appender = appenders.get(path);
        FileOrigin other = writers.get(path);
        if (wanted.operation() == Operation.APPEND) {
            appenders.putIfAbsent(path, writer);
        } else if (appender != null && !appender.object().equals(writer.object())) {
            other = appender;
        } else {
            writers.putIfAbsent(path, writer);
        }
        if (other != null) {
            boolean canAppend = wanted.operation() == Operation.REPLACE || wanted.operation() == Operation.REMOVE;
            conflict(other, writer, path, canAppend ? "remove one, or use Append" : "remove one");
        }
        return other == null;
    }

    private void conflict(FileOrigin other, FileOrigin writer, String what, String fix) {
        String cause = what + " is written by " + other.object() + ", " + other.field() + ", and "
                + writer.object().path() + ", " + writer.field();
        conflict(writer, cause, fix);
    }

    private void conflict(FileOrigin writer, String cause, String fix) {
        mistakes.add(problem(Reason.ExtensionConflict, writer, cause, fix));
    }

    private static Problem problem(Reason reason, FileOrigin writer, String cause, String fix) {
        return new Problem(reason, writer.object(), writer.field(), cause, fix);
    }

    private void missing(FileOrigin writer, ProfileExtension.File wanted, String cause) {
        (wanted.isOptional() ? skipped : mistakes)
                .add(problem(
                        Reason.ExtensionNotApplicable,
                        writer,
                        cause + " of " + profile.describe(),
                        "set optional: true to skip it there"));
    }

    private void checkBase(FileOrigin writer, ProfileExtension.File wanted) {
        String expected = wanted.baseSHA256();
        CompiledProfile compiled = profile.compiled();
        if (expected != null
                && Stream.of(compiled.bootstrap(), compiled.provisioning())
                        .flatMap(part -> part.files().stream())
                        .filter(source -> source.file().path().equals(wanted.path()))
                        .noneMatch(source -> Sha256.hex(source.text()).equals(expected))) {
            warnings.add(problem(
                    Reason.ExtensionBaseChanged,
                    new FileOrigin(writer.object(), writer.field() + ".baseSHA256"),
                    wanted.path() + " of " + profile.describe() + " is not the text that this was written for",
                    "compare them, and correct baseSHA256"));
        }
    }

    private void mergeKubeletConfiguration(ProfileExtension extension) {
        ObjectNode wanted = extension.spec().provisioning().kubeletConfiguration();
        if (wanted == null) {
            return;
        }
        FileOrigin writer = new FileOrigin(extension.describe(), "spec.provisioning.kubeletConfiguration");
        boolean free = true;
        for (String key : (Iterable<String>) wanted::fieldNames) {
            free &= claim(writer, "kubelet " + key, "the kubelet's " + key);
        }
        List<ComposedFile> found = files.stream()
                .filter(file -> KubeletMerge.isConfiguration(file.text()))
                .toList();
        if (found.stream().map(ComposedFile::path).distinct().count() != 1) {
            notApplicable(
                    writer, found.isEmpty() ? "has no KubeletConfiguration" : "has several KubeletConfigurations");
        } else if (free) {
            String path = found.getFirst().path();
            Stream.of(writers, appenders)
                    .flatMap(known -> Stream.ofNullable(known.get(path)))
                    .filter(other -> !other.object().equals(writer.object()))
                    .forEach(other -> conflict(other, writer, path, "remove one"));
            for (ComposedFile file : rendered ? found : List.<ComposedFile>of()) {
                try {
                    file.change(old -> withData(old, KubeletMerge.merge(old.data(), wanted)));
                    recordChange(writer, path);
                } catch (IllegalArgumentException e) {
                    notApplicable(writer, "renders a " + path + " that is not valid YAML");
                }
            }
        }
    }

    private void notApplicable(FileOrigin writer, String state) {
        mistakes.add(problem(
                Reason.ExtensionNotApplicable,
                writer,
                profile.describe() + " " + state,
                "remove it, or do not select this profile"));
    }

    /** A file cannot be a folder too: the later one of two extensions is at fault. */
    private void findNestedPaths(List<ComposedFile> scripts) {
        Set<String> others = new TreeSet<>(reserved);
        files.forEach(file -> others.add(file.path()));
        for (ComposedFile script : scripts) {
            others.add(script.path());
            Stream.ofNullable(writers.get(script.path()))
                    .forEach(writer -> conflict(writer, script.path() + " is written by the hub", "use another path"));
        }
        for (ComposedFile file : added) {
            others.stream()
                    .filter(other -> isBelow(other, file.path()) || isBelow(file.path(), other))
                    .findFirst()
                    .ifPresent(other -> conflict(
                            file.origin,
                            file.path() + " and " + other + ", of " + ownerOf(other) + ", cannot both exist",
                            "use another path"));
            others.add(file.path());
        }
    }

    private static boolean isBelow(String path, String folder) {
        return path.length() > folder.length() && path.charAt(folder.length()) == '/' && path.startsWith(folder);
    }

    private String ownerOf(String path) {
        FileOrigin writer = writers.get(path);
        return writer == null ? profile.describe().toString() : writer.object() + ", " + writer.field();
    }

    private boolean isReserved(String path) {
        return reserved.contains(path)
                || path.startsWith(ExtensionHooks.FOLDER)
                || path.endsWith(ExtensionHooks.DROP_IN);
    }

    private List<ComposedFile> findBases(String path) {
        return files.stream().filter(file -> file.path().equals(path)).toList();
    }

    /** Whether the profile has a systemd unit of this path beside its files. */
    private boolean hasUnit(String path) {
        OperatingSystemProfile.Spec spec = profile.compiled().spec();
        return Stream.of(spec.bootstrapConfig(), spec.provisioningConfig())
                .flatMap(config -> config.units().stream())
                .anyMatch(unit -> path.equals(SystemdUnit.FOLDER + unit.name())
                        || unit.dropIns().stream()
                                .anyMatch(dropIn ->
                                        path.equals(SystemdUnit.FOLDER + unit.name() + ".d/" + dropIn.name())));
    }
}
