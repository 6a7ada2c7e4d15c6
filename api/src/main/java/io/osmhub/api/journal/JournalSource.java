package io.osmhub.api.journal;

/** The three kinds of stored objects whose changes are streamed. */
enum JournalSource {
    WORKER_CLUSTERS,
    PROFILES,
    CONFIGS
}
