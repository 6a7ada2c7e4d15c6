package io.osmhub.api.http;

import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Content negotiation: accepted media types, and gzip. */
public final class AcceptHeader {
    private static final Pattern WEIGHT = Pattern.compile("[qQ]=([01](?:\\.[0-9]{0,3})?)");

    private AcceptHeader() {}

    /** Whether one of the types is accepted; without the header all are. */
    static boolean accepts(List<String> headers, List<String> types) {
        return types.stream().anyMatch(type -> quality(headers, type) > 0);
    }

    /**
     * Weight of a media type, from 0 (not acceptable) to 1; 1 without the header. As in RFC 9110 the most specific range decides, and
     * a range without a weight has 1; of equally specific ones the largest weight counts.
     *
     * @param headers values of the header {@code Accept}
     * @param type without parameters, in lower case
     */
    public static double quality(List<String> headers, String type) {
        if (headers.isEmpty()) {
            return 1;
        }
        String anySubtype = type.substring(0, type.indexOf('/')) + "/*";
        List<String> ranges = List.of("*/*", anySubtype, type);
        int specific = -1;
        double quality = 0;
        for (String range : String.join(",", headers).split(",", -1)) {
            String[] parts = range.split(";", -1);
            int matched = ranges.indexOf(parts[0].strip().toLowerCase(Locale.ROOT));
            if (matched >= 0 && matched >= specific) {
                quality = matched > specific ? weight(parts) : Math.max(quality, weight(parts));
                specific = matched;
            }
        }
        return quality;
    }

    static boolean acceptsGzip(List<String> headers) {
        for (String coding : String.join(",", headers).split(",", -1)) {
            String[] parts = coding.split(";", -1);
            String name = parts[0].strip().toLowerCase(Locale.ROOT);
            if (name.equals("gzip") || name.equals("x-gzip")) {
                return weight(parts) > 0;
            }
        }
        return false;
    }

    private static double weight(String[] parts) {
        for (int i = 1; i < parts.length; i++) {
            Matcher weight = WEIGHT.matcher(parts[i].strip());
            if (weight.matches()) {
                return Double.parseDouble(weight.group(1));
            }
        }
        return 1;
    }
}
