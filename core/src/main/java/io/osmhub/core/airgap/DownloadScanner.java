package io.osmhub.core.airgap;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import io.osmhub.core.airgap.NodeDownload.DownloadKind;
import io.osmhub.core.emit.NestingTracker;
import io.osmhub.core.golang.ExecutionEnvironment.LimitExceededException;
import io.osmhub.core.osc.CloudInitModules;
import io.osmhub.core.osc.OperatingSystemConfig;
import io.osmhub.core.osc.OperatingSystemConfig.Config;
import io.osmhub.core.osc.OperatingSystemConfig.File;
import io.osmhub.core.osc.SystemdUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Finds what a rendered machine downloads, in scripts, units, package sources, cloud-init modules and containerd's configuration.
 * The worker cluster's own API server and the machine itself are not downloads. Not thread-safe; use one for each rendering.
 */
public final class DownloadScanner {
    private static final String FLATCAR_UPDATES = "https://public.update.flatcar-linux.net/v1/update/";
    private static final String RED_HAT = "https://subscription.rhsm.redhat.com";
    /** containerd pulls it for each pod. Its configuration names the image; without one, each version of containerd has its own. */
    private static final String SANDBOX = "registry.k8s.io/pause";

    private static final Pattern URL = Pattern.compile("https?://[^\\s\"'<>|;,)\\\\]+");
    /** The machine itself, and the API server of the worker cluster, which has the node's secrets. */
    private static final Pattern LOCAL = Pattern.compile("https?://(127\\.0\\.0\\.1|localhost|\\[::1])([:/].*)?"
            + "|.*/api/v1/namespaces/cloud-init-settings/secrets/.*");

    private static final Pattern DEB = Pattern.compile("^\\s*deb(-src)?\\s+(\\[[^]]*]\\s+)?(\\S+)");
    private static final Pattern SETTING =
            Pattern.compile("(?i)^\\s*(baseurl|gpgkey|mirrorlist|metalink|URIs)\\s*[=:]\\s*(.*)$");
    /** Sources are separated by blanks or commas, which a reference to an unknown value may contain. */
    private static final Pattern SOURCE = Pattern.compile(
            "(" + ShellTracer.UNKNOWN + "[^" + ShellTracer.UNKNOWN + "]*" + ShellTracer.UNKNOWN + "|[^\\s,])+");

    private static final Pattern SANDBOX_IMAGE =
            Pattern.compile("(?m)^\\s*(sandbox_image|sandbox)\\s*=\\s*[\"']([^\"']+)[\"']");
    private static final Pattern POD_IMAGE = Pattern.compile("(?m)^\\s*-?\\s*image:\\s*[\"']?([^\\s\"']+)");
    private static final Pattern INFRA_IMAGE = Pattern.compile("--pod-infra-container-image[= ]\"?([^\\s\"\\\\]+)");
    private static final Pattern DOWNLOADS =
            Pattern.compile("^[^#]*(\\b(curl|wget)\\s|\\b(apt|apt-get|yum|dnf|zypper)\\s[^#]*\\binstall\\b)");

    private static final Pattern SHELL = Pattern.compile("#!.*\\b(ba|da)?sh\\b.*");
    private static final Pattern FUNCTION = Pattern.compile("^(function\\s+)?([\\w-]+)\\s*\\(\\)\\s*\\{");
    private static final Pattern UNIT_COMMAND =
            Pattern.compile("Exec\\w+=[-@:+!]*(.*\\b(curl|wget|apt-get|yum|dnf)\\b.*)");

