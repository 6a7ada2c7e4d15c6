package io.osmhub.core.render;

import io.osmhub.core.osp.OperatingSystemProfile;
import io.osmhub.core.osp.ProfileContentHash;
import io.osmhub.core.osp.TemplateLanguage;
import io.osmhub.core.template.TemplateEngine;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

/** Compiles each content once and keeps the most recently used ones. A profile stays usable after its eviction. Thread-safe. */
public final class CompiledProfileCache {
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
        CompiledProfile compiled = around.compile(spec.templateEngine(), () -> CompiledProfile.compile(spec, engines));
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
