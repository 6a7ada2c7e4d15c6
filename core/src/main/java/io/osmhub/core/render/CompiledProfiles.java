package io.osmhub.core.render;

import io.osmhub.core.osp.ContentHash;
import io.osmhub.core.osp.OperatingSystemProfile;
import io.osmhub.core.osp.TemplateLanguage;
import io.osmhub.core.template.TemplateEngine;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Compiles each content once and keeps the most recently asked ones. Whoever uses a profile holds what it was given: it stays
 * good when it falls out of here. Safe for use by many threads.
 */
public final class CompiledProfiles {
    private final Function<TemplateLanguage, TemplateEngine> engines;
    private final Map<String, CompiledProfile> byHash;
    private final Around around;

    /** Stands around the work of compiling, to measure it. */
    @FunctionalInterface
    public interface Around {
        /** Nobody measures. */
        Around NOTHING = (language, work) -> work.get();

        /** Does the work and returns what came of it. */
        CompiledProfile compile(TemplateLanguage language, Supplier<CompiledProfile> work);
    }

    /** @param most contents to keep; one of a usual size takes about 60 KiB */
    public CompiledProfiles(Function<TemplateLanguage, TemplateEngine> engines, int most) {
        this(engines, most, Around.NOTHING);
    }

    /** @param most contents to keep; one of a usual size takes about 60 KiB */
    public CompiledProfiles(Function<TemplateLanguage, TemplateEngine> engines, int most, Around around) {
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

    public CompiledProfile of(OperatingSystemProfile.Spec spec) {
        String hash = ContentHash.of(spec);
        synchronized (byHash) {
            CompiledProfile known = byHash.get(hash);
            if (known != null) {
                return known;
            }
        }
        // Outside the lock: one slow profile must not hold up all others. Twice the same work now and then does no
        // harm.
        CompiledProfile compiled = around.compile(spec.templateEngine(), () -> CompiledProfile.compile(spec, engines));
        synchronized (byHash) {
            CompiledProfile other = byHash.putIfAbsent(hash, compiled);
            return other != null ? other : compiled;
        }
    }

    /** How many are kept, by language; every language has a number. */
    public Map<TemplateLanguage, Integer> kept() {
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
