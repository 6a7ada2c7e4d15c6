package io.osmhub.core.osc;

import io.osmhub.core.schema.AllowedValues;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** What configures a machine at its first boot. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE_USE)
@AllowedValues({"cloud-init", "ignition"})
public @interface ProvisioningUtilityName {}
