package io.osmhub.core.plan;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.random.RandomGenerator;

/**
 * The randomness of templates: equal for the same MachineDeployment, profile and token, so that a repeated decision has
 * equal bytes and rotates nothing, and unpredictable without the token. SHA-256 of a counter and the seed.
 */
final class SeededRandom implements RandomGenerator {
    private final byte[] seed;
    private ByteBuffer block = ByteBuffer.allocate(0);
    private long counter;

    SeededRandom(String... seeds) {
        MessageDigest digest = Sha256.sha256();
        for (String part : seeds) {
            byte[] bytes = part.getBytes(UTF_8);
            // Includes each part's length, so that different lists of parts have different seeds.
            digest.update(
                    ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).flip());
            digest.update(bytes);
        }
        this.seed = digest.digest();
    }

    @Override
    public long nextLong() {
        if (!block.hasRemaining()) {
            MessageDigest digest = Sha256.sha256();
            digest.update(seed);
            digest.update(ByteBuffer.allocate(Long.BYTES).putLong(counter++).flip());
            block = ByteBuffer.wrap(digest.digest());
        }
        return block.getLong();
    }
}
