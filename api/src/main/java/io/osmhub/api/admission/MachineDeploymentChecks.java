package io.osmhub.api.admission;

import io.osmhub.core.bootstrap.ObjectNames;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.osp.OperatingSystemProfile;
import io.osmhub.core.problem.Finding;
import io.osmhub.core.problem.Message;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.render.ProfileChecks;
import io.osmhub.tenancy.admission.AdmittedTenant;
import io.osmhub.workersync.port.ProfileCatalog.Lookup;
import io.osmhub.workersync.watch.ObjectKey;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/** What the hub knows of a tenant that stands against one of its MachineDeployments. */
final class MachineDeploymentChecks {
    private final AdmittedTenant tenant;

    /**
     * What was found.
     *
     * @param mistakes nothing of it would be published; each is new with this change
     * @param warnings what people should know all the same
     */
    record Result(List<Finding> mistakes, List<String> warnings) {
        Result {
            mistakes = List.copyOf(mistakes);
            warnings = List.copyOf(warnings);
        }
    }

    MachineDeploymentChecks(AdmittedTenant tenant) {
        this.tenant = tenant;
    }

    /** Whether the tenant has the profile that a MachineDeployment names. */
    boolean finds(MachineDeployment machineDeployment) {
        return tenant.profiles().find(machineDeployment) instanceof Lookup.Found;
    }

    /** @param before as it is stored; null when it is new */
    Result check(MachineDeployment now, @Nullable MachineDeployment before) {
        List<Finding> mistakes = new ArrayList<>();
        List<String> warnings = new ArrayList<>();
        if (before == null) {
            // A name stays as it is, so that only a new one can be mended.
            mistakes.addAll(ObjectNames.of(now).tooLong());
            collision(now, warnings);
        }
        profile(now, mistakes, warnings);
        if (before != null) {
            forgive(before, mistakes, warnings);
        }
        if (mistakes.isEmpty() && warnings.isEmpty()) {
            warnings.addAll(tenant.trial().apply(now));
        }
        return new Result(mistakes, warnings);
    }

    private void profile(MachineDeployment machineDeployment, List<Finding> mistakes, List<String> warnings) {
        switch (tenant.profiles().find(machineDeployment)) {
            case Lookup.NotUsable(Finding finding) -> {
                if (finding.reason().equals(Reason.ProfileNamespaceNotGranted.word())) {
                    mistakes.add(finding);
                } else {
                    // It may come a moment later, from the same pipeline.
                    warnings.add(finding.toString());
                }
            }
            case Lookup.Found(var profile) -> {
                OperatingSystemProfile.Spec spec = profile.compiled().spec();
                mistakes.addAll(ProfileChecks.misfits(spec, profile.name(), machineDeployment));
                if (!profile.compiled().mistakes().isEmpty()) {
                    warnings.add("OperatingSystemProfile " + profile.name()
                            + " cannot be rendered as it is; its condition Valid says why");
                }
            }
        }
    }

    /** What was wrong before is no reason to refuse another change; it is told again. */
    private void forgive(MachineDeployment before, List<Finding> mistakes, List<String> warnings) {
        if (mistakes.isEmpty()) {
            return;
        }
        List<Finding> old = new ArrayList<>();
        profile(before, old, new ArrayList<>());
        for (Finding mistake : List.copyOf(mistakes)) {
            if (old.contains(mistake)) {
                mistakes.remove(mistake);
                warnings.add(mistake.toString());
            }
        }
    }

    private void collision(MachineDeployment machineDeployment, List<String> warnings) {
        ObjectKey own = new ObjectKey(machineDeployment.namespace(), machineDeployment.name());
        SortedSet<String> claims = ObjectNames.of(machineDeployment).claims();
        for (ObjectKey other : tenant.machineDeployments().get()) {
            if (other.equals(own)) {
                continue;
            }
            Set<String> shared = new HashSet<>(new ObjectNames(other.namespace(), other.name()).claims());
            shared.retainAll(claims);
            if (!shared.isEmpty()) {
                String taken = shared.iterator().next();
                int blank = taken.lastIndexOf(' ');
                warnings.add(Message.of(
                        Reason.NameCollision,
                        Map.of(
                                "tenant", tenant.namespace(),
                                "md", own.toString(),
                                "kind", taken.substring(0, blank),
                                "name", taken.substring(blank + 1),
                                "md2", other.toString())));
                return;
            }
        }
    }
}
