package io.osmhub.core.osc;

import io.osmhub.core.schema.Choices;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Operating systems that an object may name: the peer's, those of this project's own profiles, and centos, which older
 * objects hold. Whether one is served is decided when rendering.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE_USE)
@Choices({"flatcar", "rhel", "ubuntu", "amzn2", "rockylinux", "amzn2023", "debian", "centos"})
public @interface OperatingSystemName {}
