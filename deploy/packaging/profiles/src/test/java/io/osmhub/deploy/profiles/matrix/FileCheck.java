package io.osmhub.deploy.profiles.matrix;

import io.osmhub.deploy.profiles.matrix.FileCheck.FileFault;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.tomlj.Toml;
import org.tomlj.TomlParseResult;

/** A check of a file's content; {@code label} is for messages. */
record FileCheck(String label, BiFunction<ProfileCombination, MachineFile, List<FileFault>> faults) {
    static final List<FileCheck> ALL = List.of(
            new FileCheck("unverified TLS", FileCheck::insecure),
            new FileCheck("world-readable credential", FileCheck::credential),
            new FileCheck("way out of an air gap", FileCheck::outbound),
            new FileCheck("containerd's TOML", FileCheck::toml),
            new FileCheck("template", FileCheck::placeholder));

    /** One fault of a file; {@code line} counts from 1. */
    record FileFault(int line, String message) {}

    // A long option, or a group of short ones of curl with a k in it.
    private static final Pattern UNVERIFIED =
            Pattern.compile("--insecure\\b|--no-check-certificate\\b|insecure-skip-tls-verify|"
                    + "\\bcurl\\b(?:[^|;&\\n]*\\s)?-[a-zA-Z]*k[a-zA-Z]*(?=\\s|$)|--allow-unauthenticated|--no-gpg-check|\\bsslverify\\s*=\\s*(?:0|false|no)|"
                    + "\\bgpgcheck\\s*=\\s*(?:0|false|no)|--nogpgcheck|\\[trusted=yes]");
    private static final Pattern URL = Pattern.compile("\\b(?:https?|ftp)://([^\\s/\"'<>()|:;,]+)[^\\s\"'<>()|;,]*");
    private static final Pattern NOT_ASKED = Pattern.compile("^\\s*(?:#|Documentation=)");
    // What containerd calls Docker Hub. Without the file it would ask the same host for the same images, and for no
    // others.
    private static final String DOCKER_HUB = "https://registry-1.docker.io";
    // What a machine reaches without leaving, and what the tenant has inside. The link-local address is the cloud's own
    // metadata.
    private static final Pattern INSIDE = Pattern.compile(
            "(?:.*@)?(?:[a-z0-9.-]+\\.internal\\.example|localhost|127\\.0\\.0\\.1|\\[::1]|169\\.254\\.\\d+\\.\\d+)");

    List<FileFault> faults(ProfileCombination point, MachineFile file) {
        return faults.apply(point, file);
    }

    private static List<FileFault> insecure(ProfileCombination point, MachineFile file) {
        List<FileFault> faults = new ArrayList<>();
        // A command may go on in the next line.
        Matcher found = UNVERIFIED.matcher(file.content().replace("\\\n", " \t"));
        while (found.find()) {
            faults.add(new FileFault(
                    lineAt(file.content(), found.start()), found.group().strip()));
        }
        return faults;
    }

    private static List<FileFault> credential(ProfileCombination point, MachineFile file) {
        if (!file.readableByAll()) {
            return List.of();
        }
        return Stream.of(CanaryCredential.values())
                .filter(canary -> canary.isIn(file.content()))
                .map(canary -> new FileFault(
                        file.lineOf(canary.text()),
                        canary + " in a file of mode 0" + Integer.toOctalString(file.mode())))
                .toList();
    }

    private static List<FileFault> outbound(ProfileCombination point, MachineFile file) {
        if (!point.variant().airGapped()) {
            return List.of();
        }
        List<FileFault> faults = new ArrayList<>();
        List<String> lines = file.content().lines().toList();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            boolean upstreamName = file.path().endsWith("/docker.io/hosts.toml") && line.contains(DOCKER_HUB);
            if (NOT_ASKED.matcher(line).find() || upstreamName) {
                continue;
            }
            Matcher url = URL.matcher(line);
            while (url.find()) {
                // What begins with a variable is told by where the variable is set.
                if (!url.group(1).startsWith("$")
                        && !INSIDE.matcher(url.group(1)).matches()) {
                    faults.add(new FileFault(i + 1, url.group()));
                }
            }
        }
        return faults;
    }

    private static List<FileFault> toml(ProfileCombination point, MachineFile file) {
        if (!file.isContainerdConfiguration()) {
            return List.of();
        }
        TomlParseResult toml = Toml.parse(file.content());
        List<FileFault> faults = new ArrayList<>(toml.errors().stream()
                .map(error -> new FileFault(error.position().line(), String.valueOf(error.getMessage())))
                .toList());
        if (faults.isEmpty() && file.path().equals("/etc/containerd/config.toml")) {
            faults.addAll(ContainerdSchema.faults(toml));
        }
        return faults;
    }

    private static List<FileFault> placeholder(ProfileCombination point, MachineFile file) {
        return Stream.of("<no value>", "<redacted:", "<nil>", "%!")
                .filter(file.content()::contains)
                .map(text -> new FileFault(file.lineOf(text), text))
                .toList();
    }

    private static int lineAt(String text, int offset) {
        return 1
                + (int) text.substring(0, offset).chars().filter(c -> c == '\n').count();
    }
}
