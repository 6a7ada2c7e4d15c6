package io.osmhub.core.template.sprig;

import io.osmhub.core.golang.ExecutionEnvironment;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoString;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.Adler32;

/** Checksums of a string's bytes. */
public final class HashFunctions {
    /** Bytes hashed per step of the budget. */
    private static final int BYTES_PER_STEP = 64;

    private HashFunctions() {}

    public static void addTo(FunctionRegistry registry) {
        String signature = "func(string) string";
        registry.add("sha1sum", signature, (env, args) -> hex(env, args, "SHA-1"));
        registry.add("sha256sum", signature, (env, args) -> hex(env, args, "SHA-256"));
        registry.add("sha512sum", signature, (env, args) -> hex(env, args, "SHA-512"));
        registry.add("adler32sum", signature, HashFunctions::adler32);
    }

    private static GoValue hex(ExecutionEnvironment environment, List<GoValue> arguments, String algorithm) {
        byte[] input = input(environment, arguments);
        try {
            byte[] sum = MessageDigest.getInstance(algorithm).digest(input);
            return GoString.ofBytes(HexFormat.of().formatHex(sum));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("" + algorithm + " is not available", e);
        }
    }

    private static GoValue adler32(ExecutionEnvironment environment, List<GoValue> arguments) {
        Adler32 sum = new Adler32();
        sum.update(input(environment, arguments));
        return GoString.ofBytes(Long.toString(sum.getValue()));
    }

    private static byte[] input(ExecutionEnvironment environment, List<GoValue> arguments) {
        String text = ((GoString) arguments.getFirst()).bytes();
        environment.charge(text.length() / BYTES_PER_STEP, text.length());
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}
