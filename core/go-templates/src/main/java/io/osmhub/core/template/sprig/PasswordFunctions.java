package io.osmhub.core.template.sprig;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;

import io.osmhub.core.golang.ExecutionEnvironment;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoInt;
import io.osmhub.core.golang.GoValue.GoString;
import io.osmhub.core.template.sprig.SprigArguments.ByteStrings;
import io.osmhub.core.template.sprig.SprigFunctions.FunctionRegistry;
import java.lang.ref.SoftReference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.bouncycastle.crypto.digests.SHA256Digest;
import org.bouncycastle.crypto.engines.AESEngine;
import org.bouncycastle.crypto.engines.Salsa20Engine;
import org.bouncycastle.crypto.generators.OpenBSDBCrypt;
import org.bouncycastle.crypto.generators.PKCS5S2ParametersGenerator;
import org.bouncycastle.crypto.modes.CBCBlockCipher;
import org.bouncycastle.crypto.params.KeyParameter;
import org.bouncycastle.crypto.params.ParametersWithIV;

/** Password hashes, and passwords derived from a master password by the published Master Password algorithm; ciphers; random texts. */
public final class PasswordFunctions {
    private static final int BCRYPT_COST = 10;
    private static final int BCRYPT_LONGEST = 72;
    /** One hash takes 65 ms, one derivation 250 ms and 32 MiB; both are charged by time at 0.4 microseconds a step. */
    private static final int BCRYPT_STEPS = 160_000;

    private static final int SCRYPT_STEPS = 600_000;

    private static final String HMAC = "HmacSHA256";

    private static final String SCOPE = "com.lyndir.masterpassword";

    /** Patterns of a password by its kind; each letter is a class of characters. */
    private static final Map<String, List<String>> SHAPES = Map.of(
            "maximum", List.of("anoxxxxxxxxxxxxxxxxx", "axxxxxxxxxxxxxxxxxno"),
            "long",
                    List.of(
                            "CvcvnoCvcvCvcv",
                            "CvcvCvcvnoCvcv",
                            "CvcvCvcvCvcvno",
                            "CvccnoCvcvCvcv",
                            "CvccCvcvnoCvcv",
                            "CvccCvcvCvcvno",
                            "CvcvnoCvccCvcv",
                            "CvcvCvccnoCvcv",
                            "CvcvCvccCvcvno",
                            "CvcvnoCvcvCvcc",
                            "CvcvCvcvnoCvcc",
                            "CvcvCvcvCvccno",
                            "CvccnoCvccCvcv",
                            "CvccCvccnoCvcv",
                            "CvccCvccCvcvno",
                            "CvcvnoCvccCvcc",
                            "CvcvCvccnoCvcc",
                            "CvcvCvccCvccno",
                            "CvccnoCvcvCvcc",
                            "CvccCvcvnoCvcc",
                            "CvccCvcvCvccno"),
            "medium", List.of("CvcnoCvc", "CvcCvcno"),
            "short", List.of("Cvcn"),
            "basic", List.of("aaanaaan", "aannaaan", "aaannaaa"),
            "pin", List.of("nnnn"));

    private static final Map<Character, String> CLASSES = Map.of(
            'V', "AEIOU",
            'C', "BCDFGHJKLMNPQRSTVWXYZ",
            'v', "aeiou",
            'c', "bcdfghjklmnpqrstvwxyz",
            'A', "AEIOUBCDFGHJKLMNPQRSTVWXYZ",
            'a', "AEIOUaeiouBCDFGHJKLMNPQRSTVWXYZbcdfghjklmnpqrstvwxyz",
            'n', "0123456789",
            'o', "@&%?,=[]_:-+*$#!'^~;()/.",
            'x', "AEIOUaeiouBCDFGHJKLMNPQRSTVWXYZbcdfghjklmnpqrstvwxyz0123456789!@#$%^&*()");

    private static final int BLOCK = 16;

    private static final int KEY = 32;

    private static final String DIGITS = "0123456789";

    private static final String LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

    private static final String PRINTABLE = printable();

    private PasswordFunctions() {}

