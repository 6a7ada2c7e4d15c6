package io.osmhub.core.airgap;

/**
 * Something that a node fetches from outside its cluster.
 *
 * @param value URL, package, or image; if {@link DownloadKind#UNRESOLVED}, the text of the line
 * @param file path of the file on the machine, or the name of a unit or cloud-init module
 * @param line of the file as rendered, from 1
 */
public record NodeDownload(DownloadKind kind, String value, String file, int line) {
    /** Kinds of downloads, in the order of lists. */
    public enum DownloadKind {
        URL("url"),
        /** Base URL of a package repository, or the repositories that the machine image has. */
        PACKAGE_SOURCE("package-source"),
        PACKAGE("package"),
        IMAGE("image"),
        /** Server from which the operating system updates itself. */
        UPDATE_SERVER("update-server"),
        /** A line that downloads something that does not follow from the rendered text. */
        UNRESOLVED("unresolved");

        private final String wireName;

        DownloadKind(String wireName) {
            this.wireName = wireName;
        }

        /** The value in output and JSON. */
        public String wireName() {
            return wireName;
        }
    }
}
