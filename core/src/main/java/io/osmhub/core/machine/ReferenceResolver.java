package io.osmhub.core.machine;

/**
 * Resolves {@code secretKeyRef} and {@code configMapKeyRef} of a provider config in the worker cluster. May throw
 * {@link io.osmhub.core.problem.Unreachable}.
 */
@FunctionalInterface
public interface ReferenceResolver {
    /** The kind of a referenced object, with its term in messages. */
    enum Kind {
        SECRET("secret", "Secret"),
        CONFIG_MAP("configmap", "ConfigMap");

        private final String displayName;
        private final String kindName;

        Kind(String word, String kindName) {
            this.displayName = word;
            this.kindName = kindName;
        }

        String displayName() {
            return displayName;
        }

        /** The Kubernetes kind. */
        public String kindName() {
            return kindName;
        }
    }

    /** One key of one object. */
    record Reference(Kind kind, String namespace, String name, String key) {}

    sealed interface ResolveResult {
        record Found(String value) implements ResolveResult {
            @Override
            public String toString() {
                return "Found[<redacted>]";
            }
        }

        /** The object does not exist. */
        record NoObject() implements ResolveResult {}

        /** The object has no such key. */
        record NoKey() implements ResolveResult {}

        /** The hub may not read it. */
        record Forbidden() implements ResolveResult {}
    }

    ResolveResult resolve(Reference reference);
}
