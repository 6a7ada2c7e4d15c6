package io.osmhub.core.airgap;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/**
 * Something that a node fetches from outside its cluster.
 *
 * @param value URL, package, or image; if {@link DownloadKind#UNRESOLVED}, with the shell's variables, or the text of the line
 * @param file path of the file on the machine, or the name of a unit or cloud-init module
 * @param line of the file as rendered, from 1; 0 if the download is declared
 */
public record NodeDownload(DownloadKind kind, String value, String file, int line) {
    /** Kinds of downloads, in the order of lists. */
    public enum DownloadKind {
        URL,
        /** Base URL of a package repository, or the repositories that the machine image has. */
        PACKAGE_SOURCE,
        PACKAGE,
        IMAGE,
        /** Server from which the operating system updates itself. */
        UPDATE_SERVER,
        /** A line that downloads something that does not follow from the rendered text. */
        UNRESOLVED;

        /** The value in output and JSON. */
        @JsonValue
        public String wireName() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /** The registry of an image. */
    public String registry() {
        String first = value.contains("/") ? value.substring(0, value.indexOf('/')) : "";
        return first.contains(".") || first.contains(":") || first.equals("localhost") ? first : "docker.io";
    }
}
