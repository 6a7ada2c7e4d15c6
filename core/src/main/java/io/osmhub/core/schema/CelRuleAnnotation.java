package io.osmhub.core.schema;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks an annotation whose {@code value()} is an array of {@link CelRule}s. An annotation cannot hold an interface, so each
 * package declares its own for its own enum of rules.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.ANNOTATION_TYPE)
public @interface CelRuleAnnotation {}
