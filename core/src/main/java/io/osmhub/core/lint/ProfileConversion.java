package io.osmhub.core.lint;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.lint.LintMatrix.MatrixCombination;
import io.osmhub.core.lint.ProfileSource.ConfigName;
import io.osmhub.core.model.Sha256;
import io.osmhub.core.osc.OperatingSystemConfig;
import io.osmhub.core.osp.OperatingSystemProfile;
import io.osmhub.core.osp.OperatingSystemProfile.Config;
import io.osmhub.core.osp.OperatingSystemProfile.File;
import io.osmhub.core.osp.ProfileExtension;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.render.AppliedExtensions.Candidates;
import io.osmhub.core.render.CompiledExtension;
import io.osmhub.core.render.CompiledProfile;
import io.osmhub.core.render.Renderer;
import io.osmhub.core.template.language.TemplateEngines;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A copied profile as an extension of its base, and whether machines get the same from both.
 *
 * @param extension null if no file differs
 * @param summary {@code a copy of osp-ubuntu v1.0.0 with 4 changes, 23 lines}
 * @param renderings the combinations of the linter
 * @param differences the first combination of each difference, by path or field; or why the base cannot be rendered with the
 *     extension, by field of the extension
 */
public record ProfileConversion(
        @Nullable ObjectNode extension, String summary, int renderings, int equal, Map<String, String> differences) {
    /**
     * Compares a copy with the base that has the fewest other lines. A changed file is edited if that makes it equal, else replaced.
     *
     * @throws TenantMistake if the copy cannot be rendered, or a change exceeds the limits of extensions
     */
    public static ProfileConversion of(OperatingSystemProfile copy, List<OperatingSystemProfile> bases) {
        OperatingSystemProfile base = bases.stream()
                .min(Comparator.comparingInt(one -> new ExtensionBuilder(copy, one, Set.of()).lines))
                .orElseThrow();
        Set<String> different = new HashSet<>();
        ProfileConversion conversion;
        do {
            conversion = compare(copy, base, new ExtensionBuilder(copy, base, different));
        } while (different.addAll(conversion.differences().keySet()));
        return conversion;
    }

    private static ProfileConversion compare(
            OperatingSystemProfile copy, OperatingSystemProfile base, ExtensionBuilder built) {
        Renderer renderer = new Linter(ScriptChecker.NONE, System::nanoTime).renderer();
        CompiledProfile compiled = DownloadInventory.compile(copy.spec(), null);
        CompiledProfile compiledBase = DownloadInventory.compile(base.spec(), null);
        Candidates extensions = Candidates.NONE;
        if (built.changes > 0) {
            ProfileExtension extension = ProfileExtension.read(built.extension);
            extensions = new Candidates("", List.of(CompiledExtension.compile(extension, new TemplateEngines())));
        }
        Map<String, String> differences = new TreeMap<>();
        int renderings = 0;
        int equal = 0;
        for (MatrixCombination point : LintMatrix.combinations(copy.spec(), MatrixFilter.ALL, LintMatrix.SITUATIONS)) {
            Map<String, String> wanted = parts(point, copy, compiled, Candidates.NONE, renderer);
            renderings++;
            try {
                Map<String, String> found = parts(point, base, compiledBase, extensions, renderer);
                equal += wanted.equals(found) ? 1 : 0;
                Stream.concat(wanted.keySet().stream(), found.keySet().stream())
                        .filter(part -> !Objects.equals(wanted.get(part), found.get(part)))
                        .forEach(part -> differences.putIfAbsent(part, point.label()));
            } catch (TenantMistake e) {
                e.findings().forEach(finding -> differences.putIfAbsent(finding.field(), finding.cause()));
            }
        }
        String summary = "a copy of " + base.name() + " " + base.spec().version() + " with " + built.changes
                + (built.changes == 1 ? " change, " : " changes, ") + built.lines
                + (built.lines == 1 ? " line" : " lines");
        return new ProfileConversion(
                built.changes == 0 ? null : built.extension, summary, renderings, equal, differences);
    }

    /** Rendered files by path, and by name the fields that no extension changes. */
    private static Map<String, String> parts(
            MatrixCombination point,
            OperatingSystemProfile profile,
            CompiledProfile compiled,
            Candidates extensions,
            Renderer renderer) {
        OperatingSystemProfile.Spec source = profile.spec();
        OperatingSystemConfig.Spec spec = renderer.render(
                        point.input(profile, compiled, point.situation().settings(), extensions))
                .revealed();
        Map<String, String> parts = new TreeMap<>();
        parts.put("osName", spec.osName());
        parts.put("provisioningUtility", spec.provisioningUtility());
        parts.put("supportedCloudProviders", source.supportedCloudProviders().toString());
        parts.put("supportedKubernetesVersions", String.valueOf(source.supportedKubernetesVersions()));
        parts.put("supportedNodeFetch", source.supportedNodeFetch().toString());
        for (ConfigName name : ConfigName.values()) {
            OperatingSystemConfig.Config config = name.of(spec);
            parts.put(name + ".units", config.units().toString());
            parts.put(name + ".modules", String.valueOf(config.modules()));
            config.files()
                    .forEach(file -> parts.merge(
                            file.path(), name + " " + file.permissions() + "\n" + file.data(), String::concat));
        }
        return parts;
    }

    /** Builds an extension. {@code different} has the paths and fields that did not become equal before. */
    private static final class ExtensionBuilder {
        private static final int MOST_CONTEXT = 20;
        private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

        final ObjectNode extension = JSON.objectNode();
        private final OperatingSystemProfile copiedProfile;
        private final Set<String> different;
        int changes;
        int lines;

        ExtensionBuilder(OperatingSystemProfile copy, OperatingSystemProfile base, Set<String> different) {
            this.copiedProfile = copy;
            this.different = different;
            extension.put("apiVersion", ProfileExtension.API_VERSION).put("kind", ProfileExtension.KIND);
            ObjectNode metadata = extension.putObject("metadata").put("name", copy.name());
            if (!copy.namespace().isEmpty()) {
                metadata.put("namespace", copy.namespace());
            }
            ObjectNode spec = extension.putObject("spec").put("policy", "Optional");
            spec.putObject("target").putArray("profiles").add(base.name());
            OperatingSystemProfile.Spec from = base.spec();
            OperatingSystemProfile.Spec to = copy.spec();
            addPhase(spec, "bootstrap", from.bootstrapConfig(), to.bootstrapConfig());
            addPhase(spec, "provisioning", from.provisioningConfig(), to.provisioningConfig());
        }

        private void addPhase(ObjectNode spec, String name, Config from, Config to) {
            Map<String, File> before = files(from);
            ArrayNode changed = JSON.arrayNode();
            files(to).forEach((path, file) -> {
                File old = before.remove(path);
                if (old == null || !text(old).equals(text(file)) || !mode(old).equals(mode(file))) {
                    ObjectNode change = changed.addObject().put("path", path);
                    describe(change, old, file, "spec." + name + ".files[" + (changed.size() - 1) + "]");
                    if (change.path("content").asText().contains("{{")) {
                        spec.put(
                                "templateEngine",
                                copiedProfile.spec().templateEngine().wireName());
                    }
                }
            });
            before.forEach((path, old) -> {
                changed.addObject().put("path", path).put("operation", "Remove");
                lines += (int) text(old).lines().count();
            });
            changes += changed.size();
            if (!changed.isEmpty()) {
                spec.putObject(name).set("files", changed);
            }
        }

        private void describe(ObjectNode change, @Nullable File old, File file, String field) {
            String from = old == null ? "" : text(old);
            String to = text(file);
            boolean part =
                    old != null && !different.contains(file.path()) && mode(old).equals(mode(file));
            ObjectNode edit = edit(from, to);
            if (part && from.endsWith("\n") && to.startsWith(from)) {
                change.put("operation", "Append").put("content", to.substring(from.length()));
            } else if (part && edit != null) {
                change.put("operation", "Edit").putArray("edits").add(edit);
                // Text below a condition of the template is not in every rendering.
                if (different.stream().anyMatch(one -> one.startsWith(field))) {
                    change.put("optional", true);
                }
            } else {
                change.put("operation", old == null ? "Add" : "Replace")
                        .put("permissions", mode(file))
                        .put("content", to);
                if (old != null) {
                    change.put("baseSHA256", Sha256.hex(from));
                }
            }
        }

        /** Replaces the lines from the first to the last difference; null if there is no unique text without templates. */
        private @Nullable ObjectNode edit(String from, String to) {
            List<String> old = List.of(from.split("\n", -1));
            List<String> now = List.of(to.split("\n", -1));
            int start = 0;
            int shorter = Math.min(old.size(), now.size());
            while (start < shorter && old.get(start).equals(now.get(start))) {
                start++;
            }
            int tail = 0;
            while (tail < shorter - start
                    && old.reversed().get(tail).equals(now.reversed().get(tail))) {
                tail++;
            }
            lines += Math.max(old.size(), now.size()) - start - tail;
            // An added or removed line needs another one beside it.
            for (int more = start + tail == shorter ? 1 : 0; more <= MOST_CONTEXT; more++) {
                for (int before : List.of(more, 0)) {
                    int first = start - before;
                    int left = tail - more + before;
                    String find = first < 0 || left < 0 ? "" : String.join("\n", old.subList(first, old.size() - left));
                    String replace = find.isBlank() ? "{{" : String.join("\n", now.subList(first, now.size() - left));
                    if (!(find + replace).contains("{{") && from.indexOf(find) == from.lastIndexOf(find)) {
                        return JSON.objectNode().put("find", find).put("replace", replace);
                    }
                }
            }
            return null;
        }

        /** The files of a configuration with those of its container runtime, by path. */
        private static Map<String, File> files(Config config) {
            Map<String, File> files = new LinkedHashMap<>();
            Stream.concat(
                            config.files().stream(),
                            config.supportedContainerRuntimes().stream().flatMap(runtime -> runtime.files().stream()))
                    .forEach(file -> files.put(file.path(), file));
            return files;
        }

        private static String text(File file) {
            return file.inline() == null ? "" : file.inline().data();
        }

        private static String mode(File file) {
            return "0" + (file.permissions() == 0 ? 644 : file.permissions());
        }
    }
}
