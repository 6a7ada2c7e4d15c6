package io.osmhub.core.template.sprig;

import io.osmhub.core.golang.ExecutionEnvironment;
import java.security.SecureRandom;
import java.security.SecureRandomSpi;

/**
 * The environment's random source for key generators. A search for primes draws for each candidate, so it ends here at the time
 * limit.
 */
final class EnvironmentSecureRandom extends SecureRandom {
    private static final long serialVersionUID = 1L;

    private EnvironmentSecureRandom(ExecutionEnvironment environment) {
        super(new Source(environment), null);
    }

    static SecureRandom of(ExecutionEnvironment environment) {
        return new EnvironmentSecureRandom(environment);
    }

    private static final class Source extends SecureRandomSpi {
        private static final long serialVersionUID = 1L;

        private final transient ExecutionEnvironment environment;

        Source(ExecutionEnvironment environment) {
            this.environment = environment;
        }

        @Override
        protected void engineSetSeed(byte[] seed) {
            // Only the environment may seed the random source.
        }

        @Override
        protected void engineNextBytes(byte[] bytes) {
            environment.checkTimeLimit();
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
