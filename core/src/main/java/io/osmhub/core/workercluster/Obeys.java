package io.osmhub.core.workercluster;

import io.osmhub.core.schema.NamesRules;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Rules, beyond types and limits, that a field or record keeps. */
@NamesRules
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE_USE)
@interface Obeys {
    WorkerClusterRule[] value();
}
