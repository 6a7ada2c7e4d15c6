package io.osmhub.api.schema;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;

/** An object of a request: one that is stored, or one that the request brings along. Told apart by their fields. */
@JsonTypeInfo(use = JsonTypeInfo.Id.DEDUCTION)
@JsonSubTypes({@JsonSubTypes.Type(ObjectByName.class), @JsonSubTypes.Type(ObjectInFull.class)})
public sealed interface ObjectSource permits ObjectByName, ObjectInFull {}
