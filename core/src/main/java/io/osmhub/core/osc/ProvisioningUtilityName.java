package io.osmhub.core.osc;

import io.osmhub.core.schema.Choices;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** What configures a machine at its first boot. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE_USE)
@Choices({"cloud-init", "ignition"})
public @interface ProvisioningUtilityName {}
