package io.osmhub.deploy.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.osmhub.core.model.Sensitive;
import io.osmhub.deploy.fleet.FleetFailure;
import io.osmhub.deploy.fleet.FleetFailure.Kind;
import io.osmhub.tenancy.kubeconfig.Allowance;
import io.osmhub.tenancy.kubeconfig.EgressPolicy;
import io.osmhub.tenancy.kubeconfig.KubeconfigFirewall;
import io.osmhub.tenancy.kubeconfig.KubeconfigRules;
import io.osmhub.tenancy.kubeconfig.Vetting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** A kubeconfig that a person hands in for the hub: from a file or from the standard input. */
record WorkerKubeconfig(String source, Sensitive text) {
    private static final int MOST_BYTES = 512 * 1024;

    /** {@code -} is the standard input. */
    static WorkerKubeconfig read(String file, Terminal terminal) throws FleetFailure {
        try {
            byte[] bytes =
                    file.equals("-") ? terminal.in().readNBytes(MOST_BYTES + 1) : Files.readAllBytes(Path.of(file));
            if (bytes.length > MOST_BYTES) {
                throw new FleetFailure(
                        Kind.UNUSABLE, file + " is too large for a kubeconfig; give one of less than 512 KiB");
            }
            return new WorkerKubeconfig(
                    file.equals("-") ? "standard input" : file, new Sensitive(new String(bytes, UTF_8)));
        } catch (IOException | java.nio.file.InvalidPathException e) {
            throw new FleetFailure(Kind.UNUSABLE, "kubeconfig " + file + " cannot be read; check the path");
        }
    }

    /** What the firewall says of it, as far as no policy of a hub is needed. */
    Vetting vetted() {
        Set<Allowance> all = EnumSet.allOf(Allowance.class);
        EgressPolicy any = new EgressPolicy(new KubeconfigRules(all, List.of(), List.of()), Set.of(), Set.of());
        ;
        return new KubeconfigFirewall(any).vet(source, text.reveal());
    }
}
