package io.osmhub.tenancy;

import io.osmhub.core.osp.TemplateLanguage;
import io.osmhub.core.render.CompiledProfile;
import io.osmhub.core.render.CompiledProfile.CompiledProfileCache;
import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

record CompilationTimer(HubObserver observer, LongSupplier nanoTime)
        implements CompiledProfileCache.CompileInterceptor {
    @Override
    public CompiledProfile compile(TemplateLanguage language, Supplier<CompiledProfile> work) {
        long start = nanoTime.getAsLong();
        CompiledProfile made = work.get();
        observer.onProfileCompiled(language, Duration.ofNanos(nanoTime.getAsLong() - start));
        return made;
    }
}
