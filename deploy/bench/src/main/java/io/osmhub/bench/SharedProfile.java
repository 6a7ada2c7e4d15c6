package io.osmhub.bench;

import io.osmhub.core.render.CompiledProfile;
import io.osmhub.core.render.CompiledProfiles;
import io.osmhub.core.render.TemplateLanguages;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.function.Supplier;

/**
 * How many compiled profiles a number of tenants with the same content keep, and the heap that these take. Each tenant's profile
 * is decoded for itself, as from its own namespace.
 *
 * @param bytes heap that all of them together keep
 * @param bytesUnshared heap that they would keep with one compiled profile each
 */
record SharedProfile(int tenants, int copies, long bytes, long bytesUnshared) {
    private static final int COMPILED_CONTENTS = 64;
    private static final long NOISE = 1024;

    static SharedProfile measure(Workload work, int tenants) {
        // Kept by what is measured, so that its own memory is there before.
        TemplateLanguages languages = new TemplateLanguages();
        work.compile();
        CompiledProfile[] shared = new CompiledProfile[tenants];
        CompiledProfiles profiles = new CompiledProfiles(languages, COMPILED_CONTENTS);
        long bytes = grownHeap(() -> profiles.of(work.decodedAgain()), shared);
        Set<CompiledProfile> copies = Collections.newSetFromMap(new IdentityHashMap<>());
        Collections.addAll(copies, shared);

        CompiledProfile[] own = new CompiledProfile[tenants / 10];
        long bytesOfTenth = grownHeap(() -> new CompiledProfiles(languages, 1).of(work.decodedAgain()), own);
        // An interpreted frame may hold on to them, and they would miss in the next measurement.
        Arrays.fill(own, null);
        return new SharedProfile(tenants, copies.size(), bytes, bytesOfTenth * tenants / own.length);
    }

    /** Fills the array and says by how much the heap has grown, without what is garbage. */
    private static long grownHeap(Supplier<CompiledProfile> make, CompiledProfile[] kept) {
        long before = usedHeap();
        for (int i = 0; i < kept.length; i++) {
            kept[i] = make.get();
        }
        return usedHeap() - before;
    }

    /** What is in use once collecting again frees nothing more: some things go only after those that refer to them. */
    private static long usedHeap() {
        MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
        long used = Long.MAX_VALUE;
        long before;
        do {
            before = used;
            memory.gc();
            used = memory.getHeapMemoryUsage().getUsed();
        } while (before - used > NOISE);
        return used;
    }

    String describe(String workload) {
        return RenderCommand.format(
                "%,d tenants sharing one profile (%s) keep %d compiled cop%s, %,d KiB; unshared it would be %,d KiB",
                tenants, workload, copies, copies == 1 ? "y" : "ies", bytes / 1024, bytesUnshared / 1024);
    }
}