    private static final Set<String> PACKAGE_MANAGERS =
            Set.of("apt", "apt-get", "aptitude", "yum", "dnf", "microdnf", "zypper", "tdnf");
    /** Options of curl and wget that take the next word as their value. */
    private static final Pattern TAKES_VALUE = Pattern.compile(
            "-[a-zA-Z]*[oHmAbcdeEFKTuUwxXzPYytr]|--(output|header|max-time|connect-timeout|retry|retry-delay|retry-max-time|"
                    + "user|user-agent|data|config|cacert|cert|key|proxy|proto|speed-limit|speed-time|write-out|request|"
                    + "resolve|cookie|form|output-document|timeout|tries|directory-prefix|interface|noproxy)");
    /** Options of package managers that take the next word as their value. */
    private static final Set<String> PACKAGE_OPTIONS = Set.of("-o", "-c", "-t", "--target-release", "--releasever");

    private record ScriptLine(String path, int line) {}

    private final OperatingSystemConfig.Spec spec;
    private final Set<NodeDownload> found = new LinkedHashSet<>();
    private final Set<ScriptLine> traced = new HashSet<>();
    private final Map<String, String> scripts = new TreeMap<>();
    /** Of all scripts together, because they can start each other. */
    private final NestingTracker nesting = NestingTracker.ofDocument();

    private boolean imageSources = true;
    private boolean updates = true;

    private DownloadScanner(OperatingSystemConfig.Spec spec) {
        this.spec = spec;
    }

    /** Scans both configurations of a rendering, for each processor. */
    public static List<NodeDownload> scan(OperatingSystemConfig.Spec spec) {
        Set<NodeDownload> all = new LinkedHashSet<>();
        for (String machine : MachineFacts.MACHINES) {
            all.addAll(new DownloadScanner(spec).scan(new MachineFacts(spec.osName(), spec.osVersion(), machine)));
        }
        return List.copyOf(all);
    }

    private Set<NodeDownload> scan(MachineFacts facts) {
        List<File> files = new ArrayList<>();
        for (Config config : List.of(spec.bootstrapConfig(), spec.provisioningConfig())) {
            files.addAll(config.files());
        }
        for (File file : files) {
            if (isScript(file)) {
                scripts.put(file.path(), file.data());
            }
        }
        // What decides whether the image's own package sources are used may be in any script.
        List<Runnable> later = new ArrayList<>();
        scripts.forEach((path, script) -> trace(path, script, facts, later));
        for (Config config : List.of(spec.bootstrapConfig(), spec.provisioningConfig())) {
            config.units().forEach(unit -> unit(unit, facts, later));
            CloudInitModules modules = config.modules();
            if (modules != null) {
                modules(modules, facts, later);
            }
        }
        for (File file : files) {
            if (!scripts.containsKey(file.path())) {
                text(file.path(), file.data(), facts, later);
            }
        }
        later.forEach(Runnable::run);
        if (spec.osName().equals("flatcar") && updates) {
            add(DownloadKind.UPDATE_SERVER, FLATCAR_UPDATES, "update-engine.service", 1);
        }
        images(files);
        scripts.forEach((path, script) -> withinLimits(path, () -> addLinesNotTraced(path, script)));
        return found;
    }

    private static boolean isScript(File file) {
        String first = file.data().lines().findFirst().orElse("");
        return SHELL.matcher(first).matches() || file.path().endsWith(".sh");
    }

    // Scripts

    private void trace(String path, String script, MachineFacts facts, List<Runnable> later) {
        trace(path, script, facts, new ScriptListener(path, later));
    }

    private void trace(String path, String script, MachineFacts facts, ShellTracer.Listener listener) {
        withinLimits(path, () -> new ShellTracer(facts, scripts::get, listener, nesting).run(script));
    }

    private void withinLimits(String path, Runnable check) {
        try {
            check.run();
        } catch (LimitExceededException e) {
            found.add(new NodeDownload(DownloadKind.UNRESOLVED, "not followed further: " + e.getMessage(), path, 1));
        }
    }

    /** Records what the commands of one script download. */
    private final class ScriptListener implements ShellTracer.Listener {
        private final String path;
        private final List<Runnable> later;

        ScriptListener(String path, List<Runnable> later) {
            this.path = path;
            this.later = later;
        }

