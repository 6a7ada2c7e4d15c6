package io.osmhub.core.render;

import io.osmhub.core.osp.OperatingSystemProfile;
import io.osmhub.core.osp.OperatingSystemProfile.ContainerRuntime;
import io.osmhub.core.osp.OperatingSystemProfile.Inline;
import io.osmhub.core.osp.ProfileContentHash;
import io.osmhub.core.problem.ProblemFinding;
import io.osmhub.core.template.TemplateEngine;
import io.osmhub.core.template.TemplateEngine.CompiledTemplates;
import io.osmhub.core.template.TemplateEngine.TemplateSources;
import io.osmhub.core.template.TemplateException;
import io.osmhub.core.template.language.TemplateLanguage;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
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

    /** Names of the fields visible to templates of a language, in the order of OSM's struct. */
    public static List<String> fieldNames(TemplateLanguage language) {
        return TemplateData.names(language);
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
                failure.refused() == null ? reason(failure.stage()) : "TemplateFunctionRefused",
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

    /** Compiles each content once and keeps the most recently used ones. A profile stays usable after its eviction. Thread-safe. */
    public static final class CompiledProfileCache {
        private final Function<TemplateLanguage, TemplateEngine> engines;
        private final Map<String, CompiledProfile> byHash;
        private final CompileInterceptor around;

        /** Wraps compiling, to measure it. */
        @FunctionalInterface
        public interface CompileInterceptor {
            /** Does not measure. */
            CompileInterceptor NONE = (language, work) -> work.get();

            /** Must run the work and return its result. */
            CompiledProfile compile(TemplateLanguage language, Supplier<CompiledProfile> work);
        }

        /** @param most contents to keep; an average one takes about 60 KiB */
        public CompiledProfileCache(Function<TemplateLanguage, TemplateEngine> engines, int most) {
            this(engines, most, CompileInterceptor.NONE);
        }

        /** @param most contents to keep; an average one takes about 60 KiB */
        public CompiledProfileCache(
                Function<TemplateLanguage, TemplateEngine> engines, int most, CompileInterceptor around) {
            this.around = around;
            this.engines = engines;
            this.byHash = new LinkedHashMap<>(16, 0.75f, true) {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<String, CompiledProfile> eldest) {
                    return size() > most;
                }
            };
        }

        public CompiledProfile getOrCompile(OperatingSystemProfile.Spec spec) {
            String hash = ProfileContentHash.of(spec);
            synchronized (byHash) {
                CompiledProfile known = byHash.get(hash);
                if (known != null) {
                    return known;
                }
            }
            // Outside the lock, so that one slow profile does not block others. Occasional duplicate work is harmless.
            CompiledProfile compiled =
                    around.compile(spec.templateEngine(), () -> CompiledProfile.compile(spec, engines));
            synchronized (byHash) {
                CompiledProfile other = byHash.putIfAbsent(hash, compiled);
                return other != null ? other : compiled;
            }
        }

        /** Number of cached contents by language; has every language. */
        public Map<TemplateLanguage, Integer> countByLanguage() {
            Map<TemplateLanguage, Integer> kept = new EnumMap<>(TemplateLanguage.class);
            for (TemplateLanguage language : TemplateLanguage.values()) {
                kept.put(language, 0);
            }
            synchronized (byHash) {
                byHash.values().forEach(profile -> kept.merge(profile.spec().templateEngine(), 1, Integer::sum));
            }
            return kept;
        }
    }
}
