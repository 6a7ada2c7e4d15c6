package io.osmhub.workersync.apiserver;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Attributes the requests that a thread sends to the work it does. The ports between the work and the client know neither, so the
 * attribution is bound to the thread. Without a listener, the usual case, a request costs one lookup.
 */
public final class RequestAttribution {
    private static final ScopedValue<RequestListener> LISTENER = ScopedValue.newInstance();

    private RequestAttribution() {}

    /** Runs the work; the listener receives every request that this thread sends meanwhile. */
    public static <T> T callWithListener(RequestListener listener, Supplier<T> work) {
        return ScopedValue.where(LISTENER, listener).call(work::get);
    }

    /** Binds the current listener to work that runs on another thread. */
    public static <T> Supplier<T> withCurrentListener(Supplier<T> work) {
        RequestListener listener = currentListener();
        return listener == null ? work : () -> callWithListener(listener, work);
    }

    /** The listener of this thread; null if there is none. */
    public static @Nullable RequestListener currentListener() {
        return LISTENER.isBound() ? LISTENER.get() : null;
    }
}