    public static void addTo(FunctionRegistry registry) {
        registry.add(
                "bcrypt",
                "func(string) string",
                (env, args) -> GoString.ofBytes(bcrypt(env, ByteStrings.of(args.getFirst()))));
        registry.add("htpasswd", "func(string, string) string", PasswordFunctions::htpasswd);
        registry.add(
                "derivePassword", "func(uint32, string, string, string, string) string", PasswordFunctions::derive);

        // AES-256 in CBC mode, in sprig's format: base64 of a random first block followed by the padded text, and a
        // password that is
        // cut or zero-filled to 32 bytes. It is not authenticated; supported because existing profiles may call it.
        registry.add("encryptAES", "func(string, string) (string, error)", PasswordFunctions::encrypt);
        registry.add("decryptAES", "func(string, string) (string, error)", PasswordFunctions::decrypt);
        String ofCount = "func(int) string";

        // Random texts: a profile that prints one renders differently each time.
        registry.add("randAlpha", ofCount, (env, args) -> pick(env, args, LETTERS));
        registry.add("randNumeric", ofCount, (env, args) -> pick(env, args, DIGITS));
        registry.add("randAlphaNum", ofCount, (env, args) -> pick(env, args, LETTERS + DIGITS));
        registry.add("randAscii", ofCount, (env, args) -> pick(env, args, PRINTABLE));
        registry.add("randBytes", "func(int) (string, error)", PasswordFunctions::bytes);
        registry.add("uuidv4", "func() string", (env, args) -> uuid(env));
    }

    private static String bcrypt(ExecutionEnvironment environment, byte[] password) {
        if (password.length > BCRYPT_LONGEST) {
            return "failed to encrypt string with bcrypt: bcrypt: password length exceeds 72 bytes";
        }
        environment.charge(BCRYPT_STEPS, 0);
        byte[] salt = new byte[16];
        environment.random().nextBytes(salt);
        return OpenBSDBCrypt.generate("2a", password, salt, BCRYPT_COST);
    }

    private static GoValue htpasswd(ExecutionEnvironment environment, List<GoValue> arguments) {
        String user = ((GoString) arguments.getFirst()).bytes();
        if (user.indexOf(':') >= 0) {
            return GoString.ofBytes("invalid username: " + user);
        }
        return GoString.ofBytes(user + ":" + bcrypt(environment, ByteStrings.of(arguments.get(1))));
    }

    private static GoValue derive(ExecutionEnvironment environment, List<GoValue> arguments) {
        int counter = (int) ((GoInt) arguments.getFirst()).value();
        String kind = ((GoString) arguments.get(1)).bytes();
        List<String> shapes = SHAPES.get(kind);
        if (shapes == null) {
            return GoString.ofBytes("cannot find password template " + kind);
        }
        byte[] password = ByteStrings.of(arguments.get(2));
        String user = ((GoString) arguments.get(3)).bytes();
        String site = ((GoString) arguments.get(4)).bytes();
        // Password and user are hashed once for each of the 64 first blocks of the derivation.
        long chars = (long) password.length + user.length() + site.length();
        environment.charge(SCRYPT_STEPS + chars, chars);

        byte[] master = Scrypt.derive(password, scoped(user, 0).array());
        byte[] seed = hmac(master, scoped(site, Integer.BYTES).putInt(counter).array());
        String shape = shapes.get(Byte.toUnsignedInt(seed[0]) % shapes.size());
        StringBuilder derived = new StringBuilder(shape.length());
        for (int i = 0; i < shape.length(); i++) {
            String characters = CLASSES.getOrDefault(shape.charAt(i), "");
            derived.append(characters.charAt(Byte.toUnsignedInt(seed[i + 1]) % characters.length()));
        }
        return GoString.ofBytes(derived.toString());
    }

    /** The algorithm's name, the length of {@code name}, {@code name}, and room for more. */
    private static ByteBuffer scoped(String name, int room) {
        return ByteBuffer.allocate(SCOPE.length() + Integer.BYTES + name.length() + room)
                .put(SCOPE.getBytes(US_ASCII))
                .putInt(name.length())
                .put(name.getBytes(ISO_8859_1));
    }

