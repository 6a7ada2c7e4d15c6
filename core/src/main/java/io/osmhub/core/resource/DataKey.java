package io.osmhub.core.resource;

import io.osmhub.core.schema.TextLimits;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Key in the data of a Secret or ConfigMap. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE_USE)
@TextLimits(
        minLength = 1,
        maxLength = 253,
        pattern = "^[-._a-zA-Z0-9]+$",
        form = "a key: letters, digits, '-', '_' and '.'")
public @interface DataKey {}
