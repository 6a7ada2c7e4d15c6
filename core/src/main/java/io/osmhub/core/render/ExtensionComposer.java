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
import java.util.Objects;
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
    /** Which extension is the only one to write a path or a key, with its field. */
    private final Map<String, Writer> writers = new HashMap<>();
    /** Extensions that append to a path. */
    private final Map<String, Writer> appenders = new HashMap<>();

    private final List<Problem> mistakes = new ArrayList<>();
    private final Map<String, Set<String>> changed = new HashMap<>();
    private final List<Problem> warnings = new ArrayList<>();
    private final List<Problem> skipped = new ArrayList<>();

    /** An extension and its field. */
    private record Writer(ProfileExtension extension, String field) {
        boolean isOther(ProfileExtension other) {
            return !extension.path().equals(other.path());
        }
    }

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

        void combine(FileVariants contents, int index, BinaryOperator<OperatingSystemConfig.File> change) {
            revealed = change.apply(revealed, contents.revealed().get(index));
            redacted = change.apply(redacted, contents.redacted().get(index));
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
        ProfileExtension extension = compiled.extension();
        int index = 0;
        for (FileChange change : compiled.changes()) {
            Writer writer = new Writer(extension, change.field());
            if (change.file().operation() == Operation.ADD) {
                add(writer, change, contents, index, hooks);
            } else {
                change(writer, change, contents, index);
            }
            index += change.hasContent() ? 1 : 0;
        }
        hooks.addScripts(compiled, contents, index);
    }

    private void add(Writer writer, FileChange change, FileVariants contents, int index, ExtensionHooks hooks) {
        String path = change.file().path();
        if (isBase(path) || hasUnit(path)) {
            String cure = hasUnit(path) ? "use a drop-in" : "use Replace, Edit or Append";
            conflict(writer, path + " is written by " + profile.describe(), cure);
        } else if (isReserved(path)) {
            conflict(writer, path + " is written by the hub", "use another path");
        } else if (claim(writer, path, path, "remove one")) {
            added.add(new ComposedFile(
                    change.bootstrap() || hooks.isAllInBootstrap(),
                    new FileOrigin(writer.extension().describe(), writer.field()),
                    contents.revealed().get(index),
                    contents.redacted().get(index)));
        }
    }

    private void change(Writer writer, FileChange change, FileVariants contents, int index) {
        ProfileExtension.File wanted = change.file();
        String path = wanted.path();
        List<ComposedFile> bases =
                files.stream().filter(file -> file.path().equals(path)).toList();
        Writer appender = appenders.get(path);
        Writer other = writers.get(path);
        if (bases.isEmpty() && other == null) {
            missing(writer, wanted, "the profile has no file " + path + (hasUnit(path) ? ", but a unit" : ""));
            return;
        }
        if (wanted.operation() == Operation.APPEND) {
            if (other != null) {
                conflict(writer, written(path, other, writer), "remove one");
                return;
            }
            appenders.putIfAbsent(path, writer);
        } else if (appender != null && appender.isOther(writer.extension())) {
            conflict(writer, written(path, appender, writer), "remove one");
            return;
        } else if (!claim(
                writer,
                path,
                path,
                wanted.operation() == Operation.EDIT ? "remove one" : "remove one, or use Append")) {
            return;
        }
        checkBase(writer, wanted);
        recordChange(writer, path);
        switch (wanted.operation()) {
            case ADD -> throw new IllegalArgumentException("not a change of the profile's files");
            case REPLACE ->
                bases.forEach(base -> base.combine(
                        contents,
                        index,
                        (old, content) -> new OperatingSystemConfig.File(
                                path,
                                wanted.permissions() == null ? old.permissions() : content.permissions(),
                                content.data(),
                                old.encoding())));
            case APPEND ->
                bases.forEach(base -> base.combine(
                        contents,
                        index,
                        (old, content) -> withData(
                                old,
                                old.data()
                                        + (old.data().isEmpty() || old.data().endsWith("\n") ? "" : "\n")
                                        + content.data())));
            case EDIT -> {
                for (int i = 0; i < wanted.edits().size(); i++) {
                    Edit edit = wanted.edits().get(i);
                    if (rendered && bases.stream().noneMatch(base -> base.contains(edit.find()))) {
                        Writer at = new Writer(writer.extension(), writer.field() + ".edits[" + i + "]");
                        missing(at, wanted, "the text to find does not occur in " + path);
                    }
                    bases.forEach(base -> base.change(old -> edit(old, edit, writer)));
                }
            }
            case REMOVE -> files.removeAll(bases);
        }
    }

    /** The text as it is if the edit would exceed the limit, or if it is a template. */
    private OperatingSystemConfig.File edit(OperatingSystemConfig.File old, Edit edit, Writer writer) {
        long length = old.data().length();
        for (int at = old.data().indexOf(edit.find()); rendered && at >= 0; ) {
            length += edit.replace().length() - edit.find().length();
            at = old.data().indexOf(edit.find(), at + edit.find().length());
        }
        if (length > LONGEST_TEXT) {
            mistakes.add(new Problem(
                    Reason.TemplateLimitExceeded,
                    writer.extension().describe(),
                    writer.field(),
                    old.path() + " would have " + length + " characters, at most " + LONGEST_TEXT + " are allowed",
                    "replace less"));
        }
        return rendered && length <= LONGEST_TEXT
                ? withData(old, old.data().replace(edit.find(), edit.replace()))
                : old;
    }

    private void recordChange(Writer writer, String path) {
        changed.computeIfAbsent(writer.extension().path(), extension -> new TreeSet<>())
                .add(path);
    }

    private static OperatingSystemConfig.File withData(OperatingSystemConfig.File file, String data) {
        return new OperatingSystemConfig.File(file.path(), file.permissions(), data, file.encoding());
    }

    /** Claims a path or key for one extension. */
    private boolean claim(Writer writer, String key, String what, String cure) {
        Writer other = writers.putIfAbsent(key, writer);
        if (other != null) {
            conflict(writer, written(what, other, writer), cure);
        }
        return other == null;
    }

    private static String written(String what, Writer one, Writer other) {
        return what + " is written by " + one.extension().describe() + ", " + one.field() + ", and "
                + other.extension().path() + ", " + other.field();
    }

    private void conflict(Writer writer, String cause, String cure) {
        mistakes.add(new Problem(Reason.ExtensionConflict, writer.extension().describe(), writer.field(), cause, cure));
    }

    private void missing(Writer writer, ProfileExtension.File wanted, String cause) {
        Problem problem = new Problem(
                Reason.ExtensionNotApplicable,
                writer.extension().describe(),
                writer.field(),
                cause + " of " + profile.describe(),
                "set optional: true to skip it there");
        (wanted.isOptional() ? skipped : mistakes).add(problem);
    }

    private void checkBase(Writer writer, ProfileExtension.File wanted) {
        String expected = wanted.baseSHA256();
        CompiledProfile compiled = profile.compiled();
        if (expected != null
                && Stream.of(compiled.bootstrap(), compiled.provisioning())
                        .flatMap(part -> part.files().stream())
                        .filter(source -> source.file().path().equals(wanted.path()))
                        .noneMatch(
                                source -> Sha256.hex(source.unrendered().data()).equals(expected))) {
            warnings.add(new Problem(
                    Reason.ExtensionBaseChanged,
                    writer.extension().describe(),
                    writer.field() + ".baseSHA256",
                    wanted.path() + " of " + profile.describe() + " is not the text that this was written for",
                    "compare them, and correct baseSHA256"));
        }
    }

    private void mergeKubeletConfiguration(ProfileExtension extension) {
        ObjectNode wanted = extension.spec().provisioning().kubeletConfiguration();
        if (wanted == null) {
            return;
        }
        Writer writer = new Writer(extension, "spec.provisioning.kubeletConfiguration");
        boolean free = true;
        for (String key : (Iterable<String>) wanted::fieldNames) {
            free &= claim(writer, "kubelet " + key, "the kubelet's " + key, "remove one");
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
                    .filter(other -> other.isOther(extension))
                    .forEach(other -> conflict(writer, written(path, other, writer), "remove one"));
            for (ComposedFile file : rendered ? found : List.<ComposedFile>of()) {
                try {
                    file.change(old -> withData(old, KubeletMerge.merge(old.data(), wanted)));
                    recordChange(writer, file.path());
                } catch (IllegalArgumentException e) {
                    notApplicable(writer, "renders a " + file.path() + " that is not valid YAML");
                }
            }
        }
    }

    private void notApplicable(Writer writer, String state) {
        mistakes.add(new Problem(
                Reason.ExtensionNotApplicable,
                writer.extension().describe(),
                writer.field(),
                profile.describe() + " " + state,
                "remove it, or do not select this profile"));
    }

    /** A file cannot be a folder too. */
    private void findNestedPaths(List<ComposedFile> scripts) {
        TreeSet<String> all = new TreeSet<>(reserved);
        for (ComposedFile script : scripts) {
            all.add(script.path());
            Writer writer = writers.get(script.path());
            if (writer != null) {
                conflict(writer, script.path() + " is written by the hub", "use another path");
            }
        }
        Stream.concat(files.stream(), added.stream()).forEach(file -> all.add(file.path()));
        for (ComposedFile file : added) {
            String above = file.path();
            int slash;
            while ((slash = above.lastIndexOf('/')) > 0) {
                above = above.substring(0, slash);
                if (all.contains(above)) {
                    nested(file, above);
                }
            }
            all.tailSet(file.path() + "/").stream()
                    .takeWhile(below -> below.startsWith(file.path() + "/"))
                    .filter(below ->
                            added.stream().noneMatch(other -> other.path().equals(below)))
                    .findFirst()
                    .ifPresent(below -> nested(file, below));
        }
    }

    private void nested(ComposedFile file, String other) {
        Writer writer = Objects.requireNonNull(writers.get(file.path()));
        Writer second = writers.get(other);
        String by = second == null
                ? profile.describe().toString()
                : second.extension().describe() + ", " + second.field();
        conflict(writer, file.path() + " and " + other + ", of " + by + ", cannot both exist", "use another path");
    }

    private boolean isReserved(String path) {
        return reserved.contains(path)
                || path.startsWith(ExtensionHooks.FOLDER)
                || path.endsWith(ExtensionHooks.DROP_IN);
    }

    private boolean isBase(String path) {
        return files.stream().anyMatch(file -> file.path().equals(path));
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