        @Override
        public void onCommand(String name, List<List<String>> arguments, List<String> input, int line) {
            traced.add(new ScriptLine(path, line));
            List<String> words = arguments.stream()
                    .map(word -> word.isEmpty() ? "" : word.getFirst())
                    .toList();
            if (name.equals("curl") || name.equals("wget")) {
                urls(arguments, line);
            } else if (PACKAGE_MANAGERS.contains(name)) {
                packages(arguments, words, line);
            } else if (name.equals("yum-config-manager")
                    || name.equals("add-apt-repository")
                    || name.equals("dnf") && words.contains("config-manager")) {
                sources(words, line);
            } else if (name.equals("amazon-linux-extras")) {
                imageSource(line);
            } else if (name.equals("subscription-manager") && words.contains("register")) {
                add(DownloadKind.URL, RED_HAT, path, line);
            } else if (Set.of("crictl", "ctr", "docker", "podman", "nerdctl").contains(name)
                    && words.contains("pull")) {
                image(words.getLast(), path, line);
            } else if (name.equals("systemctl")
                    && words.stream().anyMatch(word -> word.startsWith("update-engine"))
                    && words.stream().anyMatch(Set.of("mask", "disable")::contains)) {
                updates = false;
            } else if (Set.of("mv", "rm", "find").contains(name)
                    && words.stream().anyMatch(word -> word.equals("/etc/apt/sources.list"))) {
                imageSources = false;
            }
        }

        private void urls(List<List<String>> arguments, int line) {
            boolean value = false;
            for (List<String> word : arguments) {
                String first = word.isEmpty() ? "" : word.getFirst();
                if (value) {
                    value = false;
                } else if (first.startsWith("-") && first.length() > 1) {
                    value = TAKES_VALUE.matcher(first).matches();
                } else {
                    word.forEach(url -> url(url, line));
                }
            }
        }

        private void url(String url, int line) {
            if (!ShellTracer.isKnown(url)) {
                unresolved(ShellTracer.readable(url), line);
            } else if (!url.isEmpty()) {
                add(DownloadKind.URL, url.contains("://") ? url : "http://" + url, path, line);
            }
        }

        private void unresolved(String text, int line) {
            add(DownloadKind.UNRESOLVED, text, path, line);
        }

        private void packages(List<List<String>> arguments, List<String> words, int line) {
            boolean installs = false;
            boolean value = false;
            for (List<String> word : arguments) {
                String first = word.isEmpty() ? "" : word.getFirst();
                if (value) {
                    value = false;
                } else if (first.startsWith("-")) {
                    value = PACKAGE_OPTIONS.contains(first);
                } else if (!installs) {
                    installs =
                            Set.of("install", "localinstall", "reinstall", "in").contains(first);
                    if (!installs
                            && !Set.of("update", "upgrade", "dist-upgrade", "makecache", "refresh")
                                    .contains(first)) {
                        return;
                    }
                } else {
                    for (String item : word) {
                        if (!ShellTracer.isKnown(item)) {
                            unresolved(ShellTracer.readable(item), line);
                        } else if (URL.matcher(item).matches()) {
                            url(item, line);
                        } else if (!item.isEmpty() && !item.startsWith("/") && !item.startsWith(".")) {
                            add(DownloadKind.PACKAGE, item, path, line);
                        }
                    }
                }
            }
            if (words.stream().noneMatch("--disablerepo=*"::equals)) {
                later.add(() -> imageSource(line));
            }
        }

        private void imageSource(int line) {
            if (imageSources) {
                add(DownloadKind.PACKAGE_SOURCE, "repositories of the " + spec.osName() + " image", path, line);
            }
        }

        private void sources(List<String> words, int line) {
            for (String word : words) {
                Matcher url = URL.matcher(word);
                if (url.find()) {
                    add(DownloadKind.PACKAGE_SOURCE, ShellTracer.readable(url.group()), path, line);
                }
            }
        }

