package io.osmhub.workersync.apiserver;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Tells a client on whose behalf it sends a request. Between the work and the client lie ports that know nothing of either, so
 * that goes with the thread. Where nobody hears, which is the rule, a request costs one look.
 */
public final class HeardWork {
    private static final ScopedValue<RequestListener> LISTENER = ScopedValue.newInstance();

    private HeardWork() {}

    /** Does the work; whatever this thread sends meanwhile is heard. */
    public static <T> T heardBy(RequestListener listener, Supplier<T> work) {
        return ScopedValue.where(LISTENER, listener).call(work::get);
    }

    /** The same work for another thread, heard by whoever hears this one. */
    public static <T> Supplier<T> carried(Supplier<T> work) {
        RequestListener listener = listener();
        return listener == null ? work : () -> heardBy(listener, work);
    }

    /** Who hears what this thread sends; null when nobody does. */
    public static @Nullable RequestListener listener() {
        return LISTENER.isBound() ? LISTENER.get() : null;
    }
}
