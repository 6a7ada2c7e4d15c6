package io.osmhub.deploy.config;

import io.osmhub.core.document.DocumentNode;
import io.osmhub.core.document.SourceDocument;
import io.osmhub.core.problem.SourcePosition;

/** The source of a configuration value. Later sources override earlier ones. */
sealed interface ValueOrigin {
    String ENVIRONMENT = "environment";

    /** Short form, for printing the effective configuration. */
    String describe();

    /** An error in the value of a key. */
    InputError error(String key, String what, String cure);

    record BuiltIn() implements ValueOrigin {
        @Override
        public String describe() {
            return "built-in";
        }

        @Override
        public InputError error(String key, String what, String cure) {
            return new InputError(describe(), SourcePosition.NONE, key, what, cure);
        }
    }

    record File(SourceDocument document, String path) implements ValueOrigin {
        @Override
        public String describe() {
            SourcePosition at = position(path, false);
            return document.source() + (at.isKnown() ? ":" + at.line() + ":" + at.column() : "");
        }

        @Override
        public InputError error(String key, String what, String cure) {
            boolean ofName = what.equals("unknown key") || what.equals("applies to one tenant only");
            return new InputError(document.source().toString(), position(key, ofName), key, what, cure);
        }

        /** The position of the value or its name, or of the closest existing parent. */
        private SourcePosition position(String key, boolean ofName) {
            DocumentNode value = ofName ? null : document.find(key);
            return value == null ? document.positionOf(key) : value.position();
        }
    }

    record Environment(String variable) implements ValueOrigin {
        @Override
        public String describe() {
            return variable;
        }

        @Override
        public InputError error(String key, String what, String cure) {
            return new InputError(ENVIRONMENT, SourcePosition.NONE, variable, what, cure);
        }
    }

    /** @param option as written, for example {@code --log-level} */
    record CommandLine(String option, String value) implements ValueOrigin {
        @Override
        public String describe() {
            return option;
        }

        @Override
        public InputError error(String key, String what, String cure) {
            // The preceding column already shows the value of an option.
            String start = "\"" + value + "\" is ";
            return option.equals("--set")
                    ? new InputError(option, SourcePosition.NONE, key, what, cure)
                    : new InputError(
                            option,
                            SourcePosition.NONE,
                            value,
                            what.startsWith(start) ? what.substring(start.length()) : what,
                            cure);
        }
    }
}
