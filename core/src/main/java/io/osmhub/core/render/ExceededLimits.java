package io.osmhub.core.render;

import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.problem.Finding;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.template.Limits;
import io.osmhub.core.template.TemplateFailure;
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
 * Remembers what exceeded a limit, so that a hundred MachineDeployments of one kind spend the budget of one. A kind is all that decides
 * what templates do, but for the MachineDeployment's name and tokens; it is rendered again as soon as a part of it changes, and after
 * a pause, which is shorter for the limit of time because a busy machine may be the cause. Safe for use by many threads.
 */
public final class ExceededLimits {
    private static final Duration PAUSE = Duration.ofMinutes(10);
    /** A rendering that takes its two seconds uses 7 % of one core then. */
    private static final Duration PAUSE_BY_THE_CLOCK = Duration.ofSeconds(30);

    private static final int REMEMBERED = 4096;

    private final Map<Kind, Exceeded> known = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Kind, Exceeded> eldest) {
            return size() > REMEMBERED;
        }
    };

    /** By hash, where a text is long or may hold a credential. The kinds of two tenants are never equal. */
    private record Kind(
            String tenant,
            String profile,
            String contentHash,
            String kubelet,
            int annotations,
            int providerSpec,
            int settings,
            int apiServer,
            int references) {
        static Kind of(RenderInput input) {
            MachineDeployment machineDeployment = input.machineDeployment();
            return new Kind(
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

    private record Exceeded(List<Finding> findings, Instant again) {}

    /** Whether a finding says that a limit was exceeded. */
    public static boolean isAbout(Finding finding) {
        return finding.reason().equals(CompiledProfile.reason(TemplateFailure.Stage.LIMIT));
    }

    /** How long what these findings are about is not rendered again; null when none is about a limit. */
    public static @Nullable Duration pause(List<Finding> findings) {
        List<Finding> exceeded =
                findings.stream().filter(ExceededLimits::isAbout).toList();
        if (exceeded.isEmpty()) {
            return null;
        }
        boolean byTheClock =
                exceeded.stream().allMatch(finding -> finding.what().contains(Limits.BY_THE_CLOCK));
        return byTheClock ? PAUSE_BY_THE_CLOCK : PAUSE;
    }

    /**
     * Checks that no rendering of this kind exceeded a limit recently.
     *
     * @throws TenantMistake what that rendering threw
     */
    public void requireWithin(RenderInput input, Instant now) {
        requireWithin(Kind.of(input), now);
    }

    /** What an earlier rendering exceeded that may be repeated now; null without one. */
    private @Nullable Exceeded requireWithin(Kind kind, Instant now) {
        synchronized (known) {
            Exceeded before = known.get(kind);
            if (before != null && now.isBefore(before.again())) {
                throw new TenantMistake(before.findings());
            }
            return before;
        }
    }

    /**
     * Renders, unless a rendering of this kind exceeded a limit recently.
     *
     * @throws TenantMistake what the rendering throws, or the one before did
     */
    public Rendering render(RenderInput input, Instant now, Supplier<Rendering> rendering) {
        Kind kind = Kind.of(input);
        synchronized (known) {
            Exceeded before = requireWithin(kind, now);
            if (before != null) {
                // Only one run repeats it; the others use the earlier result until then.
                remember(kind, before.findings(), now);
            }
        }
        List<Finding> findings = List.of();
        try {
            return rendering.get();
        } catch (TenantMistake e) {
            findings = e.findings();
            throw e;
        } finally {
            remember(kind, findings, now);
        }
    }

    private void remember(Kind kind, List<Finding> findings, Instant now) {
        Duration pause = pause(findings);
        synchronized (known) {
            if (pause == null) {
                known.remove(kind);
            } else {
                known.put(kind, new Exceeded(findings, now.plus(pause)));
            }
        }
    }
}
