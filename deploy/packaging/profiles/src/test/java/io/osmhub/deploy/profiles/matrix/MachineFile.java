package io.osmhub.deploy.profiles.matrix;

/**
 * A file as it comes to lie on a machine.
 *
 * @param mode permission bits
 */
record MachineFile(String path, int mode, String content) {
    private static final String UNITS = "/etc/systemd/system/";

    boolean readableByAll() {
        return (mode & 0004) != 0;
    }

    boolean isScript() {
        return content.startsWith("#!");
    }

    /** What it is written in, by its first line: {@code bash} or {@code sh}. */
    String shell() {
        return content.lines().findFirst().orElse("").endsWith("bash") ? "bash" : "sh";
    }

    /** A unit of systemd, or what is added to one. */
    boolean isUnit() {
        return path.startsWith(UNITS)
                && path.matches(".*\\.(service|socket|timer|target|path|mount|slice)(\\.d/[^/]+\\.conf)?");
    }

    /** Name of the unit that it is or adds to. */
    String unit() {
        String name = path.substring(UNITS.length());
        int slash = name.indexOf('/');
        return slash < 0 ? name : name.substring(0, slash - ".d".length());
    }

    boolean isKubeletConfiguration() {
        return content.contains("kubelet.config.k8s.io/") && content.contains("KubeletConfiguration");
    }

    boolean isContainerdConfiguration() {
        return path.startsWith("/etc/containerd/") && path.endsWith(".toml");
    }

    /** Number of the first line with a text; 1 when it has none. */
    int lineOf(String text) {
        int at = content.indexOf(text);
        return at < 0
                ? 1
                : 1
                        + (int) content.substring(0, at)
                                .chars()
                                .filter(c -> c == '\n')
                                .count();
    }
}
