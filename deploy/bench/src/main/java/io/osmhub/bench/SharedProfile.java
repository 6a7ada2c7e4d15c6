package io.osmhub.bench;

import io.osmhub.core.render.CompiledProfile;
import io.osmhub.core.render.CompiledProfiles;
import io.osmhub.core.render.TemplateLanguages;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
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
    /** The serial collector may leave a few per cent of garbage where it lies, and clears all every fourth time. */
    private static final int COLLECTIONS = 4;

    static SharedProfile measure(Workload work, int tenants) {
        // Once for nothing, because what the process needs only once comes and goes with the first use.
        measureOnce(work, tenants / 10);
        return measureOnce(work, tenants);
    }

    private static SharedProfile measureOnce(Workload work, int tenants) {
        TemplateLanguages languages = new TemplateLanguages();
        CompiledProfile[] shared = new CompiledProfile[tenants];
        CompiledProfiles profiles = new CompiledProfiles(languages, COMPILED_CONTENTS);
        long bytes = grownHeap(() -> profiles.of(work.decodedAgain()), shared);
        Set<CompiledProfile> copies = Collections.newSetFromMap(new IdentityHashMap<>());
        Collections.addAll(copies, shared);

        CompiledProfile[] own = new CompiledProfile[tenants / 10];
        long bytesOfTenth = grownHeap(() -> new CompiledProfiles(languages, 1).of(work.decodedAgain()), own);
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

    private static long usedHeap() {
        MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
        for (int i = 0; i < COLLECTIONS; i++) {
            memory.gc();
        }
        return memory.getHeapMemoryUsage().getUsed();
    }

    String describe(String workload) {
        return RenderCommand.format(
                "%,d tenants sharing one profile (%s) keep %d compiled cop%s, %,d KiB; unshared it would be %,d KiB",
                tenants, workload, copies, copies == 1 ? "y" : "ies", bytes / 1024, bytesUnshared / 1024);
    }
}
