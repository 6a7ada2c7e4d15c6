package io.osmhub.tenancy.kubeconfig;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Blocks between {@code -----BEGIN} and {@code -----END} (RFC 7468). */
final class PemBlocks {
    private static final String BEGIN = "-----BEGIN ";
    private static final String END = "-----END ";
    private static final String DASHES = "-----";

    private PemBlocks() {}

    /**
     * @param type for example {@code CERTIFICATE}
     * @param headers whether headers like {@code Proc-Type: 4,ENCRYPTED} precede the content
     * @param content null if it is not valid base64
     */
    record PemBlock(String type, boolean headers, byte @Nullable [] content) {}

    /** The blocks of a text in order; skips other text and blocks without an end. */
    static List<PemBlock> blocks(byte[] text) {
        String pem = new String(text, ISO_8859_1);
        List<PemBlock> blocks = new ArrayList<>();
        int at = pem.indexOf(BEGIN);
        while (at >= 0) {
            int typeEnd = pem.indexOf(DASHES, at + BEGIN.length());
            if (typeEnd < 0) {
                break;
            }
            String type = pem.substring(at + BEGIN.length(), typeEnd);
            int end = pem.indexOf(END + type + DASHES, typeEnd);
            int next = pem.indexOf(BEGIN, typeEnd);
            if (end >= 0 && (next < 0 || end < next)) {
                String body = pem.substring(typeEnd + DASHES.length(), end);
                blocks.add(new PemBlock(type, body.indexOf(':') >= 0, decode(body)));
            }
            at = next;
        }
        return blocks;
    }

    private static byte @Nullable [] decode(String body) {
        try {
            return Base64.getDecoder().decode(body.replaceAll("[ \t\r\n]", ""));
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    static String write(String type, byte[] content) {
        String lines = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
        return BEGIN + type + DASHES + "\n" + lines + "\n" + END + type + DASHES + "\n";
    }
}