    private static byte[] hmac(byte[] key, byte[] message) {
        try {
            Mac mac = Mac.getInstance(HMAC);
            mac.init(new SecretKeySpec(key, HMAC));
            return mac.doFinal(message);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has " + HMAC, e);
        }
    }

    /**
     * Key derivation by scrypt (RFC 7914) with N = 32768, r = 8 and p = 2. Reuses its 32 MiB of working memory: with new memory each
     * time, a profile that derives passwords causes a full garbage collection every few seconds, which stops all tenants for 0.2 s.
     */
    static final class Scrypt {
        private static final int COST = 32_768;
        private static final int BLOCK_SIZE = 8;
        private static final int LANES = 2;
        private static final int KEY_BYTES = 64;

        /** Of one call of Salsa20/8, in ints. */
        private static final int CHUNK = 16;

        private static final int LANE = 2 * BLOCK_SIZE * CHUNK;
        private static final int SALSA_ROUNDS = 8;

        /** A soft reference, so that the collector can free it when memory is low. */
        private static final AtomicReference<SoftReference<int[]>> SPARE =
                new AtomicReference<>(new SoftReference<>(null));

        /** Derives 64 bytes from a password; thread-safe. */
        static byte[] derive(byte[] password, byte[] salt) {
            int[] memory = SPARE.getAndSet(new SoftReference<>(null)).get();
            if (memory == null) {
                memory = new int[COST * LANE];
            }
            byte[] lanes = stretch(password, salt, LANES * LANE * Integer.BYTES);
            for (int i = 0; i < LANES; i++) {
                mix(ByteBuffer.wrap(lanes, i * LANE * Integer.BYTES, LANE * Integer.BYTES), memory);
            }
            // Its content reveals the password.
            Arrays.fill(memory, 0);
            SPARE.set(new SoftReference<>(memory));
            return stretch(password, lanes, KEY_BYTES);
        }

        private static byte[] stretch(byte[] password, byte[] salt, int bytes) {
            PKCS5S2ParametersGenerator generator = new PKCS5S2ParametersGenerator(new SHA256Digest());
            generator.init(password, salt, 1);
            return ((KeyParameter) generator.generateDerivedMacParameters(bytes * Byte.SIZE)).getKey();
        }

        private static void mix(ByteBuffer bytes, int[] memory) {
            var words = bytes.order(ByteOrder.LITTLE_ENDIAN).asIntBuffer();
            int[] lane = new int[LANE];
            int[] mixed = new int[LANE];
            words.get(0, lane);
            for (int i = 0; i < COST; i++) {
                System.arraycopy(lane, 0, memory, i * LANE, LANE);
                mixBlocks(lane, mixed);
            }
            for (int i = 0; i < COST; i++) {
                int start = (lane[LANE - CHUNK] & (COST - 1)) * LANE;
                for (int k = 0; k < LANE; k++) {
                    lane[k] ^= memory[start + k];
                }
                mixBlocks(lane, mixed);
            }
            words.put(0, lane);
        }

        /** In the result, even chunks precede odd ones. */
        private static void mixBlocks(int[] lane, int[] mixed) {
            int[] in = Arrays.copyOfRange(lane, LANE - CHUNK, LANE);
            int[] out = new int[CHUNK];
            for (int i = 0; i < 2 * BLOCK_SIZE; i++) {
                for (int k = 0; k < CHUNK; k++) {
                    in[k] ^= lane[i * CHUNK + k];
                }
                Salsa20Engine.salsaCore(SALSA_ROUNDS, in, out);
                System.arraycopy(out, 0, mixed, (i / 2 + (i % 2) * BLOCK_SIZE) * CHUNK, CHUNK);
                int[] next = in;
                in = out;
                out = next;
            }
            System.arraycopy(mixed, 0, lane, 0, LANE);
        }
    }

