package io.osmhub.core.resource;

import com.fasterxml.jackson.annotation.JacksonAnnotationsInside;
import com.fasterxml.jackson.annotation.JsonFormat;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * An enum as the API server stores it. A value of a newer version reads as absent, or as the constant marked
 * {@code @JsonEnumDefaultValue} where absent would be taken for something else.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@JacksonAnnotationsInside
@JsonFormat(
        with = {
            JsonFormat.Feature.READ_UNKNOWN_ENUM_VALUES_AS_NULL,
            JsonFormat.Feature.READ_UNKNOWN_ENUM_VALUES_USING_DEFAULT_VALUE
        })
public @interface WireEnum {}
