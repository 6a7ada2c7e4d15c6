package io.osmhub.tenancy.settings;

import io.osmhub.core.problem.ProblemFinding;
import io.osmhub.core.render.Renderer.RenderInput;
import io.osmhub.core.settings.LayeredSettings;
import io.osmhub.core.settings.TenantSettings;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A tenant's resolved settings.
 *
 * @param effective the settings with their sources
 * @param references referenced objects; null while one is invalid or unknown
 * @param mistakes nothing is rendered while there are any
 * @param warnings settings that have no effect, or may stop working
 * @param complete false while a referenced object has not been read; then there are neither references nor mistakes
 */
public record ResolvedSettings(
        TenantSettings settings,
        LayeredSettings effective,
        RenderInput.@Nullable References references,
        List<ProblemFinding> mistakes,
        List<ProblemFinding> warnings,
        boolean complete) {
    public ResolvedSettings {
        mistakes = List.copyOf(mistakes);
        warnings = List.copyOf(warnings);
    }
}
