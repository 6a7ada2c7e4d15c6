package io.osmhub.tenancy;

import io.osmhub.core.osp.TemplateLanguage;
import io.osmhub.core.render.CompiledProfile;
import io.osmhub.core.render.CompiledProfiles;
import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Measures how long profiles take to compile. */
record CompilationTime(HubObserver observer, LongSupplier nanoTime) implements CompiledProfiles.Around {
    @Override
    public CompiledProfile compile(TemplateLanguage language, Supplier<CompiledProfile> work) {
        long start = nanoTime.getAsLong();
        CompiledProfile made = work.get();
        observer.profileCompiled(language, Duration.ofNanos(nanoTime.getAsLong() - start));
        return made;
    }
}
