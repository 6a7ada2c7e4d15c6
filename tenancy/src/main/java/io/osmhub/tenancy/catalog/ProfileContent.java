package io.osmhub.tenancy.catalog;

import io.osmhub.core.osp.OperatingSystemProfile;
import io.osmhub.core.render.CompiledProfile;
import io.osmhub.core.render.CompiledProfile.CompiledProfileCache;
import java.lang.ref.WeakReference;
import org.jspecify.annotations.Nullable;

/**
 * Content of a profile, without its name: shared by all profiles with equal content. Holds the spec, from which it can be
 * compiled again; users hold the compiled form.
 */
public final class ProfileContent {
    private final String hash;
    private final OperatingSystemProfile.Spec spec;
    private volatile @Nullable WeakReference<CompiledProfile> compiled;

    ProfileContent(String hash, OperatingSystemProfile.Spec spec) {
        this.hash = hash;
        this.spec = spec;
    }

    /** SHA-256 in lower-case hex. */
    public String hash() {
        return hash;
    }

    public OperatingSystemProfile.Spec spec() {
        return spec;
    }

    /** The compiled profile, from the shared cache unless still referenced. */
    public CompiledProfile compiled(CompiledProfileCache profiles) {
        WeakReference<CompiledProfile> held = compiled;
        CompiledProfile known = held == null ? null : held.get();
        if (known != null) {
            return known;
        }
        CompiledProfile made = profiles.getOrCompile(spec);
        compiled = new WeakReference<>(made);
        return made;
    }
}
