package io.osmhub.deploy.config;

import io.osmhub.core.document.Position;

/** Where a value of the configuration comes from. A later one of these wins. */
sealed interface Origin {
    /** In one word or two, for the listing of the effective configuration. */
    String describe();

    record BuiltIn() implements Origin {
        @Override
        public String describe() {
            return "built-in";
        }
    }

    /** The pod that the hub runs in. */
    record Pod(String variable) implements Origin {
        @Override
        public String describe() {
            return variable;
        }
    }

    record File(String name, Position at) implements Origin {
        @Override
        public String describe() {
            return at.known() ? name + ":" + at.line() + ":" + at.column() : name;
        }
    }

    record Environment(String variable) implements Origin {
        @Override
        public String describe() {
            return variable;
        }
    }

    /**
     * @param option as it was written, for example {@code --log-level}
     * @param value as it was written
     */
    record CommandLine(String option, String value) implements Origin {
        @Override
        public String describe() {
            return option;
        }
    }
}
