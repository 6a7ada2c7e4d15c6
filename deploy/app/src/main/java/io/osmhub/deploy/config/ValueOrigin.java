package io.osmhub.deploy.config;

import io.osmhub.core.document.SourcePosition;

/** The source of a configuration value. Later sources override earlier ones. */
sealed interface ValueOrigin {
    /** Short form, for printing the effective configuration. */
    String describe();

    record BuiltIn() implements ValueOrigin {
        @Override
        public String describe() {
            return "built-in";
        }
    }

    /** The pod that the hub runs in. */
    record Pod(String variable) implements ValueOrigin {
        @Override
        public String describe() {
            return variable;
        }
    }

    record File(String name, SourcePosition at) implements ValueOrigin {
        @Override
        public String describe() {
            return at.isKnown() ? name + ":" + at.line() + ":" + at.column() : name;
        }
    }

    record Environment(String variable) implements ValueOrigin {
        @Override
        public String describe() {
            return variable;
        }
    }

    /** @param option as written, for example {@code --log-level} */
    record CommandLine(String option, String value) implements ValueOrigin {
        @Override
        public String describe() {
            return option;
        }
    }
}
