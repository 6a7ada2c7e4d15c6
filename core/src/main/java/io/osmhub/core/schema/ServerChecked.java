package io.osmhub.core.schema;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * {@code apiVersion}, {@code kind} and {@code metadata}: every object has them and the API server checks them by itself,
 * so our schema says no more than their type.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE_USE)
public @interface ServerChecked {}
