package io.osmhub.core.workercluster;

import io.osmhub.core.schema.CelRuleAnnotation;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Rules of a field or record in addition to types and limits. */
@CelRuleAnnotation
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE_USE)
@interface CelRules {
    WorkerClusterCelRule[] value();
}
