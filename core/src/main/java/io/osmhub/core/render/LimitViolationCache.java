package io.osmhub.core.render;

import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.problem.ProblemFinding;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.render.Renderer.RenderInput;
import io.osmhub.core.render.Renderer.RenderedConfig;
import io.osmhub.core.template.Sandbox.RenderLimits;
import io.osmhub.core.template.TemplateException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
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

    private final Map<RenderKey, Exceeded> known = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<RenderKey, Exceeded> eldest) {
            return size() > REMEMBERED;
        }
    };

    /** Long texts and texts that may hold a credential are hashed. The keys of two tenants are never equal. */
    private record RenderKey(
            String tenant,
            String profile,
            String contentHash,
            String kubelet,
            int annotations,
            int providerSpec,
            int settings,
            int apiServer,
            int references) {
        static RenderKey of(RenderInput input) {
            MachineDeployment machineDeployment = input.machineDeployment();
            return new RenderKey(
                    input.tenantNamespace(),
                    input.profile().describe(),
                    input.profile().compiled().contentHash(),
                    machineDeployment.kubeletVersion(),
                    KubeletSettings.read(machineDeployment, new ArrayList<>()).hashCode(),
                    Objects.hashCode(machineDeployment.providerSpec()),
                    input.settings().hashCode(),
                    input.access().apiServer().hashCode(),
                    input.resolved().hashCode());
        }
    }

    private record Exceeded(List<ProblemFinding> findings, Instant retryAt) {}

    /** Whether a finding reports an exceeded limit. */
    public static boolean isLimitFinding(ProblemFinding finding) {
        return finding.reason().equals(CompiledProfile.reason(TemplateException.Stage.LIMIT));
    }

    /** How long a rendering with these findings is not retried; null if none is about a limit. */
    public static @Nullable Duration retryDelay(List<ProblemFinding> findings) {
        List<ProblemFinding> exceeded =
                findings.stream().filter(LimitViolationCache::isLimitFinding).toList();
        if (exceeded.isEmpty()) {
            return null;
        }
        boolean byTheClock =
                exceeded.stream().allMatch(finding -> finding.what().contains(RenderLimits.BY_THE_CLOCK));
        return byTheClock ? PAUSE_BY_THE_CLOCK : PAUSE;
    }

    /**
     * Checks that no such rendering exceeded a limit recently.
     *
     * @throws TenantMistake the earlier rendering's exception
     */
    public void requireNoRecentViolation(RenderInput input, Instant now) {
        requireNoRecentViolation(RenderKey.of(input), now);
    }

    /** The earlier violation that applies now; null if none. */
    private @Nullable Exceeded requireNoRecentViolation(RenderKey kind, Instant now) {
        synchronized (known) {
            Exceeded before = known.get(kind);
            if (before != null && now.isBefore(before.retryAt())) {
                throw new TenantMistake(before.findings());
            }
            return before;
        }
    }

    /**
     * Renders, unless such a rendering exceeded a limit recently.
     *
     * @throws TenantMistake from this or the earlier rendering
     */
    public RenderedConfig render(RenderInput input, Instant now, Supplier<RenderedConfig> rendering) {
        RenderKey kind = RenderKey.of(input);
        synchronized (known) {
            Exceeded before = requireNoRecentViolation(kind, now);
            if (before != null) {
                // Only one run retries it; the others use the earlier result until then.
                remember(kind, before.findings(), now);
            }
        }
        List<ProblemFinding> findings = List.of();
        try {
            return rendering.get();
        } catch (TenantMistake e) {
            findings = e.findings();
            throw e;
        } finally {
            remember(kind, findings, now);
        }
    }

    private void remember(RenderKey kind, List<ProblemFinding> findings, Instant now) {
        Duration pause = retryDelay(findings);
        synchronized (known) {
            if (pause == null) {
                known.remove(kind);
            } else {
                known.put(kind, new Exceeded(findings, now.plus(pause)));
            }
        }
    }
}
