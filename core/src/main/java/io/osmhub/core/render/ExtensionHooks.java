package io.osmhub.core.render;

import io.osmhub.core.osc.OperatingSystemConfig;
import io.osmhub.core.osc.SystemdUnit;
import io.osmhub.core.osp.OperatingSystemProfile;
import io.osmhub.core.osp.ProfileExtension;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.render.CompiledExtension.Hook;
import io.osmhub.core.render.ExtensionComposer.ComposedFile;
import io.osmhub.core.render.Renderer.PartRenderer.FileVariants;
import io.osmhub.core.render.Renderer.RenderInput;
import io.osmhub.core.render.Renderer.RenderedConfig.FileOrigin;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The scripts of extensions, and what makes a profile run them: steps of the hub's profiles, or a drop-in of the unit that runs the
 * profile's own program. Not thread-safe.
 */
final class ExtensionHooks {
    /** Files of the hub for extensions. */
    static final String FOLDER = "/opt/osm/extensions/";
    /** Name of the hub's drop-in. */
    static final String DROP_IN = "/60-osm-extensions.conf";

    private static final String STEPS = "/opt/osm/steps/";
    private static final String BOOTSTRAP = "bootstrap.service";
    private static final String SETUP = "setup.service";
    private static final String RUNNER = readRunner();

    private final RenderInput.Profile profile;
    private final List<ComposedFile> base;
    private final boolean allInBootstrap;
    private final boolean steps;
    private final List<ComposedFile> scripts = new ArrayList<>();
    /** The first extension with commands of a hook, and their field. */
    private final Map<Hook, FileOrigin> used = new EnumMap<>(Hook.class);

    /** @param base the profile's files */
    ExtensionHooks(RenderInput.Profile profile, List<ComposedFile> base) {
        this.profile = profile;
        this.base = base;
        this.allInBootstrap = base.stream().allMatch(file -> file.bootstrap)
                && profile.compiled().spec().provisioningConfig().units().isEmpty();
        this.steps = base.stream().anyMatch(file -> file.path().startsWith(STEPS));
    }

    /** Whether the profile has no provisioning configuration, so that its bootstrap configuration does all. */
    boolean isAllInBootstrap() {
        return allInBootstrap;
    }

    /** @param index of the first command's content */
    void addScripts(CompiledExtension compiled, FileVariants contents, int index) {
        for (Hook hook : Hook.values()) {
            List<Integer> own = Stream.iterate(0, i -> i < compiled.commands().size(), i -> i + 1)
                    .filter(i -> compiled.commands().get(i).hook() == hook)
                    .map(i -> index + i)
                    .toList();
            if (own.isEmpty()) {
                continue;
            }
            ProfileExtension extension = compiled.extension();
            String field = compiled.commands().get(own.getFirst() - index).field();
            FileOrigin origin = new FileOrigin(extension.describe(), field.substring(0, (field + "[").indexOf('[')));
            used.putIfAbsent(hook, origin);
            String path = folder(hook) + scriptName(extension);
            scripts.add(new ComposedFile(
                    hook == Hook.BOOTSTRAP_BEFORE || allInBootstrap,
                    origin,
                    executable(path, script(extension, contents.revealed(), own)),
                    executable(path, script(extension, contents.redacted(), own))));
        }
    }

    private String folder(Hook hook) {
        if (steps && hook != Hook.BOOTSTRAP_BEFORE) {
            return STEPS + (hook == Hook.BEFORE ? "05-" : "95-");
        }
        return FOLDER + folderName(hook) + "/";
    }

    private static String folderName(Hook hook) {
        return hook == Hook.BOOTSTRAP_BEFORE ? "bootstrap" : hook.name().toLowerCase(Locale.ROOT);
    }

    private String scriptName(ProfileExtension extension) {
        boolean shared = extension.namespace().equals(profile.applied().sharedNamespace());
        return String.format(
                Locale.ROOT, "%s%04d-%s", shared ? "S" : "T", extension.spec().order(), extension.name());
    }

