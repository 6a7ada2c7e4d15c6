package io.osmhub.api.schema;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;

/** An object of a request, stored or contained in the request; deduced from its fields. */
@JsonTypeInfo(use = JsonTypeInfo.Id.DEDUCTION)
@JsonSubTypes({@JsonSubTypes.Type(ObjectByName.class), @JsonSubTypes.Type(ObjectInFull.class)})
public sealed interface ObjectSource permits ObjectByName, ObjectInFull {}
