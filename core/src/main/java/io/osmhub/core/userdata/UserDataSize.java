package io.osmhub.core.userdata;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.osmhub.core.model.Sensitive;
import io.osmhub.core.userdata.UserDataGenerator.UserDataInput;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Size of a bootstrap document as machine-controller passes it to the cloud provider. Every size of user-data that a user reads,
 * and every comparison with a limit, is this value.
 *
 * <p>machine-controller inserts the machine's name, empties lines of white space and, on AWS except for Flatcar, compresses the
 * result with gzip (pkg/cloudprovider/provider/aws/provider.go, {@code convert.GzipString}). Providers limit the value before
 * base64.
 *
 * @param bytes as passed to the provider
 * @param uncompressedBytes before gzip; null if it is not compressed
 * @param limit null without a limit
 */
public record UserDataSize(
        int bytes,
        @Nullable Integer uncompressedBytes,
        @Nullable Limit limit) {
    /** Limit of a Secret's data in total. */
    public static final int SECRET_BYTES = 1 << 20;
    /** Largest object within etcd's default request limit of 1.5 MiB. */
    public static final int OBJECT_BYTES = 3 << 19;

    private static final Map<String, Integer> PROVIDERS = Map.of(
            // Amazon EC2 User Guide, "Work with instance user data": 16 KB in raw form, before base64.
            "aws", 16_384,
            // Microsoft Azure, REST reference of virtual machines, osProfile.customData: 65,535 bytes of the decoded
            // value.
            "azure", 65_535,
            // DigitalOcean API reference, droplets, user_data: 64 KiB of plain text.
            "digitalocean", 65_536,
            // Google Compute Engine, "VM metadata": 256 KB for each value.
            "gce", 262_144,
            // Hetzner Cloud API reference, servers, user_data: 32 KiB.
            "hetzner", 32_768,
            // OpenStack Nova, "Provide user data to instances": 65,535 bytes of base64, which is the text of 49,149
            // bytes.
            "openstack", 49_149,
            // Alibaba Cloud ECS, "Manage the user data of Linux instances": 32 KB before base64.
            "alibaba", 32_768);

    private static final String ESCAPED_MACHINE_NAME = "%3CMACHINE_NAME%3E";
    /** After the MachineDeployment's name: the longest hash of a MachineSet and the suffix of a generated name. */
    private static final String MACHINE_SUFFIX = "-0123456789-abcde";

    private static final int LONGEST_NAME = 63;
    private static final int GZIP_HEADER_AND_TRAILER = 18;

    /**
     * Measures a bootstrap document. A token, in plain text or in base64 of a file, influences a compressed size only by its length,
     * because the size could otherwise reveal it, and differ from that of a preview.
     *
     * @param fetchToken in the document; may be empty
     * @param ownLimit of the tenant's settings; null for the provider's
     */
    public static UserDataSize of(
            UserDataInput input, String document, Sensitive fetchToken, @Nullable Integer ownLimit) {
        String machine = input.machineDeploymentName() + MACHINE_SUFFIX;
        machine = machine.substring(0, Math.min(machine.length(), LONGEST_NAME));
        String named = document.replace(UserDataGenerator.MACHINE_NAME, machine).replace(ESCAPED_MACHINE_NAME, machine);
        byte[] passed = withoutBlanks(named).getBytes(UTF_8);
        Limit limit = limit(input.cloudProvider(), ownLimit);
        if (!input.cloudProvider().equals("aws") || input.osName().equals("flatcar")) {
            return new UserDataSize(passed.length, null, limit);
        }
        String token = fetchToken.reveal();
        if (!token.isEmpty()) {
            String replacement = standIn(token.length()).reveal();
            passed = replaceInBase64(new String(passed, UTF_8).replace(token, replacement), token, replacement)
                    .getBytes(UTF_8);
        }
        return new UserDataSize(gzipLength(passed), passed.length, limit);
    }

    /** Empties the lines of white space, as machine-controller does. */
    private static String withoutBlanks(String text) {
        StringBuilder out = new StringBuilder(text.length());
        for (int start = 0; start <= text.length(); ) {
            int end = text.indexOf('\n', start);
            int next = end < 0 ? text.length() : end;
            int at = start;
            while (at < next && (text.charAt(at) == ' ' || text.charAt(at) == '\t')) {
                at++;
            }
            out.append(text, at == next ? next : start, Math.min(next + 1, text.length()));
            start = next + 1;
        }
        return out.toString();
    }

    /** Replaces a token in encoded files by a text of the same length. Without a pattern, which takes a fifth of the time of rendering. */
    private static String replaceInBase64(String text, String token, String replacement) {
        StringBuilder result = new StringBuilder(text);
        // The token begins at any place in a group of three bytes.
        for (int offset = 0; offset < Math.min(3, token.length()); offset++) {
            String part = encode(token.substring(offset, token.length() - (token.length() - offset) % 3));
            int found = part.isEmpty() ? -1 : text.indexOf(part);
            while (found >= 0) {
                int start = found;
                while (start > 0 && isBase64(text.charAt(start - 1))) {
                    start--;
                }
                int end = found;
                while (end < text.length() && isBase64(text.charAt(end))) {
                    end++;
                }
                int rest = (end - start) % 4;
                String padding = rest == 2 ? "==" : rest == 3 ? "=" : "";
                boolean padded = rest > 1 && text.startsWith(padding, end);
                end = padded ? end + padding.length() : end - rest;
                String replaced = replaceEncoded(text.substring(start, end), token, replacement);
                for (int i = start; i < end; i++) {
                    result.setCharAt(i, replaced.charAt(i - start));
                }
                // Behind the run, whose tokens are all replaced: a tenant may repeat a short one a million times.
                found = text.indexOf(part, end);
            }
        }
        return result.toString();
    }

    private static boolean isBase64(char letter) {
        return letter == '+' || letter == '/' || letter < 0x80 && Character.isLetterOrDigit(letter);
    }

    private static String encode(String bytes) {
        return Base64.getEncoder().encodeToString(bytes.getBytes(ISO_8859_1));
    }

    private static String replaceEncoded(String base64, String token, String replacement) {
        String text = new String(Base64.getDecoder().decode(base64), ISO_8859_1);
        return text.contains(token) ? encode(text.replace(token, replacement)) : base64;
    }

    /** A text in place of a token of this length, which compresses as little as a token. */
    public static Sensitive standIn(int length) {
        StringBuilder text = new StringBuilder(length);
        // Knuth's MMIX generator: any fixed sequence without repetitions serves.
        for (long state = length; text.length() < length; ) {
            state = state * 6_364_136_223_846_793_005L + 1_442_695_040_888_963_407L;
            int letter = (int) (state >>> 33) % 62;
            text.append((char) (letter < 26 ? 'a' + letter : letter < 52 ? 'A' + letter - 26 : '0' + letter - 52));
        }
        return new Sensitive(text.toString());
    }

    /** The setting's limit, else the provider's; null if neither exists. */
    public static @Nullable Limit limit(String provider, @Nullable Integer own) {
        if (own != null) {
            return new Limit(own, "spec.provisioning.userDataLimitBytes");
        }
        Integer bytes = PROVIDERS.get(provider);
        return bytes == null ? null : new Limit(bytes, provider);
    }

    /**
     * The length of the text compressed by Go's gzip, as an upper estimate: Go's output of 259 documents was at most 0.9 %
     * longer than zlib's if it had more than 12 KB.
     */
    private static int gzipLength(byte[] text) {
        ByteArrayOutputStream compressed = new ByteArrayOutputStream(text.length / 2);
        try (GZIPOutputStream gzip = new GZIPOutputStream(compressed)) {
            gzip.write(text);
        } catch (IOException e) {
            throw new UncheckedIOException("bytes are written to memory", e);
        }
        return compressed.size() + (compressed.size() - GZIP_HEADER_AND_TRAILER) / 100;
    }

    public boolean isTooLarge() {
        return limit != null && bytes > limit.bytes();
    }

    /** {@code 16,384 B}, or {@code 16,384 B after gzip}. */
    public String describe() {
        return formatBytes(bytes) + (uncompressedBytes == null ? "" : " after gzip");
    }

    /** {@code 16,384 B}. */
    public static String formatBytes(long count) {
        return String.format(Locale.ROOT, "%,d B", count);
    }

    /**
     * Largest user-data.
     *
     * @param source the cloud provider, or the path of the setting
     */
    public record Limit(int bytes, String source) {}
}
