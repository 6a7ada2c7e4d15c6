package io.osmhub.sim.faults;

/** What a script sees of a request before it is carried out. {@code resource} as in kubectl, with its subresource; texts are empty when they do not apply. */
public record RequestInfo(String verb, String resource, String namespace, String name, String user) {}
