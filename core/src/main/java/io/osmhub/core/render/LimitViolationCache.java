package io.osmhub.core.render;

import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.render.CompiledProfile.CompiledProfileCache;
import io.osmhub.core.render.Renderer.RenderInput;
import io.osmhub.core.render.Renderer.RenderedConfig;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Caches violations of limits, so that a hundred equal MachineDeployments spend the budget of one. The key has everything that
 * affects templates except the MachineDeployment's name and tokens. It is rendered again when the key changes, and after a delay,
 * which is shorter for the time limit because a busy machine may be the cause. Thread-safe.
 */
public final class LimitViolationCache {
    private static final Duration PAUSE = Duration.ofMinutes(10);
    /** A rendering that takes its two seconds then uses 7 % of one core. */
    private static final Duration PAUSE_BY_THE_CLOCK = Duration.ofSeconds(30);

    private static final int REMEMBERED = 4096;

    private final Map<List<Object>, Exceeded> known = CompiledProfileCache.keepMostRecentlyUsed(REMEMBERED);

    private record Exceeded(List<Problem> findings, Instant retryAt) {}

    /** Texts that are long or may hold a credential are hashed. The keys of two tenants are never equal. */
    private static List<Object> key(RenderInput input) {
        MachineDeployment machineDeployment = input.machineDeployment();
        return List.of(
                input.tenantNamespace(),
                input.profile().describe().toString(),
                input.profile().contentHash(),
                machineDeployment.kubeletVersion(),
                KubeletSettings.read(machineDeployment, new ArrayList<>()).hashCode(),
                Objects.hashCode(machineDeployment.providerSpec()),
                input.settings().hashCode(),
                input.access().apiServer().hashCode(),
                input.resolved().hashCode());
    }

    /** How long a rendering with these findings is not retried; null if none is about a limit. */
    public static @Nullable Duration retryDelay(List<Problem> findings) {
        Duration longest = null;
        for (Problem finding : findings) {
            if (finding.reason() == Reason.TemplateLimitExceeded) {
                longest = PAUSE;
            } else if (finding.reason() == Reason.TemplateTimeLimitExceeded && longest == null) {
                longest = PAUSE_BY_THE_CLOCK;
            }
        }
        return longest;
    }

    /**
     * Checks that no such rendering exceeded a limit recently.
     *
     * @throws TenantMistake the earlier rendering's exception
     */
    public void requireNoRecentViolation(RenderInput input, Instant now) {
        synchronized (known) {
            Exceeded before = known.get(key(input));
            if (before != null && now.isBefore(before.retryAt())) {
                throw new TenantMistake(before.findings());
            }
        }
    }

    /**
     * Renders, unless such a rendering exceeded a limit recently.
     *
     * @throws TenantMistake from this or the earlier rendering
     */
    public RenderedConfig render(RenderInput input, Instant now, Supplier<RenderedConfig> rendering) {
        List<Object> key = key(input);
        synchronized (known) {
            requireNoRecentViolation(input, now);
            Exceeded before = known.get(key);
            if (before != null) {
                // Only one run retries it; the others use the earlier result until then.
                remember(key, before.findings(), now);
            }
        }
        List<Problem> findings = List.of();
        try {
            return rendering.get();
        } catch (TenantMistake e) {
            findings = e.findings();
            throw e;
        } finally {
            remember(key, findings, now);
        }
    }

    private void remember(List<Object> key, List<Problem> findings, Instant now) {
        Duration pause = retryDelay(findings);
        synchronized (known) {
            if (pause == null) {
                known.remove(key);
            } else {
                known.put(key, new Exceeded(findings, now.plus(pause)));
            }
        }
    }
}
