package io.osmhub.core.render;

import io.osmhub.core.osp.ContentHash;
import io.osmhub.core.osp.OperatingSystemProfile;
import io.osmhub.core.osp.TemplateLanguage;
import io.osmhub.core.template.TemplateEngine;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

/**
 * Compiles each content once and keeps the most recently asked ones. Whoever uses a profile holds what it was given: it stays
 * good when it falls out of here. Safe for use by many threads.
 */
public final class CompiledProfiles {
    private final Function<TemplateLanguage, TemplateEngine> engines;
    private final Map<String, CompiledProfile> byHash;

    /** @param most contents to keep; one of a usual size takes about 60 KiB */
    public CompiledProfiles(Function<TemplateLanguage, TemplateEngine> engines, int most) {
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
        CompiledProfile compiled = CompiledProfile.compile(spec, engines);
        synchronized (byHash) {
            CompiledProfile other = byHash.putIfAbsent(hash, compiled);
            return other != null ? other : compiled;
        }
    }
}
