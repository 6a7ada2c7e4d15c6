package io.osmhub.api.http;

import java.util.List;
import java.util.Locale;

/** What a client says that it takes, as far as a server needs it: which media types, and whether gzip. */
final class Accept {
    private Accept() {}

    /** Whether one of the types is taken; so is everything when nothing is said. */
    static boolean takes(List<String> headers, List<String> types) {
        if (headers.isEmpty()) {
            return true;
        }
        boolean taken = false;
        for (String range : String.join(",", headers).split(",", -1)) {
            String[] parts = range.split(";", -1);
            String wanted = parts[0].strip().toLowerCase(Locale.ROOT);
            if (refused(parts)) {
                continue;
            }
            taken |= wanted.equals("*/*")
                    || types.stream()
                            .anyMatch(type -> wanted.equals(type)
                                    || wanted.endsWith("/*")
                                            && type.startsWith(wanted.substring(0, wanted.length() - 1)));
        }
        return taken;
    }

    static boolean gzip(List<String> headers) {
        for (String coding : String.join(",", headers).split(",", -1)) {
            String[] parts = coding.split(";", -1);
            String name = parts[0].strip().toLowerCase(Locale.ROOT);
            if (name.equals("gzip") || name.equals("x-gzip")) {
                return !refused(parts);
            }
        }
        return false;
    }

    private static boolean refused(String[] parts) {
        for (int i = 1; i < parts.length; i++) {
            String parameter = parts[i].strip().toLowerCase(Locale.ROOT);
            if (parameter.matches("q=0(\\.0{0,3})?")) {
                return true;
            }
        }
        return false;
    }
}
