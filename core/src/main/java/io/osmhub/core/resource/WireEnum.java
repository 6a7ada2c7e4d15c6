package io.osmhub.core.resource;

import com.fasterxml.jackson.annotation.JacksonAnnotationsInside;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * An enum as the API server stores it, each constant with its {@code @JsonProperty}. A value of a newer version is read as absent,
 * or as the constant marked {@code @JsonEnumDefaultValue} where absent has another meaning.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@JacksonAnnotationsInside
@JsonDeserialize(using = WireEnumDeserializer.class)
public @interface WireEnum {}
