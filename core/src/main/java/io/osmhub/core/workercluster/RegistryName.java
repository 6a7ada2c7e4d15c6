package io.osmhub.core.workercluster;

import io.osmhub.core.schema.TextLimits;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** An image registry as the container runtime names it, without a scheme. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE_USE)
@TextLimits(
        minLength = 1,
        maxLength = 253,
        pattern =
                "^(\\*|_default|[A-Za-z0-9]([-A-Za-z0-9.]*[A-Za-z0-9])?(:[0-9]{1,5})?(/[A-Za-z0-9._/-]+)?|\\[[0-9A-Fa-f:]+\\](:[0-9]{1,5})?)$",
        form = "a registry without scheme: host, host:port, \"*\" or \"_default\"")
@interface RegistryName {}
