package io.osmhub.api.journal;

/** The three kinds of stored objects whose changes a stream tells. */
enum Source {
    WORKER_CLUSTERS,
    PROFILES,
    CONFIGS
}
