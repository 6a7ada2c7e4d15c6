package io.osmhub.core.resource;

import io.osmhub.core.schema.TextLimits;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Name of most objects: a DNS subdomain. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE_USE)
@TextLimits(
        minLength = 1,
        maxLength = 253,
        pattern = "^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$",
        form = "an object name: lower-case letters, digits, '-' and '.'")
public @interface ObjectName {}
