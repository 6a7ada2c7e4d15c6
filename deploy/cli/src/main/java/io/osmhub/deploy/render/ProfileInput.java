package io.osmhub.deploy.render;

import io.osmhub.core.document.SourceText;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.osp.OperatingSystemProfile;
import io.osmhub.core.osp.ProfileReader;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.deploy.config.InputError;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The selected profile: the only one of the file, or the one named by the MachineDeployment. */
final class ProfileInput {
    private final String file;
    private final ManifestReader manifests;
    private final InputErrors mistakes;
    private final List<String> notes;

    ProfileInput(String file, ManifestReader manifests, InputErrors mistakes, List<String> notes) {
        this.file = file;
        this.manifests = manifests;
        this.mistakes = mistakes;
        this.notes = notes;
    }

    /** A profile and its source. */
    record Profile(OperatingSystemProfile profile, SourceText source) {}

    /** Returns null after an error. */
    @Nullable Profile read(@Nullable MachineDeployment machineDeployment) {
        SourceText source = choose(manifests.readKind(file, ProfileReader.KIND), machineDeployment);
        if (source == null) {
            return null;
        }
        try {
            return new Profile(ProfileReader.strict().read(source.document()), source);
        } catch (TenantMistake e) {
            mistakes.add(source, e.findings());
            return null;
        }
    }

    private @Nullable SourceText choose(List<SourceText> profiles, @Nullable MachineDeployment machineDeployment) {
        String wanted = machineDeployment == null ? "" : machineDeployment.profileName();
        if (profiles.size() == 1) {
            String name = name(profiles.getFirst());
            if (!wanted.isEmpty() && !wanted.equals(name)) {
                notes.add("the MachineDeployment's profile is " + wanted + "; rendered with " + name
                        + ", the only one in " + InputFiles.nameOf(file));
            }
            return profiles.getFirst();
        }
        if (profiles.isEmpty() || machineDeployment == null) {
            // Already reported, or undecidable until the MachineDeployment is valid.
            return null;
        }
        List<SourceText> named =
                profiles.stream().filter(source -> name(source).equals(wanted)).toList();
        if (named.size() > 1) {
            named = named.stream()
                    .filter(source -> source.text("metadata.namespace").equals(machineDeployment.profileNamespace()))
                    .toList();
        }
        if (named.size() == 1) {
            return named.getFirst();
        }
        mistakes.add(new InputError(
                InputFiles.nameOf(file),
                "",
                "contains " + profiles.size() + " profiles, "
                        + (wanted.isEmpty()
                                ? "and the MachineDeployment names none"
                                : named.isEmpty()
                                        ? "but not " + wanted + " of the MachineDeployment"
                                        : "more than one " + wanted),
                "set annotation " + MachineDeployment.PROFILE + " to one of "
                        + profiles.stream().map(ProfileInput::name).distinct().collect(Collectors.joining(", "))));
        return null;
    }

    private static String name(SourceText source) {
        return source.text("metadata.name");
    }
}
