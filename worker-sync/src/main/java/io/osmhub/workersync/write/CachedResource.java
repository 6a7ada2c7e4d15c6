package io.osmhub.workersync.write;

import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.watch.ObjectCache;
import io.osmhub.workersync.watch.ObjectDecoder;

/** A kind of object that the hub writes, with the cache that its responses update. */
record CachedResource<T>(Resource resource, ObjectCache<T> cache, ObjectDecoder<T> decoder) {}