        @Override
        public void onFileWritten(String target, List<String> lines, int line) {
            if (isPackageSource(target)) {
                for (String text : lines) {
                    packageSource(text, path, line);
                }
            }
        }
    }

    /** Lines that download something but were not reached, such as functions that are never called. */
    private void addLinesNotTraced(String path, String script) {
        List<String> lines = script.lines().toList();
        for (int i = 0; i < lines.size(); i++) {
            if (DOWNLOADS.matcher(lines.get(i)).find() && !isTraced(path, lines, i)) {
                found.add(new NodeDownload(DownloadKind.UNRESOLVED, lines.get(i).strip(), path, i + 1));
            }
        }
    }

    /** Whether a command was followed that begins in this line, or in a line that continues in it. */
    private boolean isTraced(String path, List<String> lines, int index) {
        for (int i = index; i >= 0; i--) {
            nesting.charge(0);
            if (traced.contains(new ScriptLine(path, i + 1))) {
                return true;
            }
            if (i == 0 || !lines.get(i - 1).stripTrailing().endsWith("\\")) {
                break;
            }
        }
        return isCalledFunction(path, lines, index);
    }

    /** A function's lines are recorded where it is called. */
    private boolean isCalledFunction(String path, List<String> lines, int index) {
        for (int i = index; i >= 0; i--) {
            nesting.charge(lines.get(i).length());
            Matcher header = FUNCTION.matcher(lines.get(i));
            if (header.find()) {
                Pattern call = Pattern.compile(
                        "(?m)(^|[\\s;(|&])" + Pattern.quote(header.group(2)) + "([\\s;)|&]([^(]|\\z)|$)");
                return scripts.entrySet().stream()
                        .anyMatch(script -> (script.getKey().equals(path)
                                        || script.getValue().contains(path))
                                && isCalled(call, script.getValue()));
            }
            if (lines.get(i).startsWith("}")) {
                return false;
            }
        }
        return false;
    }

    private boolean isCalled(Pattern call, String script) {
        nesting.charge(script.length() / ShellParser.CHARS_PER_STEP, 0);
        return call.matcher(script).find();
    }

    // Units, modules and other files

    private void unit(SystemdUnit unit, MachineFacts facts, List<Runnable> later) {
        if (unit.content() != null) {
            text(unit.name(), unit.content(), facts, later);
        }
        unit.dropIns().forEach(dropIn -> text(unit.name() + "/" + dropIn.name(), dropIn.content(), facts, later));
        if (unit.name().equals("update-engine.service") && Boolean.TRUE.equals(unit.mask())) {
            updates = false;
        }
    }

    private void modules(CloudInitModules modules, MachineFacts facts, List<Runnable> later) {
        trace("bootcmd", String.join("\n", modules.bootcmd()), facts, later);
        trace("runcmd", String.join("\n", modules.runcmd()), facts, later);
        modules.yumRepos()
                .forEach((name, settings) -> settings.forEach((key, value) -> {
                    if (SETTING.matcher(key + "=" + value).matches()) {
                        packageSource(key + "=" + value, "yum_repos." + name, 1);
                    }
                }));
        // Without a user or key, cloud-init registers nothing.
        if (List.of("username", "activation-key").stream()
                .anyMatch(key -> !modules.rhSubscription().getOrDefault(key, "").isEmpty())) {
            String server = modules.rhSubscription().getOrDefault("server-hostname", "");
            add(DownloadKind.URL, server.isEmpty() ? RED_HAT : "https://" + server, "rh_subscription", 1);
        }
    }

