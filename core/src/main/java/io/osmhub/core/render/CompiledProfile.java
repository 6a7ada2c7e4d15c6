package io.osmhub.core.render;

import io.osmhub.core.osp.OperatingSystemProfile;
import io.osmhub.core.osp.OperatingSystemProfile.ContainerRuntime;
import io.osmhub.core.osp.OperatingSystemProfile.Inline;
import io.osmhub.core.osp.ProfileContentHash;
import io.osmhub.core.osp.TemplateLanguage;
import io.osmhub.core.problem.ProblemFinding;
import io.osmhub.core.template.TemplateEngine;
import io.osmhub.core.template.TemplateEngine.CompiledTemplates;
import io.osmhub.core.template.TemplateEngine.TemplateSources;
import io.osmhub.core.template.TemplateException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A profile's content, parsed once. It has no name, so that profiles of many tenants with equal content share it. Immutable and
 * thread-safe.
 *
 * @param mistakes why it cannot be rendered, without an object's name
 */
public record CompiledProfile(
        String contentHash,
        OperatingSystemProfile.Spec spec,
        Part bootstrap,
        Part provisioning,
        List<ProblemFinding> mistakes) {
    /** The only supported container runtime, as in OSM. */
    private static final String RUNTIME = "containerd";

    public CompiledProfile {
        mistakes = List.copyOf(mistakes);
    }

    /**
     * One of the two configurations: its files, then those of the container runtime.
     *
     * @param templates null if one of them cannot be parsed
     */
    public record Part(
            String path, List<SourceFile> files, @Nullable CompiledTemplates templates) {
        public Part {
            files = List.copyOf(files);
        }

        /** The path of the file or snippet in the profile, for findings. */
        String fieldOf(String template) {
            for (SourceFile file : files) {
                if (file.path().equals(template)) {
                    return file.field();
                }
            }
            return path + ".templates[" + template + "]";
        }
    }

    /** A file template; {@code field} is its path in the profile, with the file's path in parentheses. */
    public record SourceFile(String field, String path, int permissions, String encoding) {}

    static CompiledProfile compile(
            OperatingSystemProfile.Spec spec, Function<TemplateLanguage, TemplateEngine> engines) {
        TemplateEngine engine = engines.apply(spec.templateEngine());
        List<ProblemFinding> mistakes = new ArrayList<>();
        Part bootstrap = part("spec.bootstrapConfig", spec.bootstrapConfig(), engine, mistakes);
        Part provisioning = part("spec.provisioningConfig", spec.provisioningConfig(), engine, mistakes);
        return new CompiledProfile(ProfileContentHash.of(spec), spec, bootstrap, provisioning, mistakes);
    }

    private static Part part(
            String path, OperatingSystemProfile.Config config, TemplateEngine engine, List<ProblemFinding> mistakes) {
        List<SourceFile> files = new ArrayList<>();
        List<TemplateSources.File> sources = new ArrayList<>();
        int before = mistakes.size();
        add(path, config.files(), files, sources, mistakes);
        Map<String, String> snippets = new HashMap<>();
        for (int i = 0; i < config.supportedContainerRuntimes().size(); i++) {
            ContainerRuntime runtime = config.supportedContainerRuntimes().get(i);
            if (runtime.name().equals(RUNTIME)) {
                add(path + ".supportedContainerRuntimes[" + i + "]", runtime.files(), files, sources, mistakes);
                snippets.putAll(runtime.templates());
                break;
            }
        }
        snippets.putAll(config.templates());
        CompiledTemplates templates = null;
        if (mistakes.size() == before) {
            try {
                templates = engine.compile(new TemplateSources(snippets, sources));
            } catch (TemplateException e) {
                mistakes.add(finding(new Part(path, files, null), e));
            }
        }
        return new Part(path, files, templates);
    }

    private static void add(
            String path,
            List<OperatingSystemProfile.File> from,
            List<SourceFile> files,
            List<TemplateSources.File> sources,
            List<ProblemFinding> mistakes) {
        for (int i = 0; i < from.size(); i++) {
            OperatingSystemProfile.File file = from.get(i);
            String field = path + ".files[" + i + "] (" + file.path() + ")";
            Inline inline = file.inline();
            if (inline == null) {
                mistakes.add(new ProblemFinding(
                        "ProfileFileInvalid", "", field, "content.inline is missing", "add it, empty data is allowed"));
                continue;
            }
            files.add(new SourceFile(field, file.path(), file.permissions(), inline.encoding()));
            sources.add(new TemplateSources.File(file.path(), inline.data()));
        }
    }

    /** Describes a template's failure to the profile's author. */
    static ProblemFinding finding(Part part, TemplateException failure) {
        String suggestion = failure.suggestion();
        return new ProblemFinding(
                reason(failure.stage()),
                "",
                part.fieldOf(failure.template()),
                failure.line(),
                failure.column(),
                failure.what(),
                suggestion == null ? "" : suggestion);
    }

    static String reason(TemplateException.Stage stage) {
        return switch (stage) {
            case PARSE -> "TemplateSyntaxError";
            case EXECUTE -> "TemplateExecutionFailed";
            case LIMIT -> "TemplateLimitExceeded";
        };
    }
}
