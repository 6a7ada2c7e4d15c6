package io.osmhub.tenancy.catalog;

import io.osmhub.core.osp.OperatingSystemProfile;
import io.osmhub.core.render.CompiledProfile;
import io.osmhub.core.render.CompiledProfiles;
import java.lang.ref.WeakReference;
import org.jspecify.annotations.Nullable;

/**
 * What a profile says, whatever its name: profiles of many tenants with the same content share one. Kept is the spec, which is
 * enough to compile it again; the compiled form is kept by whoever uses it.
 */
public final class ProfileContent {
    private final String hash;
    private final OperatingSystemProfile.Spec spec;
    private volatile @Nullable WeakReference<CompiledProfile> compiled;

    ProfileContent(String hash, OperatingSystemProfile.Spec spec) {
        this.hash = hash;
        this.spec = spec;
    }

    /** SHA-256 in lower-case hex: equal hashes are equal contents. */
    public String hash() {
        return hash;
    }

    public OperatingSystemProfile.Spec spec() {
        return spec;
    }

    /** Parsed; from the shared cache unless somebody still holds it. */
    public CompiledProfile compiled(CompiledProfiles profiles) {
        WeakReference<CompiledProfile> held = compiled;
        CompiledProfile known = held == null ? null : held.get();
        if (known != null) {
            return known;
        }
        CompiledProfile made = profiles.of(spec);
        compiled = new WeakReference<>(made);
        return made;
    }
}
