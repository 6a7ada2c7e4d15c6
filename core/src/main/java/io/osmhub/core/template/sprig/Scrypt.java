package io.osmhub.core.template.sprig;

import java.lang.ref.SoftReference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;
import org.bouncycastle.crypto.digests.SHA256Digest;
import org.bouncycastle.crypto.engines.Salsa20Engine;
import org.bouncycastle.crypto.generators.PKCS5S2ParametersGenerator;
import org.bouncycastle.crypto.params.KeyParameter;

/**
 * Key derivation by scrypt (RFC 7914) with N = 32768, r = 8 and p = 2. Reuses its 32 MiB of working memory: with new memory each
 * time, a profile that derives passwords causes a full garbage collection every few seconds, which stops all tenants for 0.2 s.
 */
final class Scrypt {
    private static final int COST = 32_768;
    private static final int BLOCK_SIZE = 8;
    private static final int LANES = 2;
    private static final int KEY_BYTES = 64;

    /** Of one call of Salsa20/8, in ints. */
    private static final int CHUNK = 16;

    private static final int LANE = 2 * BLOCK_SIZE * CHUNK;
    private static final int SALSA_ROUNDS = 8;

    /** A soft reference, so that the collector can free it when memory is low. */
    private static final AtomicReference<SoftReference<int[]>> SPARE = new AtomicReference<>(new SoftReference<>(null));

    private Scrypt() {}

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
