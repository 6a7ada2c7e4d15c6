package io.osmhub.core.osc;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.util.JsonRecyclerPools;
import io.osmhub.core.emit.json.JsonWriter;
import io.osmhub.core.model.Sha256;
import java.io.IOException;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * SHA-256 of an OperatingSystemConfig's spec, equal for what the hub writes and what the API server stores of it: keys
 * are sorted, nulls and the server's defaults are left out, and a number counts by its value.
 */
public final class SpecHash {
    private static final JsonFactory FACTORY = JsonFactory.builder()
            .recyclerPool(JsonRecyclerPools.sharedConcurrentDequePool())
            // The free-form part has already been read with the usual depth, and lies two levels down here.
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(2 * StreamReadConstraints.DEFAULT_MAX_DEPTH)
                    .build())
            .build();

    /** Typical length of a spec in characters. */
    private static final int USUAL_LENGTH = 32 << 10;

    // Defaults of the CRD's schema, of OSM and the hub.
    private static final String DEFAULT_UTILITY = JsonWriter.quote("cloud-init");
    private static final String DEFAULT_MODE = "644";

    private static final List<String> OS_NAME = List.of("osName");
    private static final List<String> CLOUD_PROVIDER = List.of("cloudProvider", "name");

    private final JsonParser parser;
    private final StringBuilder out;
    private String osName = "";
    private String cloudProvider = "";

    private SpecHash(JsonParser parser, int length) {
        this.parser = parser;
        this.out = new StringBuilder(length);
    }

    /**
     * Returns lower-case hex.
     *
     * @param spec JSON text
     * @throws IllegalArgumentException if it is not JSON; the message does not quote it
     */
    public static String of(String spec) {
        try (JsonParser parser = FACTORY.createParser(spec)) {
            return of(parser, spec.length() + 16);
        } catch (IOException e) {
            throw new IllegalStateException("reading from memory", e);
        }
    }

    /**
     * An OperatingSystemConfig's spec, reduced to what lists show of it.
     *
     * @param hash as {@link #of}
     * @param osName empty if not set
     * @param cloudProvider its name; empty if not set
     */
    public record SpecSummary(String hash, String osName, String cloudProvider) {
        /** Of an object without a spec. */
        public static final SpecSummary EMPTY = new SpecSummary(of("{}"), "", "");
    }

    /**
     * Summarizes a spec while it is parsed.
     *
     * @param parser positioned at the spec's start; left at its end
     * @throws IOException if it is not JSON
     */
    public static SpecSummary summarize(JsonParser parser) throws IOException {
        SpecHash writer = new SpecHash(parser, USUAL_LENGTH);
        writer.value(new ArrayList<>());
        return new SpecSummary(Sha256.hex(writer.out.toString()), writer.osName, writer.cloudProvider);
    }

    private static String of(JsonParser parser, int length) throws IOException {
        try {
            if (parser.nextToken() == null) {
                throw new IllegalArgumentException("not JSON: empty");
            }
            SpecHash writer = new SpecHash(parser, length);
            writer.value(new ArrayList<>());
            return Sha256.hex(writer.out.toString());
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(
                    "not JSON at character " + (e.getLocation().getCharOffset() + 1));
        }
    }

    /** Appends the value that starts at the parser's token. {@code path} has the names of its parents, {@code []} for an array. */
    private void value(List<String> path) throws IOException {
        switch (Objects.requireNonNull(parser.currentToken())) {
            case START_OBJECT -> object(path);
            case START_ARRAY -> {
                char separator = '[';
                path.add("[]");
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    out.append(separator);
                    value(path);
                    separator = ',';
                }
                path.removeLast();
                out.append(separator == '[' ? "[]" : "]");
            }
            case VALUE_STRING -> string(path, parser.getText());
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> out.append(number(parser.getText()));
            default -> out.append(parser.getText());
        }
    }

    private void string(List<String> path, String text) {
        JsonWriter.appendQuoted(out, text);
        if (path.equals(OS_NAME)) {
            osName = text;
        } else if (path.equals(CLOUD_PROVIDER)) {
            cloudProvider = text;
        }
    }

    private void object(List<String> path) throws IOException {
        int start = out.length();
        // Position of each member in the text, so that only an unsorted object costs a copy.
        Map<String, int[]> members = new TreeMap<>();
        boolean sorted = true;
        String last = null;
        char separator = '{';
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.currentName();
            sorted &= last == null || last.compareTo(name) < 0;
            last = name;
            int before = out.length();
            out.append(separator);
            JsonWriter.appendQuoted(out, name);
            out.append(':');
            int valueAt = out.length();
            JsonToken token = parser.nextToken();
            path.add(name);
            value(path);
            path.removeLast();
            if (token == JsonToken.VALUE_NULL || isDefault(path, name, valueAt)) {
                out.setLength(before);
                members.remove(name);
            } else {
                members.put(name, new int[] {before + 1, out.length()});
                separator = ',';
            }
        }
        if (!sorted) {
            String unsorted = out.substring(start);
            out.setLength(start);
            separator = '{';
            for (int[] member : members.values()) {
                out.append(separator).append(unsorted, member[0] - start, member[1] - start);
                separator = ',';
            }
        }
        out.append(separator == '{' ? "{}" : "}");
    }

    private boolean isDefault(List<String> path, String name, int valueAt) {
        return path.isEmpty() && name.equals("provisioningUtility") && is(DEFAULT_UTILITY, valueAt)
                || name.equals("permissions") && isFile(path) && is(DEFAULT_MODE, valueAt);
    }

    private static boolean isFile(List<String> path) {
        return path.size() == 3 && path.get(1).equals("files") && path.get(2).equals("[]");
    }

    private boolean is(String text, int valueAt) {
        return out.length() - valueAt == text.length() && out.indexOf(text, valueAt) == valueAt;
    }

    /** The number as the API server stores it: an integer, else a 64-bit floating point number. */
    private static String number(String text) {
        boolean whole = text.chars().allMatch(c -> c == '-' || c >= '0' && c <= '9');
        if (whole && text.length() < 19) {
            return text.equals("-0") ? "0" : text;
        }
        if (whole) {
            BigInteger exact = new BigInteger(text);
            if (exact.bitLength() < Long.SIZE) {
                return exact.toString();
            }
        }
        double rounded = Double.parseDouble(text);
        return rounded == Math.rint(rounded) && Math.abs(rounded) < 1L << 53
                ? Long.toString((long) rounded)
                : Double.toString(rounded);
    }
}
