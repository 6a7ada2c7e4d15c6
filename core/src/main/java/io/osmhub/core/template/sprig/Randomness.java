package io.osmhub.core.template.sprig;

import java.security.SecureRandom;
import java.security.SecureRandomSpi;
import java.util.random.RandomGenerator;

/** The environment's random source in the form that key generators ask for. */
final class Randomness extends SecureRandom {
    private static final long serialVersionUID = 1L;

    private Randomness(RandomGenerator source) {
        super(new Source(source), null);
    }

    static SecureRandom of(RandomGenerator source) {
        return source instanceof SecureRandom secure ? secure : new Randomness(source);
    }

    private static final class Source extends SecureRandomSpi {
        private static final long serialVersionUID = 1L;

        private final transient RandomGenerator source;

        Source(RandomGenerator source) {
            this.source = source;
        }

        @Override
        protected void engineSetSeed(byte[] seed) {
            // The environment decides what is random; nobody may mix in more.
        }

        @Override
        protected void engineNextBytes(byte[] bytes) {
            source.nextBytes(bytes);
        }

        @Override
        protected byte[] engineGenerateSeed(int count) {
            byte[] seed = new byte[count];
            source.nextBytes(seed);
            return seed;
        }
    }
}
