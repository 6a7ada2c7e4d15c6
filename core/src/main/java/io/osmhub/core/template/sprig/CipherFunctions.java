package io.osmhub.core.template.sprig;

import io.osmhub.core.golang.ExecutionEnvironment;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoString;
import java.util.Arrays;
import java.util.List;
import org.bouncycastle.crypto.engines.AESEngine;
import org.bouncycastle.crypto.modes.CBCBlockCipher;
import org.bouncycastle.crypto.params.KeyParameter;
import org.bouncycastle.crypto.params.ParametersWithIV;

/**
 * AES-256 in CBC mode, in sprig's format: base64 of a random first block followed by the padded text, and a password that is cut or
 * zero-filled to 32 bytes. It is not authenticated; supported because existing profiles may call it.
 */
public final class CipherFunctions {
    private static final int BLOCK = 16;
    private static final int KEY = 32;

    private CipherFunctions() {}

    public static void addTo(FunctionRegistry registry) {
        registry.add("encryptAES", "func(string, string) (string, error)", CipherFunctions::encrypt);
        registry.add("decryptAES", "func(string, string) (string, error)", CipherFunctions::decrypt);
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
}
