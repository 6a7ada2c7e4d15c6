package io.osmhub.deploy.profiles.matrix;

import io.osmhub.deploy.profiles.matrix.FileCheck.Fault;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.tomlj.Toml;
import org.tomlj.TomlParseResult;

/** What can be said of a file by reading it; {@code label} is for people. */
record FileCheck(String label, BiFunction<Point, MachineFile, List<Fault>> faults) {
    static final List<FileCheck> ALL = List.of(
            new FileCheck("unverified TLS", FileCheck::insecure),
            new FileCheck("credential that everybody may read", FileCheck::credential),
            new FileCheck("way out of an air gap", FileCheck::outbound),
            new FileCheck("containerd's TOML", FileCheck::toml),
            new FileCheck("template", FileCheck::placeholder));

    /** One fault of a file; {@code line} counts from 1. */
    record Fault(int line, String message) {}

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

    List<Fault> faults(Point point, MachineFile file) {
        return faults.apply(point, file);
    }

    private static List<Fault> insecure(Point point, MachineFile file) {
        List<Fault> faults = new ArrayList<>();
        // A command may go on in the next line.
        Matcher found = UNVERIFIED.matcher(file.content().replace("\\\n", " \t"));
        while (found.find()) {
            faults.add(new Fault(
                    lineAt(file.content(), found.start()), found.group().strip()));
        }
        return faults;
    }

    private static List<Fault> credential(Point point, MachineFile file) {
        if (!file.readableByAll()) {
            return List.of();
        }
        return Stream.of(Canary.values())
                .filter(canary -> canary.isIn(file.content()))
                .map(canary -> new Fault(
                        file.lineOf(canary.text()),
                        canary + " in a file of mode 0" + Integer.toOctalString(file.mode())))
                .toList();
    }

    private static List<Fault> outbound(Point point, MachineFile file) {
        if (!point.variant().airGapped()) {
            return List.of();
        }
        List<Fault> faults = new ArrayList<>();
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
                    faults.add(new Fault(i + 1, url.group()));
                }
            }
        }
        return faults;
    }

    private static List<Fault> toml(Point point, MachineFile file) {
        if (!file.isContainerdConfiguration()) {
            return List.of();
        }
        TomlParseResult toml = Toml.parse(file.content());
        List<Fault> faults = new ArrayList<>(toml.errors().stream()
                .map(error -> new Fault(error.position().line(), String.valueOf(error.getMessage())))
                .toList());
        if (faults.isEmpty() && file.path().equals("/etc/containerd/config.toml")) {
            faults.addAll(ContainerdSchema.faults(toml));
        }
        return faults;
    }

    private static List<Fault> placeholder(Point point, MachineFile file) {
        return Stream.of("<no value>", "<redacted:", "<nil>", "%!")
                .filter(file.content()::contains)
                .map(text -> new Fault(file.lineOf(text), text))
                .toList();
    }

    private static int lineAt(String text, int offset) {
        return 1
                + (int) text.substring(0, offset).chars().filter(c -> c == '\n').count();
    }
}
