package io.osmhub.core.template.sprig;

import io.osmhub.core.golang.Environment;
import java.security.SecureRandom;
import java.security.SecureRandomSpi;

/**
 * The environment's random source in the form that key generators ask for. A search for primes draws for each candidate, so that it ends
 * here when the time is over.
 */
final class Randomness extends SecureRandom {
    private static final long serialVersionUID = 1L;

    private Randomness(Environment environment) {
        super(new Source(environment), null);
    }

    static SecureRandom of(Environment environment) {
        return new Randomness(environment);
    }

    private static final class Source extends SecureRandomSpi {
        private static final long serialVersionUID = 1L;

        private final transient Environment environment;

        Source(Environment environment) {
            this.environment = environment;
        }

        @Override
        protected void engineSetSeed(byte[] seed) {
            // The environment decides what is random; nobody may mix in more.
        }

        @Override
        protected void engineNextBytes(byte[] bytes) {
            environment.checkTime();
            environment.random().nextBytes(bytes);
        }

        @Override
        protected byte[] engineGenerateSeed(int count) {
            byte[] seed = new byte[count];
            engineNextBytes(seed);
            return seed;
        }
    }
}
