package io.osmhub.core.template;

/**
 * What people should know of a function that templates may call, for {@code hub explain function} and the documentation.
 *
 * @param signature how it is called, for example {@code indent N TEXT}
 * @param description one sentence
 * @param example a template that calls it; empty when there is none
 * @param result what the example prints
 * @param deterministic false when two runs may differ, so that a profile using it would never come to rest
 */
public record FunctionReference(
        String name,
        Language language,
        String signature,
        String description,
        String example,
        String result,
        boolean deterministic) {
    /** Whose function it is. */
    public enum Language {
        GO,
        HANDLEBARS
    }
}
