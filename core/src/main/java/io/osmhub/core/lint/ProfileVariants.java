package io.osmhub.core.lint;

import io.osmhub.core.lint.ProfileSourceMap.ConfigName;
import io.osmhub.core.lint.ProfileSourceMap.SourceText;
import io.osmhub.core.osp.OperatingSystemProfile.Config;
import io.osmhub.core.osp.OperatingSystemProfile.ContainerRuntime;
import io.osmhub.core.osp.OperatingSystemProfile.File;
import io.osmhub.core.osp.OperatingSystemProfile.Inline;
import io.osmhub.core.osp.OperatingSystemProfile.Spec;
import io.osmhub.core.render.CompiledProfile;
import io.osmhub.core.render.CompiledProfileCache;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Variants of the profile: with some templates emptied, so that a failing one does not hide errors in others, and with marked
 * lines. Reported errors that would prevent all rendering are corrected.
 */
final class ProfileVariants {
    private final ProfileSourceMap source;
    private final CompiledProfileCache profiles;
    private final Map<String, SourceText> byField = new HashMap<>();
    private final Map<Set<SourceText>, CompiledProfile> plain = new HashMap<>();
    private final Map<Set<SourceText>, CompiledProfile> marked = new HashMap<>();
    private final LineOriginTracker marks = new LineOriginTracker();
    private final Map<SourceText, String> markedTexts = new HashMap<>();

    ProfileVariants(ProfileSourceMap source, CompiledProfileCache profiles) {
        this.source = source;
        this.profiles = profiles;
        source.texts().forEach(text -> byField.put(text.field(), text));
    }

    LineOriginTracker marks() {
        return marks;
    }

    /** The profile without these templates. */
    CompiledProfile without(Set<SourceText> empty) {
        return plain.computeIfAbsent(
                Set.copyOf(empty), key -> profiles.getOrCompile(spec(text -> key.contains(text) ? null : text.text())));
    }

    /** The profile without these templates and with marks in all lines of the others. */
    CompiledProfile markedWithout(Set<SourceText> empty) {
        return marked.computeIfAbsent(
                Set.copyOf(empty),
                key -> profiles.getOrCompile(spec(text -> key.contains(text) ? null : marked(text))));
    }

    private String marked(SourceText text) {
        return markedTexts.computeIfAbsent(
                text, key -> marks.mark(key, source.profile().spec().templateEngine()));
    }

    /** Provides a template's text; null empties it. */
    private interface Texts {
        @Nullable String of(SourceText text);
    }

    private Spec spec(Texts texts) {
        Spec spec = source.profile().spec();
        String utility = spec.provisioningUtility();
        return new Spec(
                spec.osName(),
                spec.osVersion(),
                spec.version(),
                spec.supportedCloudProviders(),
                utility.equals("ignition") && !spec.osName().equals("flatcar") ? "cloud-init" : utility,
                spec.templateEngine(),
                null,
                spec.supportedNodeFetch(),
                config(ConfigName.bootstrapConfig, texts),
                config(ConfigName.provisioningConfig, texts));
    }

    private Config config(ConfigName name, Texts texts) {
        Config config = source.config(name);
        List<ContainerRuntime> runtimes = new ArrayList<>();
        for (int i = 0; i < config.supportedContainerRuntimes().size(); i++) {
            ContainerRuntime runtime = config.supportedContainerRuntimes().get(i);
            String field = name.field() + ".supportedContainerRuntimes[" + i + "]";
            runtimes.add(new ContainerRuntime(
                    runtime.name(), files(field, runtime.files(), texts), snippets(field, runtime.templates(), texts)));
        }
        return new Config(
                runtimes,
                snippets(name.field(), config.templates(), texts),
                config.units(),
                files(name.field(), config.files(), texts),
                config.modules());
    }

    private List<File> files(String owner, List<File> files, Texts texts) {
        List<File> changed = new ArrayList<>(files.size());
        for (int i = 0; i < files.size(); i++) {
            File file = files.get(i);
            Inline inline = file.inline() == null ? new Inline("", "") : file.inline();
            String text = text(owner + ".files[" + i + "].content.inline.data", inline.data(), texts);
            changed.add(new File(file.path(), file.permissions(), new Inline(text, inline.encoding())));
        }
        return changed;
    }

    private Map<String, String> snippets(String owner, Map<String, String> snippets, Texts texts) {
        Map<String, String> changed = new TreeMap<>();
        snippets.forEach((name, text) -> changed.put(name, text(owner + ".templates[" + name + "]", text, texts)));
        return changed;
    }

    private String text(String field, String otherwise, Texts texts) {
        SourceText source = byField.get(field);
        if (source == null) {
            return otherwise;
        }
        String text = texts.of(source);
        return text == null ? "" : text;
    }
}
