package io.osmhub.core.template.sprig;

import io.osmhub.core.golang.Environment;
import io.osmhub.core.golang.Str;
import io.osmhub.core.golang.Value;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.Adler32;

/** Checksums of a string's bytes. */
public final class Hashes {
    /** A step of the budget hashes this many bytes. */
    private static final int BYTES_PER_STEP = 64;

    private Hashes() {}

    public static void addTo(Registry registry) {
        String signature = "func(string) string";
        registry.add("sha1sum", signature, (env, args) -> hex(env, args, "SHA-1"));
        registry.add("sha256sum", signature, (env, args) -> hex(env, args, "SHA-256"));
        registry.add("sha512sum", signature, (env, args) -> hex(env, args, "SHA-512"));
        registry.add("adler32sum", signature, Hashes::adler32);
    }

    private static Value hex(Environment environment, List<Value> arguments, String algorithm) {
        byte[] input = input(environment, arguments);
        try {
            byte[] sum = MessageDigest.getInstance(algorithm).digest(input);
            return Str.ofBytes(HexFormat.of().formatHex(sum));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has " + algorithm, e);
        }
    }

    private static Value adler32(Environment environment, List<Value> arguments) {
        Adler32 sum = new Adler32();
        sum.update(input(environment, arguments));
        return Str.ofBytes(Long.toString(sum.getValue()));
    }

    private static byte[] input(Environment environment, List<Value> arguments) {
        String text = ((Str) arguments.getFirst()).bytes();
        environment.charge(text.length() / BYTES_PER_STEP, text.length());
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}
