package io.osmhub.core.schema;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * {@code apiVersion}, {@code kind} and {@code metadata}: every object has them and the API server validates them, so the hub's
 * schema only declares their type.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE_USE)
public @interface ServerValidated {}
