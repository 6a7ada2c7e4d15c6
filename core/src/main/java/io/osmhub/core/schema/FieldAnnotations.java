package io.osmhub.core.schema;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** What a schema says about a record, its components and their type arguments beyond their types. */
public final class FieldAnnotations {
    private FieldAnnotations() {}

    /** A field's meaning, for {@code kubectl explain} and the documentation. */
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.TYPE_USE)
    public @interface FieldDescription {
        String value();
    }

    /** The value that the API server stores for an absent field: a text itself, or JSON. Such a field is optional but never null. */
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.TYPE_USE)
    public @interface DefaultValue {
        String value();
    }

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

    /** The only texts allowed, where an enum would be too narrow for values in objects of other versions. */
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.TYPE_USE)
    public @interface AllowedValues {
        String[] value();
    }

    /** Limits of an integer. */
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.TYPE_USE)
    public @interface NumberLimits {
        long min() default Long.MIN_VALUE;

        long max() default Long.MAX_VALUE;
    }

    /** Limits of a number with decimals. */
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.TYPE_USE)
    public @interface DecimalLimits {
        double min();

        double max();
    }

    /** A duration such as {@code 1h30m} within limits in the same format. */
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.TYPE_USE)
    public @interface DurationLimits {
        String shortest();

        String longest();
    }

    /** Limits of the items in a list or the entries in a map; -1 means no limit. */
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.TYPE_USE)
    public @interface SizeLimits {
        int min() default -1;

        int max() default -1;
    }

    /** Items must be unique in the list. */
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.TYPE_USE)
    public @interface UniqueItems {}

    /** The values of these fields must be unique in the list. */
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.TYPE_USE)
    public @interface ListMapKeys {
        String[] value();
    }

    /** Server-side apply replaces the list or object as a whole. */
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.TYPE_USE)
    public @interface Atomic {}

    /**
     * {@code apiVersion}, {@code kind} and {@code metadata}: every object has them and the API server validates them, so the hub's
     * schema only declares their type.
     */
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.TYPE_USE)
    public @interface ServerValidated {}

    /**
     * Marks an annotation whose {@code value()} is an array of {@link CelRule}s. An annotation cannot hold an interface, so each
     * package declares its own for its own enum of rules.
     */
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.ANNOTATION_TYPE)
    public @interface CelRuleAnnotation {}
}
