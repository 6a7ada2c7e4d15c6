package io.osmhub.e2e.node;

import io.osmhub.deploy.profiles.matrix.Ignition;
import io.osmhub.e2e.cluster.CommandResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The disk of a machine in the role of Flatcar: Debian's, with what Flatcar's image brings for a profile. This class acts as the
 * machine's initrd: before a first boot, Ignition writes its document to the disk. Mounting it needs root.
 */
public final class FlatcarDisk {
    private static final String FIRST_BOOT = "boot/flatcar/first_boot";

    private final Ignition ignition = Ignition.locate();
    private final Path folder;

    private FlatcarDisk(Path folder) {
        this.folder = folder;
    }

    /**
     * A new disk, written with a bootstrap document.
     *
     * @param folder for the disk and what Ignition leaves
     * @param name the machine's host name
     */
    public static FlatcarDisk create(Path folder, String name, String bootstrap) throws IOException {
        FlatcarDisk disk = new FlatcarDisk(Files.createDirectories(folder.resolve(name)));
        run(
                "cp",
                "--sparse=always",
                VirtualMachine.folder("vm-image") + "/disk",
                disk.file().toString());
        disk.mounted(root -> {
            prepare(root, name);
            disk.ignition.apply(bootstrap, root, disk.folder);
        });
        return disk;
    }

    Path file() {
        return folder.resolve("flatcar.img");
    }

    /** Writes the document that a bootstrap has left for the next boot; nothing else may use the disk. */
    public void applyNextDocument() throws IOException {
        mounted(root -> {
            if (!Files.deleteIfExists(root.resolve(FIRST_BOOT))) {
                throw new IllegalStateException("the machine's next boot is not its first: there is no /" + FIRST_BOOT);
            }
            ignition.apply(Files.readString(root.resolve("usr/share/oem/config.ign")), root, folder);
        });
    }

    private static void prepare(Path root, String name) throws IOException {
        Ignition.disableLabels(root);
        run("chroot", root.toString(), "useradd", "--create-home", "--uid", "500", "core");
        Files.createDirectories(root.resolve("boot/flatcar"));
        Files.createDirectories(root.resolve("usr/share/oem"));
        Files.writeString(root.resolve("etc/hostname"), name + "\n");
        // Without it, systemd enables units by presets. Flatcar's image enables none by default, Debian all.
        Files.delete(root.resolve("etc/machine-id"));
        Files.writeString(
                Files.createDirectories(root.resolve("etc/systemd/system-preset"))
                        .resolve("99-default.preset"),
                "disable *\n");
        // It would ask for a locale and a password on the console.
        run("chroot", root.toString(), "systemctl", "--quiet", "mask", "systemd-firstboot");
        Files.writeString(root.resolve("etc/cloud/cloud-init.disabled"), "");
        for (String service : List.of("update-engine", "locksmithd")) {
            Path unit = root.resolve("usr/lib/systemd/system").resolve(service + ".service");
            Files.writeString(unit, "[Service]\nExecStart=sleep infinity\n[Install]\nWantedBy=multi-user.target\n");
            run("chroot", root.toString(), "systemctl", "--quiet", "enable", service);
        }
    }

    private interface Change {
        void apply(Path root) throws IOException;
    }

    private void mounted(Change change) throws IOException {
        // Outside target: a killed test leaves the disk mounted, and a mounted folder cannot be deleted.
        Path root = Files.createTempDirectory("osm-hub-disk");
        try {
            run("mount", "-o", "loop", file().toString(), root.toString());
            try {
                change.apply(root);
            } finally {
                run("umount", root.toString());
            }
        } finally {
            Files.delete(root);
        }
    }

    private static void run(String... command) {
        CommandResult.of(List.of(command)).requireSuccess(String.join(" ", command));
    }
}
