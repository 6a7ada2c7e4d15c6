package io.osmhub.core.template;

/**
 * What people should know of a function that templates may call, for {@code hub explain function} and the documentation.
 *
 * @param family what it is about, for example {@code Texts}
 * @param signature how it is called, for example {@code indent N TEXT}
 * @param description one sentence
 * @param example a template that calls it
 * @param result what the example prints
 * @param deterministic false when two runs may differ, so that a profile using it would never come to rest
 * @param closed whether it gives less here than where it comes from, because templates reach neither host nor network
 */
public record FunctionReference(
        String name,
        Language language,
        Origin origin,
        String family,
        String signature,
        String description,
        String example,
        String result,
        boolean deterministic,
        boolean closed) {
    /** Whose function it is. */
    public enum Language {
        GO("Go template"),
        HANDLEBARS("Handlebars");

        private final String title;

        Language(String title) {
            this.title = title;
        }

        /** As people write it. */
        public String title() {
            return title;
        }
    }

    /** Where a function's behaviour is defined. */
    public enum Origin {
        GO("Go text/template"),
        SPRIG("sprig 3.3"),
        OSM("operating-system-manager"),
        HANDLEBARS("Handlebars"),
        HUB("OSM Hub");

        private final String title;

        Origin(String title) {
            this.title = title;
        }

        /** As people write it. */
        public String title() {
            return title;
        }
    }
}
