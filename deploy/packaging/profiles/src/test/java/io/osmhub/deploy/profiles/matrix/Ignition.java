package io.osmhub.deploy.profiles.matrix;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Debian's Ignition: applies documents to the root folder of a machine, as in its initrd. Needs root, because it sets owners. */
public final class Ignition {
    private static final List<String> STAGES = List.of("fetch-offline", "fetch", "disks", "mount", "files", "umount");

    private final ValidatorPrograms programs;

    private Ignition(ValidatorPrograms programs) {
        this.programs = programs;
    }

    /** @throws IllegalStateException when it cannot be had, with the reason */
    public static Ignition locate() {
        return new Ignition(ValidatorPrograms.locate());
    }

    /** Debian's Ignition labels files for SELinux; with this configuration there are no labels. */
    public static void disableLabels(Path root) throws IOException {
        Path contexts = Files.createDirectories(root.resolve("etc/selinux/none/contexts/files"));
        Files.writeString(contexts.resolve("file_contexts"), "");
        Files.writeString(root.resolve("etc/selinux/config"), "SELINUXTYPE=none\n");
    }

    /**
     * Upgrades a document of version 2.3.0 to version 3, as Flatcar does, and applies it stage by stage.
     *
     * @param root with what the image brings, and {@link #disableLabels}
     * @param folder for what Ignition leaves between stages
     */
    public void apply(String document, Path root, Path folder) throws IOException {
        Path config = Files.writeString(folder.resolve("config.ign"), IgnitionUpgrade.of(document));
        Path stubs = Files.createDirectories(folder.resolve("stubs"));
        Files.writeString(stubs.resolve("setfiles"), "#!/bin/sh\n").toFile().setExecutable(true);
        Path neednet = folder.resolve("neednet");
        for (String stage : STAGES) {
            ValidatorPrograms.runSuccessfully(List.of(
                    "env",
                    "IGNITION_CONFIG_FILE=" + config,
                    "PATH=" + stubs + ":/usr/sbin:/usr/bin:/sbin:/bin",
                    programs.folder()
                            .resolve("root/usr/lib/dracut/modules.d/30ignition/ignition")
                            .toString(),
                    "-platform=file",
                    "-stage=" + stage,
                    "-root=" + root,
                    "-config-cache=" + folder.resolve("config.json"),
                    "-state-file=" + folder.resolve("state"),
                    "-neednet=" + neednet,
                    "-log-to-stdout"));
        }
        if (Files.exists(neednet)) {
            throw new IllegalStateException("the document has to download something before its files are written");
        }
    }

    /** Enables units by the presets of a root folder, as systemd does at the first boot. */
    void presetUnits(Path root) {
        ValidatorPrograms.runSuccessfully(
                List.of(programs.folder().resolve("bin/run").toString(), "systemctl", "--root=" + root, "preset-all"));
    }
}
