package io.osmhub.deploy.render;

import io.osmhub.core.document.SourceDocument;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.osp.OperatingSystemProfile;
import io.osmhub.core.osp.ProfileExtension;
import io.osmhub.core.osp.ProfileReader;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.render.CompiledExtension;
import io.osmhub.core.template.language.TemplateEngines;
import io.osmhub.deploy.config.InputError;
import io.osmhub.deploy.config.InputFile;
import io.osmhub.deploy.fleet.CommandFailure;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The input of one rendering: reads files and selects objects in them, collects the errors of all inputs, maps objects to their
 * files, and collects remarks for the user. Standard input is read only once.
 */
final class RenderInputs {
    private final InputStream standardInput;
    private @Nullable String standardInputText;
    private final Set<InputError> mistakes = new LinkedHashSet<>();
    private final Map<String, SourceDocument> sources = new LinkedHashMap<>();
    private final List<String> notes = new ArrayList<>();

    RenderInputs(InputStream standardInput) {
        this.standardInput = standardInput;
    }

    // Errors and notes

    /** Adds a remark, one sentence. */
    void addNote(String note) {
        notes.add(note);
    }

    List<String> notes() {
        return notes;
    }

    /** Maps findings of this object to this document. */
    void registerSource(String object, SourceDocument source) {
        sources.put(object, source);
    }

    /** The registered documents, by object. */
    Map<String, SourceDocument> sources() {
        return sources;
    }

    void add(InputError mistake) {
        mistakes.add(mistake);
    }

    void add(SourceDocument source, List<Problem> findings) {
        findings.forEach(finding -> mistakes.add(InputError.ofDocument(source, finding)));
    }

    /** Adds findings at the sources of their objects; {@code otherwise} if a finding names no object. */
    void add(List<Problem> findings, String otherwise) {
        for (Problem finding : findings) {
            SourceDocument source = sources.get(finding.object().toString());
            if (source != null) {
                mistakes.add(InputError.ofDocument(source, finding));
            } else {
                mistakes.add(InputError.of(
                        finding.object().isNone() ? otherwise : finding.object().toString(), finding));
            }
        }
    }

    boolean hasErrors() {
        return !mistakes.isEmpty();
    }

    /** @param outcome follows the number of errors, for example {@code ", nothing was rendered"} */
    CommandFailure failure(String outcome) {
        return CommandFailure.unusable(mistakes, outcome);
    }

    // Files

    /** The name of a file in messages. */
    static String nameOf(String file) {
        return InputFile.of(file).displayName();
    }

    /** The text of a file, null after an error. */
    @Nullable String text(String file) {
        if (!file.equals(InputFile.STANDARD_INPUT)) {
            return readText(file);
        }
        if (standardInputText == null) {
            standardInputText = readText(file);
        }
        return standardInputText;
    }

    private @Nullable String readText(String file) {
        try {
            return InputFile.of(file).read(standardInput);
        } catch (InputFile.UnreadableException e) {
            add(e.error());
            return null;
        }
    }

    /** All objects of a file, null after an error. */
    @Nullable List<SourceDocument> all(String file) {
        String text = text(file);
        if (text == null) {
            return null;
        }
        String name = nameOf(file);
        try {
            return SourceDocument.readAll(name, text, Reason.SettingsInvalid);
        } catch (TenantMistake e) {
            e.findings().forEach(finding -> add(InputError.of(name, finding)));
            return null;
        }
    }

    /** The objects of one kind; none is an error. */
    List<SourceDocument> readKind(String file, String kind) {
        List<SourceDocument> all = all(file);
        if (all == null) {
            return List.of();
        }
        List<SourceDocument> wanted =
                all.stream().filter(source -> isKind(source, kind)).toList();
        if (wanted.isEmpty()) {
            String found = all.stream()
                    .map(source -> kind(source).isEmpty() ? "an object without a kind" : kind(source))
                    .collect(Collectors.toCollection(TreeSet::new))
                    .stream()
                    .collect(Collectors.joining(", "));
            add(new InputError(
                    nameOf(file),
                    "",
                    "contains no " + kind + (found.isEmpty() ? ", it is empty" : ", but " + found),
                    "use a file that contains one"));
        }
        return wanted;
    }

    private static boolean isKind(SourceDocument source, String kind) {
        return kind(source).equals(kind)
                || kind.equals(ProfileReader.KIND) && kind(source).equals(ProfileReader.CUSTOM_KIND);
    }

