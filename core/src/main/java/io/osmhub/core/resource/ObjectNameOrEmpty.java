package io.osmhub.core.resource;

import io.osmhub.core.schema.TextLimits;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Name of an object; the empty text switches an inherited reference off. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE_USE)
@TextLimits(
        maxLength = 253,
        pattern = "^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*)?$",
        form = "an object name, or an empty text: lower-case letters, digits, '-' and '.'")
public @interface ObjectNameOrEmpty {}
