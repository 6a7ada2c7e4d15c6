package io.osmhub.bench;

import io.osmhub.core.render.CompiledProfile;
import io.osmhub.core.render.CompiledProfileCache;
import io.osmhub.core.render.TemplateEngines;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Number and heap size of the compiled profiles of tenants with the same content. Each tenant's profile is decoded separately, as
 * from its own namespace.
 *
 * @param bytes live heap of all tenants
 * @param bytesUnshared live heap with one compiled profile each
 */
record SharedProfileMemory(int tenants, int copies, long bytes, long bytesUnshared) {
    private static final int COMPILED_CONTENTS = 64;
    /** The serial collector may leave a few per cent of garbage, and compacts fully every fourth time. */
    private static final int COLLECTIONS = 4;

    static SharedProfileMemory measure(Workload work, int tenants) {
        // Warm-up, to exclude allocations of the first use.
        measureOnce(work, tenants / 10);
        return measureOnce(work, tenants);
    }

    private static SharedProfileMemory measureOnce(Workload work, int tenants) {
        TemplateEngines languages = new TemplateEngines();
        CompiledProfile[] shared = new CompiledProfile[tenants];
        CompiledProfileCache profiles = new CompiledProfileCache(languages, COMPILED_CONTENTS);
        long bytes = grownHeap(() -> profiles.getOrCompile(work.decodeAgain()), shared);
        Set<CompiledProfile> copies = Collections.newSetFromMap(new IdentityHashMap<>());
        Collections.addAll(copies, shared);

        CompiledProfile[] own = new CompiledProfile[tenants / 10];
        long bytesOfTenth =
                grownHeap(() -> new CompiledProfileCache(languages, 1).getOrCompile(work.decodeAgain()), own);
        return new SharedProfileMemory(tenants, copies.size(), bytes, bytesOfTenth * tenants / own.length);
    }

    /** Fills the array and returns the growth of the live heap. */
    private static long grownHeap(Supplier<CompiledProfile> make, CompiledProfile[] kept) {
        long before = usedHeap();
        for (int i = 0; i < kept.length; i++) {
            kept[i] = make.get();
        }
        return usedHeap() - before;
    }

    private static long usedHeap() {
        MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
        for (int i = 0; i < COLLECTIONS; i++) {
            memory.gc();
        }
        return memory.getHeapMemoryUsage().getUsed();
    }

    String describe(String workload) {
        return RenderBenchCommand.format(
                "%,d tenants sharing one profile (%s) keep %d compiled cop%s, %,d KiB; unshared it would be %,d KiB",
                tenants, workload, copies, copies == 1 ? "y" : "ies", bytes / 1024, bytesUnshared / 1024);
    }
}
