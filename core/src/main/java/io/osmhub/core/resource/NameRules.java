package io.osmhub.core.resource;

import io.osmhub.core.schema.FieldAnnotations.TextLimits;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Rules of names in Kubernetes, as limits of texts. */
public final class NameRules {
    private NameRules() {}

    /** Name of most objects: a DNS subdomain. */
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.TYPE_USE)
    @TextLimits(
            minLength = 1,
            maxLength = 253,
            pattern = "^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$",
            form = "an object name: lower-case letters, digits, '-' and '.'")
    public @interface ObjectName {}

    /** Name of an object; the empty text switches an inherited reference off. */
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.TYPE_USE)
    @TextLimits(
            maxLength = 253,
            pattern = "^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*)?$",
            form = "an object name, or an empty text: lower-case letters, digits, '-' and '.'")
    public @interface ObjectNameOrEmpty {}

    /** Name of a namespace: a DNS label. */
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.TYPE_USE)
    @TextLimits(
            minLength = 1,
            maxLength = 63,
            pattern = "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$",
            form = "a namespace: lower-case letters, digits and '-'")
    public @interface NamespaceName {}

    /** Key in the data of a Secret or ConfigMap. */
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.TYPE_USE)
    @TextLimits(
            minLength = 1,
            maxLength = 253,
            pattern = "^[-._a-zA-Z0-9]+$",
            form = "a key: letters, digits, '-', '_' and '.'")
    public @interface DataKey {}
}