    static String kind(SourceDocument source) {
        return source.text("kind");
    }

    // MachineDeployment

    /**
     * @param name selects one, with or without namespace; null if the file has only one
     * @return null after an error
     */
    @Nullable MachineDeployment readMachineDeployment(String file, @Nullable String name) {
        List<SourceDocument> all = readKind(file, MachineDeployment.KIND);
        List<SourceDocument> fitting = name == null
                ? all
                : all.stream().filter(source -> isNamed(source, name)).toList();
        if (all.isEmpty()) {
            return null;
        }
        if (fitting.size() != 1) {
            String held = name == null ? all.size() + " MachineDeployments" : "no MachineDeployment " + name;
            String names = all.stream().map(RenderInputs::path).collect(Collectors.joining(", "));
            add(new InputError(nameOf(file), "", "contains " + held, "select one with --name: " + names));
            return null;
        }
        SourceDocument source = fitting.getFirst();
        try {
            MachineDeployment read = MachineDeployment.read(source);
            registerSource(read.describe().toString(), source);
            return read;
        } catch (TenantMistake e) {
            add(source, e.findings());
            return null;
        }
    }

    private static boolean isNamed(SourceDocument source, String name) {
        return name.equals(source.text("metadata.name")) || name.equals(path(source));
    }

    private static String path(SourceDocument source) {
        return source.text("metadata.namespace") + "/" + source.text("metadata.name");
    }

    // Profile

    /** A profile and its source. */
    record Profile(OperatingSystemProfile profile, SourceDocument source) {}

    /** Returns null after an error. */
    @Nullable Profile readProfile(String file, @Nullable MachineDeployment machineDeployment) {
        SourceDocument source = chooseProfile(file, readKind(file, ProfileReader.KIND), machineDeployment);
        if (source == null) {
            return null;
        }
        try {
            return new Profile(ProfileReader.strict().read(source), source);
        } catch (TenantMistake e) {
            add(source, e.findings());
            return null;
        }
    }

    /** The compiled extensions of files, without those with an error. */
    List<CompiledExtension> readExtensions(List<String> files) {
        List<CompiledExtension> extensions = new ArrayList<>();
        for (String file : files) {
            for (SourceDocument source : readKind(file, ProfileExtension.KIND)) {
                try {
                    ProfileExtension extension = ProfileExtension.read(SourceDocument.json(source.root()));
                    registerSource(extension.describe().toString(), source);
                    extensions.add(CompiledExtension.compile(extension, new TemplateEngines()));
                } catch (TenantMistake e) {
                    add(source, e.findings());
                }
            }
        }
        return extensions;
    }

    private @Nullable SourceDocument chooseProfile(
            String file, List<SourceDocument> profiles, @Nullable MachineDeployment machineDeployment) {
        String wanted = machineDeployment == null ? "" : machineDeployment.profileName();
        if (profiles.size() == 1) {
            String name = name(profiles.getFirst());
            if (!wanted.isEmpty() && !wanted.equals(name)) {
                addNote("the MachineDeployment's profile is " + wanted + "; rendered with " + name
                        + ", the only one in " + nameOf(file));
            }
            return profiles.getFirst();
        }
        if (profiles.isEmpty() || machineDeployment == null) {
            // Already reported, or undecidable until the MachineDeployment is valid.
            return null;
        }
        List<SourceDocument> named =
                profiles.stream().filter(source -> name(source).equals(wanted)).toList();
        if (named.size() > 1) {
            named = named.stream()
                    .filter(source -> source.text("metadata.namespace").equals(machineDeployment.profileNamespace()))
                    .toList();
        }
        if (named.size() == 1) {
            return named.getFirst();
        }
        add(new InputError(
                nameOf(file),
                "",
                "contains " + profiles.size() + " profiles, "
                        + (wanted.isEmpty()
                                ? "and the MachineDeployment names none"
                                : named.isEmpty()
                                        ? "but not " + wanted + " of the MachineDeployment"
                                        : "more than one " + wanted),
                "set annotation " + MachineDeployment.PROFILE + " to one of "
                        + profiles.stream().map(RenderInputs::name).distinct().collect(Collectors.joining(", "))));
        return null;
    }

    private static String name(SourceDocument source) {
        return source.text("metadata.name");
    }
}
