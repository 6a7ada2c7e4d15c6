package io.osmhub.tenancy.client;

import io.osmhub.workersync.apiserver.MemoryBudget;

/**
 * What a transport does with each request, typed or not.
 *
 * @param share memory for incomplete responses
 * @param requests notified of each completed request, except of cancelled ones
 * @param agent User-Agent of all requests; API servers take what precedes a slash for the field manager of writes that name none
 */
record TransportOptions(
        ClientLimits limits,
        MemoryBudget.MemoryShare share,
        RequestObserver requests,
        ConnectionObserver connections,
        String agent) {
    /** Of all writes, whether they name the hub's or none. */
    String fieldManager() {
        return agent.split("/", 2)[0];
    }
}