    private static GoValue encrypt(ExecutionEnvironment environment, List<GoValue> arguments) {
        byte[] text = ByteStrings.of(arguments.get(1));
        if (text.length == 0) {
            return GoString.EMPTY;
        }
        environment.charge(text.length / BLOCK, 4L * text.length);
        byte[] initial = new byte[BLOCK];
        environment.random().nextBytes(initial);
        int padding = BLOCK - text.length % BLOCK;
        byte[] framed = new byte[BLOCK + text.length + padding];
        System.arraycopy(initial, 0, framed, 0, BLOCK);
        System.arraycopy(text, 0, framed, BLOCK, text.length);
        Arrays.fill(framed, BLOCK + text.length, framed.length, (byte) padding);
        Cbc.run(true, arguments.getFirst(), initial, framed);
        return ByteStrings.encodeBase64(framed);
    }

    private static GoValue decrypt(ExecutionEnvironment environment, List<GoValue> arguments) throws GoCallException {
        String text = ((GoString) arguments.get(1)).bytes();
        environment.charge(text.length() / BLOCK, 3L * text.length());
        byte[] framed = ByteStrings.decodeBase64(text);
        if (framed.length == 0) {
            return GoString.EMPTY;
        }
        // OSM fails on short input; its runtime's messages are kept for compatibility.
        if (framed.length < BLOCK) {
            throw new GoCallException(
                    "runtime error: slice bounds out of range [:16] with capacity " + text.length() / 4 * 3);
        }
        if (framed.length % BLOCK != 0) {
            throw new GoCallException("crypto/cipher: input not full blocks");
        }
        if (framed.length == BLOCK) {
            throw new GoCallException("runtime error: index out of range [-1]");
        }
        Cbc.run(false, arguments.getFirst(), Arrays.copyOf(framed, BLOCK), framed);
        int padding = Byte.toUnsignedInt(framed[framed.length - 1]);
        int end = framed.length - padding;
        if (end < BLOCK) {
            throw new GoCallException("runtime error: slice bounds out of range [:" + (end - BLOCK) + "]");
        }
        return ByteStrings.string(Arrays.copyOfRange(framed, BLOCK, end));
    }

    /** Loaded on first use: starting the program must not load, and so verify, a signed library. */
    private static final class Cbc {
        /** Processes all blocks but the first, in place. */
        static void run(boolean encrypt, GoValue password, byte[] initial, byte[] framed) {
            var cipher = CBCBlockCipher.newInstance(AESEngine.newInstance());
            KeyParameter key = new KeyParameter(Arrays.copyOf(ByteStrings.of(password), KEY));
            cipher.init(encrypt, new ParametersWithIV(key, initial));
            for (int at = BLOCK; at < framed.length; at += BLOCK) {
                cipher.processBlock(framed, at, framed, at);
            }
        }
    }

    private static String printable() {
        StringBuilder text = new StringBuilder();
        for (char c = ' '; c <= '~'; c++) {
            text.append(c);
        }
        return text.toString();
    }

    /** The requested number of characters, none for a negative number. */
    private static GoValue pick(ExecutionEnvironment environment, List<GoValue> arguments, String alphabet) {
        long count = Math.max(0, ((GoInt) arguments.getFirst()).value());
        environment.charge(count, count);
        StringBuilder text = new StringBuilder((int) count);
        for (int i = 0; i < count; i++) {
            text.append(alphabet.charAt(environment.random().nextInt(alphabet.length())));
        }
        return GoString.ofBytes(text.toString());
    }

    private static GoValue bytes(ExecutionEnvironment environment, List<GoValue> arguments) throws GoCallException {
        long count = ((GoInt) arguments.getFirst()).value();
        if (count < 0) {
            throw new GoCallException("runtime error: makeslice: len out of range");
        }
        environment.charge(count, count);
        environment.charge(0, count);
        byte[] bytes = new byte[(int) count];
        environment.random().nextBytes(bytes);
        return ByteStrings.encodeBase64(bytes);
    }

    private static GoValue uuid(ExecutionEnvironment environment) {
        environment.charge(16, 36);
        // Version 4 and variant 1 of RFC 9562; all other bits are random.
        long high = environment.random().nextLong() & 0xffff_ffff_ffff_0fffL | 0x4000L;
        long low = environment.random().nextLong() & 0x3fff_ffff_ffff_ffffL | 0x8000_0000_0000_0000L;
        return GoString.ofBytes(new UUID(high, low).toString());
    }
}
