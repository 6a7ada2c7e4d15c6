package io.osmhub.deploy.config;

/** A value and its origin. */
record ConfiguredValue<T>(T value, ValueOrigin origin) {}