    private static String script(
            ProfileExtension extension, List<OperatingSystemConfig.File> contents, List<Integer> own) {
        StringBuilder text = new StringBuilder("#!/bin/bash\n# ")
                .append(extension.describe())
                .append(", content ")
                .append(extension.contentHash(), 0, 8)
                .append("\nset -euo pipefail\n");
        own.forEach(
                index -> text.append(contents.get(index).data().stripTrailing()).append('\n'));
        return text.toString();
    }

    private static OperatingSystemConfig.File executable(String path, String text) {
        return new OperatingSystemConfig.File(path, 755, text, "b64");
    }

    /** The scripts with what runs them. */
    List<ComposedFile> files(List<Problem> mistakes) {
        List<ComposedFile> files = new ArrayList<>(scripts);
        StringBuilder bootstrap = new StringBuilder();
        StringBuilder setup = new StringBuilder();
        for (Hook hook : used.keySet()) {
            if (steps && hook != Hook.BOOTSTRAP_BEFORE) {
                continue;
            }
            boolean atSetup = hook != Hook.BOOTSTRAP_BEFORE || allInBootstrap;
            (atSetup ? setup : bootstrap)
                    .append(hook == Hook.AFTER ? "ExecStartPost=" : "ExecStartPre=")
                    .append(FOLDER + "run ")
                    .append(folderName(hook))
                    .append(atSetup ? " " + SETUP : " " + BOOTSTRAP)
                    .append('\n');
        }
        addDropIn(BOOTSTRAP, true, bootstrap, files, mistakes);
        addDropIn(SETUP, allInBootstrap, setup, files, mistakes);
        return files;
    }

    private void addDropIn(
            String unit, boolean inBootstrap, StringBuilder lines, List<ComposedFile> files, List<Problem> mistakes) {
        if (lines.isEmpty()) {
            return;
        }
        String content = unit(unit, inBootstrap);
        boolean after = lines.indexOf("ExecStartPost=") >= 0;
        boolean unsuitable = after && content != null && content.lines().noneMatch("Type=oneshot"::equals);
        if (content == null || unsuitable) {
            FileOrigin first = used.entrySet().stream()
                    .filter(hook -> unsuitable
                            ? hook.getKey() == Hook.AFTER
                            : allInBootstrap || unit.equals(BOOTSTRAP) == (hook.getKey() == Hook.BOOTSTRAP_BEFORE))
                    .map(Map.Entry::getValue)
                    .findFirst()
                    .orElseThrow();
            mistakes.add(new Problem(
                    Reason.ExtensionNotApplicable,
                    first.object(),
                    first.field(),
                    profile.describe() + " has no " + unit + (unsuitable ? " of Type=oneshot" : "")
                            + ", so that its commands cannot be run",
                    "put the commands into a unit, or select other profiles with target.profiles"));
            return;
        }
        FileOrigin origin = new FileOrigin(profile.describe(), "");
        OperatingSystemConfig.File runner = executable(FOLDER + "run", RUNNER);
        OperatingSystemConfig.File dropIn = new OperatingSystemConfig.File(
                SystemdUnit.FOLDER + unit + ".d" + DROP_IN,
                644,
                "[Service]\nTimeoutStartSec=infinity\n" + lines,
                "b64");
        files.add(new ComposedFile(inBootstrap, origin, runner, runner));
        files.add(new ComposedFile(inBootstrap, origin, dropIn, dropIn));
    }

    /** The text of a unit of the profile; null if there is none. */
    private @Nullable String unit(String name, boolean inBootstrap) {
        OperatingSystemProfile.Spec spec = profile.compiled().spec();
        OperatingSystemProfile.Config config = inBootstrap ? spec.bootstrapConfig() : spec.provisioningConfig();
        return Stream.concat(
                        base.stream()
                                .filter(file -> file.bootstrap == inBootstrap
                                        && file.path().equals(SystemdUnit.FOLDER + name))
                                .map(ComposedFile::text),
                        config.units().stream()
                                .filter(unit -> unit.name().equals(name) && unit.content() != null)
                                .map(unit -> Objects.requireNonNull(unit.content())))
                .findFirst()
                .orElse(null);
    }

    private static String readRunner() {
        try (InputStream in = ExtensionHooks.class.getResourceAsStream("run-extensions.sh")) {
            return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
