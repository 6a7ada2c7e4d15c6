package io.osmhub.core.schema;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Limits of a string. Lengths count characters; -1 means no limit. On another annotation it makes that one an alias for these
 * limits.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE_USE)
public @interface TextLimits {
    int minLength() default -1;

    int maxLength() default -1;

    /** Searched for anywhere in the text, so it must be anchored if needed. */
    String pattern() default "";

    /** The pattern in words, for messages, for example {@code lower-case letters, digits and '-'}. */
    String form() default "";

    /** For example {@code date-time}. */
    String format() default "";
}
