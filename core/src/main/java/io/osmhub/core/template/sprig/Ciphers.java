package io.osmhub.core.template.sprig;

import io.osmhub.core.golang.CallFailure;
import io.osmhub.core.golang.Environment;
import io.osmhub.core.golang.Str;
import io.osmhub.core.golang.Value;
import java.util.Arrays;
import java.util.List;
import org.bouncycastle.crypto.engines.AESEngine;
import org.bouncycastle.crypto.modes.CBCBlockCipher;
import org.bouncycastle.crypto.params.KeyParameter;
import org.bouncycastle.crypto.params.ParametersWithIV;

/**
 * AES-256 in CBC mode, with sprig's frame: base64 of a random first block followed by the padded text, and a password that
 * is cut or zero-filled to 32 bytes. There is no authentication; it is here because existing profiles may call it.
 */
public final class Ciphers {
    private static final int BLOCK = 16;
    private static final int KEY = 32;

    private Ciphers() {}

    public static void addTo(Registry registry) {
        registry.add("encryptAES", "func(string, string) (string, error)", Ciphers::encrypt);
        registry.add("decryptAES", "func(string, string) (string, error)", Ciphers::decrypt);
    }

    private static Value encrypt(Environment environment, List<Value> arguments) {
        byte[] text = Bytes.of(arguments.get(1));
        if (text.length == 0) {
            return Str.EMPTY;
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
        return Bytes.base64(framed);
    }

    private static Value decrypt(Environment environment, List<Value> arguments) throws CallFailure {
        String text = ((Str) arguments.get(1)).bytes();
        environment.charge(text.length() / BLOCK, 3L * text.length());
        byte[] framed = Bytes.fromBase64(text);
        if (framed.length == 0) {
            return Str.EMPTY;
        }
        // The peer trips over short input; its runtime's words are kept, for they are what its users know.
        if (framed.length < BLOCK) {
            throw new CallFailure(
                    "runtime error: slice bounds out of range [:16] with capacity " + text.length() / 4 * 3);
        }
        if (framed.length % BLOCK != 0) {
            throw new CallFailure("crypto/cipher: input not full blocks");
        }
        if (framed.length == BLOCK) {
            throw new CallFailure("runtime error: index out of range [-1]");
        }
        Cbc.run(false, arguments.getFirst(), Arrays.copyOf(framed, BLOCK), framed);
        int padding = Byte.toUnsignedInt(framed[framed.length - 1]);
        int end = framed.length - padding;
        if (end < BLOCK) {
            throw new CallFailure("runtime error: slice bounds out of range [:" + (end - BLOCK) + "]");
        }
        return Bytes.string(Arrays.copyOfRange(framed, BLOCK, end));
    }

    /** Loaded when a template first encrypts: starting the program must not load, and so verify, a signed library. */
    private static final class Cbc {
        /** Runs over all blocks but the first, in place. */
        static void run(boolean encrypt, Value password, byte[] initial, byte[] framed) {
            var cipher = CBCBlockCipher.newInstance(AESEngine.newInstance());
            KeyParameter key = new KeyParameter(Arrays.copyOf(Bytes.of(password), KEY));
            cipher.init(encrypt, new ParametersWithIV(key, initial));
            for (int at = BLOCK; at < framed.length; at += BLOCK) {
                cipher.processBlock(framed, at, framed, at);
            }
        }
    }
}
