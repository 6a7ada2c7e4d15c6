package io.osmhub.tenancy.settings;

import io.osmhub.core.problem.Finding;
import io.osmhub.core.render.RenderInput;
import io.osmhub.core.settings.EffectiveSettings;
import io.osmhub.core.settings.TenantSettings;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What holds for a tenant now.
 *
 * @param effective the settings with their sources
 * @param references what they refer to; null while something of it is wrong or not known
 * @param mistakes nothing is rendered while there is one
 * @param warnings what works now and may not later, or has no effect
 * @param complete false while an object that is referred to was not read yet; there is then neither a reference nor a mistake
 */
public record ResolvedSettings(
        TenantSettings settings,
        EffectiveSettings effective,
        RenderInput.@Nullable References references,
        List<Finding> mistakes,
        List<Finding> warnings,
        boolean complete) {
    public ResolvedSettings {
        mistakes = List.copyOf(mistakes);
        warnings = List.copyOf(warnings);
    }
}
