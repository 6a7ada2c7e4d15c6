package io.osmhub.deploy.config;

/** A value and where it comes from. */
record Given<T>(T value, Origin origin) {}
