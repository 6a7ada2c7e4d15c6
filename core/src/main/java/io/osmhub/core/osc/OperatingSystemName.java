package io.osmhub.core.osc;

import io.osmhub.core.schema.AllowedValues;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Operating systems that an object may name: those of OSM and of the hub's own profiles, and centos, which older
 * objects hold. Rendering decides which are supported.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE_USE)
@AllowedValues({"flatcar", "rhel", "ubuntu", "amzn2", "rockylinux", "amzn2023", "debian", "centos"})
public @interface OperatingSystemName {}
