package io.osmhub.deploy.render;

import io.osmhub.core.document.SourceText;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.machine.MachineDeployment.MachineDeploymentReader;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.deploy.config.InputError;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The selected MachineDeployment. */
final class MachineDeploymentInput {
    private MachineDeploymentInput() {}

    /**
     * @param name selects one, with or without namespace; null if the file has only one
     * @return null after an error
     */
    static @Nullable MachineDeployment read(
            String file, @Nullable String name, ManifestReader manifests, InputErrors mistakes) {
        List<SourceText> all = manifests.readKind(file, MachineDeploymentReader.KIND);
        List<SourceText> fitting = name == null
                ? all
                : all.stream().filter(source -> isNamed(source, name)).toList();
        if (all.isEmpty()) {
            return null;
        }
        if (fitting.size() != 1) {
            String held = name == null ? all.size() + " MachineDeployments" : "no MachineDeployment " + name;
            String names = all.stream().map(MachineDeploymentInput::name).collect(Collectors.joining(", "));
            mistakes.add(new InputError(
                    InputFiles.nameOf(file), "", "contains " + held, "select one with --name: " + names));
            return null;
        }
        SourceText source = fitting.getFirst();
        try {
            MachineDeployment read = MachineDeploymentReader.read(source.document());
            mistakes.registerSource(read.describe(), source);
            return read;
        } catch (TenantMistake e) {
            mistakes.add(source, e.findings());
            return null;
        }
    }

    private static boolean isNamed(SourceText source, String name) {
        return name.equals(source.text("metadata.name")) || name.equals(name(source));
    }

    private static String name(SourceText source) {
        return source.text("metadata.namespace") + "/" + source.text("metadata.name");
    }
}