    /** A file or unit that is no script. */
    private void text(String path, String text, MachineFacts facts, List<Runnable> later) {
        List<String> lines = text.lines().toList();
        boolean unit = path.endsWith(".service") || path.contains(".service.d/") || path.contains(".service/");
        for (int i = 0; i < lines.size(); i++) {
            int line = i + 1;
            Matcher unitCommand = UNIT_COMMAND.matcher(lines.get(i));
            if (unit && unitCommand.matches()) {
                String command = unitCommand.group(1).replace("%%", "%").replace("$$", "$");
                trace(path, command, facts, new AtLine(new ScriptListener(path, later), line));
            } else if (isPackageSource(path)) {
                packageSource(lines.get(i), path, line);
            }
            Matcher image = INFRA_IMAGE.matcher(lines.get(i));
            if (image.find()) {
                image(image.group(1), path, line);
            }
        }
        if (path.startsWith("/etc/kubernetes/manifests/")) {
            Matcher image = POD_IMAGE.matcher(text);
            int line = 1;
            for (int counted = 0; image.find(); counted = image.start()) {
                line += lineBreaks(text, counted, image.start());
                image(image.group(1), path, line);
            }
        }
    }

    /** Reports a unit's line instead of the command's. */
    private record AtLine(ScriptListener listener, int at) implements ShellTracer.Listener {
        @Override
        public void onCommand(String name, List<List<String>> arguments, List<String> input, int line) {
            listener.onCommand(name, arguments, input, at);
        }

        @Override
        public void onFileWritten(String path, List<String> lines, int line) {
            listener.onFileWritten(path, lines, at);
        }
    }

    private void images(List<File> files) {
        boolean named = false;
        for (File file : files) {
            if (file.path().endsWith(".toml")) {
                Matcher image = SANDBOX_IMAGE.matcher(file.data());
                int line = 1;
                for (int counted = 0; image.find(); counted = image.start()) {
                    line += lineBreaks(file.data(), counted, image.start());
                    image(image.group(2), file.path(), line);
                    named = true;
                }
            }
        }
        File containerd = files.stream()
                .filter(file -> file.path().startsWith("/etc/containerd/config")
                        && file.path().endsWith(".toml"))
                .findFirst()
                .orElse(null);
        if (!named && containerd != null) {
            image(SANDBOX, containerd.path(), 1);
        }
    }

    private static int lineBreaks(String text, int start, int end) {
        return (int) text.substring(start, end).chars().filter(c -> c == '\n').count();
    }

    private static boolean isPackageSource(String path) {
        return path.startsWith("/etc/apt/sources.list")
                || path.startsWith("/etc/yum.repos.d/")
                || path.startsWith("/etc/zypp/repos.d/");
    }

    /** One line of a file with package sources, which may name several. */
    private void packageSource(String text, String path, int line) {
        Matcher deb = DEB.matcher(text);
        Matcher setting = SETTING.matcher(text);
        String values = deb.find() ? deb.group(3) : setting.find() ? setting.group(2) : "";
        Matcher value = SOURCE.matcher(values);
        while (value.find()) {
            if (ShellTracer.readable(value.group()).contains("file:")) {
                continue; // keys of the image
            }
            if (ShellTracer.isKnown(value.group())) {
                add(DownloadKind.PACKAGE_SOURCE, value.group(), path, line);
            } else {
                found.add(new NodeDownload(
                        DownloadKind.UNRESOLVED, ShellTracer.readable(text).strip(), path, line));
            }
        }
    }

    private void image(String image, String path, int line) {
        if (ShellTracer.isKnown(image)) {
            add(DownloadKind.IMAGE, image, path, line);
        } else {
            found.add(new NodeDownload(DownloadKind.UNRESOLVED, ShellTracer.readable(image), path, line));
        }
    }

    private void add(DownloadKind kind, String value, String path, int line) {
        if (!LOCAL.matcher(value).matches()) {
            found.add(new NodeDownload(kind, value, path, line));
        }
    }

    /** The checksum that is downloaded beside a URL; null if none is. */
    public static @Nullable String publishedChecksum(String url, Set<String> urls) {
        return List.of(".sha256", ".sha256sum", ".sha512").stream()
                .map(url::concat)
                .filter(urls::contains)
                .findFirst()
                .orElse(null);
    }
}
