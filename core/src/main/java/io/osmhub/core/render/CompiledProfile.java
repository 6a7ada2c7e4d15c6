package io.osmhub.core.render;

import io.osmhub.core.osc.OperatingSystemConfig;
import io.osmhub.core.osp.OperatingSystemProfile;
import io.osmhub.core.osp.OperatingSystemProfile.ContainerRuntime;
import io.osmhub.core.osp.OperatingSystemProfile.Inline;
import io.osmhub.core.osp.ProfileContentHash;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.ProblemObject;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.SourcePosition;
import io.osmhub.core.template.TemplateEngine;
import io.osmhub.core.template.TemplateEngine.CompiledTemplates;
import io.osmhub.core.template.TemplateEngine.TemplateSources;
import io.osmhub.core.template.TemplateException;
import io.osmhub.core.template.language.TemplateLanguage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
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
        List<Problem> mistakes) {
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
            return files.stream()
                    .filter(source -> source.file().path().equals(template))
                    .map(SourceFile::label)
                    .findFirst()
                    .orElse(path + ".templates[" + template + "]");
        }
    }

    /** A file template; {@code field} is its path in the profile. */
    public record SourceFile(String field, OperatingSystemProfile.File file) {
        /** The field with the file's path in parentheses, for findings. */
        String label() {
            return field.equals(file.path()) ? field : field + " (" + file.path() + ")";
        }

        /** The template; empty without a content. */
        public String text() {
            Inline inline = file.inline();
            return inline == null ? "" : inline.data();
        }

        /** With the template as its text. */
        OperatingSystemConfig.File unrendered() {
            return new OperatingSystemConfig.File(file.path(), file.permissions(), text(), "");
        }
    }

    static CompiledProfile compile(
            OperatingSystemProfile.Spec spec, Function<TemplateLanguage, TemplateEngine> engines) {
        TemplateEngine engine = engines.apply(spec.templateEngine());
        List<Problem> mistakes = new ArrayList<>();
        Part bootstrap = part("spec.bootstrapConfig", spec.bootstrapConfig(), engine, mistakes);
        Part provisioning = part("spec.provisioningConfig", spec.provisioningConfig(), engine, mistakes);
        return new CompiledProfile(ProfileContentHash.of(spec), spec, bootstrap, provisioning, mistakes);
    }

    private static Part part(
            String path, OperatingSystemProfile.Config config, TemplateEngine engine, List<Problem> mistakes) {
        List<SourceFile> files = new ArrayList<>(sourceFiles(path, config.files()));
        Map<String, String> snippets = new HashMap<>();
        List<ContainerRuntime> runtimes = config.supportedContainerRuntimes();
        int index = runtimes.stream().map(ContainerRuntime::name).toList().indexOf(RUNTIME);
        if (index >= 0) {
            ContainerRuntime runtime = runtimes.get(index);
            files.addAll(sourceFiles(path + ".supportedContainerRuntimes[" + index + "]", runtime.files()));
            snippets.putAll(runtime.templates());
        }
        snippets.putAll(config.templates());
        return part(path, files, snippets, engine, mistakes);
    }

    /** Parses templates. If one of them cannot be parsed, adds its mistake. */
    static Part part(
            String path,
            List<SourceFile> files,
            Map<String, String> snippets,
            TemplateEngine engine,
            List<Problem> mistakes) {
        files.stream()
                .filter(source -> source.file().inline() == null)
                .forEach(source -> mistakes.add(new Problem(
                        Reason.ProfileFileInvalid,
                        ProblemObject.NONE,
                        source.label(),
                        "content.inline is missing",
                        "add it, empty data is allowed")));
        Part failed = new Part(path, files, null);
        if (files.stream().anyMatch(source -> source.file().inline() == null)) {
            return failed;
        }
        List<TemplateSources.File> sources = files.stream()
                .map(source -> new TemplateSources.File(source.file().path(), source.text()))
                .toList();
        try {
            return new Part(path, files, engine.compile(new TemplateSources(snippets, sources)));
        } catch (TemplateException e) {
            mistakes.add(finding(failed, e));
            return failed;
        }
    }

    private static List<SourceFile> sourceFiles(String path, List<OperatingSystemProfile.File> files) {
        return IntStream.range(0, files.size())
                .mapToObj(i -> new SourceFile(path + ".files[" + i + "]", files.get(i)))
                .toList();
    }

    /** Describes a template's failure to the profile's author. */
    static Problem finding(Part part, TemplateException failure) {
        Reason reason =
                switch (failure.stage()) {
                    case PARSE -> Reason.TemplateSyntaxError;
                    case EXECUTE -> Reason.TemplateExecutionFailed;
                    case LIMIT -> Reason.TemplateLimitExceeded;
                    case TIME_LIMIT -> Reason.TemplateTimeLimitExceeded;
                };
        return new Problem(
                failure.refused() == null ? reason : Reason.TemplateFunctionRefused,
                ProblemObject.NONE,
                part.fieldOf(failure.template()),
                new SourcePosition(failure.line(), failure.column()),
                failure.what(),
                Objects.requireNonNullElse(failure.suggestion(), ""));
    }

    /** Compiles each content once and keeps the most recently used ones. A profile stays usable after its eviction. Thread-safe. */
    public static final class CompiledProfileCache {
        private final Function<TemplateLanguage, TemplateEngine> engines;
        private final Map<String, CompiledProfile> byHash;
        private final BiFunction<TemplateLanguage, Supplier<CompiledProfile>, CompiledProfile> interceptor;

        /** @param most contents to keep; an average one takes about 60 KiB */
        public CompiledProfileCache(Function<TemplateLanguage, TemplateEngine> engines, int most) {
            this(engines, most, (language, work) -> work.get());
        }

        /**
         * @param most contents to keep; an average one takes about 60 KiB
         * @param interceptor runs each compilation and returns its result, to measure it
         */
        public CompiledProfileCache(
                Function<TemplateLanguage, TemplateEngine> engines,
                int most,
                BiFunction<TemplateLanguage, Supplier<CompiledProfile>, CompiledProfile> interceptor) {
            this.interceptor = interceptor;
            this.engines = engines;
            this.byHash = keepMostRecentlyUsed(most);
        }

        /** A map of at most so many entries. Not thread-safe. */
        static <K, V> Map<K, V> keepMostRecentlyUsed(int most) {
            return new LinkedHashMap<>(16, 0.75f, true) {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
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
                    interceptor.apply(spec.templateEngine(), () -> CompiledProfile.compile(spec, engines));
            synchronized (byHash) {
                CompiledProfile other = byHash.putIfAbsent(hash, compiled);
                return other != null ? other : compiled;
            }
        }

        /** Number of cached contents by language; has every language. */
        public Map<TemplateLanguage, Integer> countByLanguage() {
            Map<TemplateLanguage, Integer> kept = new EnumMap<>(TemplateLanguage.class);
            Arrays.stream(TemplateLanguage.values()).forEach(language -> kept.put(language, 0));
            synchronized (byHash) {
                byHash.values().forEach(profile -> kept.merge(profile.spec().templateEngine(), 1, Integer::sum));
            }
            return kept;
        }
    }
}
