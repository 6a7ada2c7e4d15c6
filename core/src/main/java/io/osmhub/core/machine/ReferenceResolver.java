package io.osmhub.core.machine;

/**
 * Looks up what {@code secretKeyRef} and {@code configMapKeyRef} of a provider config name, in the worker cluster. May
 * throw {@link io.osmhub.core.problem.Unreachable} when it cannot know.
 */
@FunctionalInterface
public interface ReferenceResolver {
    /** Which kind of object a reference names, with the word that messages use. */
    enum Kind {
        SECRET("secret", "Secret"),
        CONFIG_MAP("configmap", "ConfigMap");

        private final String word;
        private final String kindName;

        Kind(String word, String kindName) {
            this.word = word;
            this.kindName = kindName;
        }

        String word() {
            return word;
        }

        /** The Kubernetes kind. */
        public String kindName() {
            return kindName;
        }
    }

    /** One key of one object. */
    record Reference(Kind kind, String namespace, String name, String key) {}

    /** What a look-up gave. */
    sealed interface Answer {
        record Found(String value) implements Answer {
            @Override
            public String toString() {
                return "Found[<redacted>]";
            }
        }

        /** There is no such object. */
        record NoObject() implements Answer {}

        /** The object has no such key. */
        record NoKey() implements Answer {}

        /** The hub may not read it. */
        record Forbidden() implements Answer {}
    }

    Answer resolve(Reference reference);
}
