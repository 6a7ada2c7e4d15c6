package io.osmhub.sim.faults;

import io.osmhub.sim.http.SimulatedRequest.RequestInfo;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The faults of one cluster. Each takes effect immediately, also on open connections where that makes sense, and lasts until it is turned
 * off or {@link #clear} is called. Thread-safe.
 */
public final class ClusterFaults {
    /** A fault that is on or off; the methods of the same names describe them. */
    public enum Switch {
        WATCHES_ARE_GONE,
        BLACK_HOLE,
        REFUSE_CONNECTIONS,
        CREDENTIALS_EXPIRED
    }

    /** What has changed. */
    public enum FaultChange {
        /** Whether bytes are held back or slowed down. */
        WIRE,
        /** Whether the port is open. */
        LISTENER,
        CLOSE_CONNECTIONS,
        END_WATCHES
    }

    /** The server certificate of new connections. */
    public enum ServedCertificate {
        /** Issued by the kubeconfig's authority. */
        OWN,
        /** A new one of the same authority. */
        RENEWED,
        /** Issued by an untrusted authority. */
        FOREIGN
    }

    /** Responses that exhaust a client's memory. None of them ends while the client reads. */
    public enum MemoryAttack {
        /** No attack. */
        NONE,
        /** Every GET except a watch returns one JSON text that never ends. */
        ENDLESS_BODY,
        /** Every list has one page of endless valid objects. */
        ENDLESS_LIST,
        /** Every list has pages of 500 valid objects of 20 KB, and each page has a next one. */
        ENDLESS_PAGES,
        /** Every list has one object that never ends. */
        ENDLESS_OBJECT,
        /** Every list has objects of 1 MB that consist of empty arrays; as a tree they use 20 times the memory. */
        TINY_VALUES,
        /** Every list is compressed with gzip without being requested: 256 MB of spaces. */
        GZIP_BOMB,
        /** Every list sends one byte a second. */
        DRIPPING_LIST,
        /** Lists work; every watch sends one event that never ends. */
        ENDLESS_EVENT,
        /** Lists work; every watch sends endless valid events of new objects. */
        ENDLESS_EVENTS
    }

    /** The result of one request. */
    public sealed interface FaultAction {
        /** The usual response. */
        record Pass() implements FaultAction {}

        /** Rejected with an error; {@code retryAfter} is sent as a header unless it is zero. */
        record Fail(int code, Duration retryAfter) implements FaultAction {}

        /** Not carried out, and its connection is closed. */
        record Drop() implements FaultAction {}

        /** Carried out, but the connection is closed instead of a response: the client cannot know the outcome. */
        record DropResponse() implements FaultAction {}

        /** Carried out, but the response is an error. */
        record FailResponse(int code) implements FaultAction {}

        /** The response exhausts the client's memory. */
        record AttackResponse(MemoryAttack by) implements FaultAction {}

        FaultAction PASS = new Pass();

        static FaultAction fail(int code) {
            return new Fail(code, Duration.ZERO);
        }
    }

    private final Set<Switch> switchedOn = ConcurrentHashMap.newKeySet();
    private final Set<Consumer<FaultChange>> listeners = ConcurrentHashMap.newKeySet();
    private final CopyOnWriteArrayList<Function<RequestInfo, FaultAction>> scripts = new CopyOnWriteArrayList<>();
    private final AtomicInteger failNext = new AtomicInteger();
    private volatile int failNextCode = 500;
    private volatile Duration latency = Duration.ZERO;
    private volatile double throttledShare;
    private volatile Duration retryAfter = Duration.ofSeconds(1);
    private volatile int seats;
    private final AtomicInteger seatsTaken = new AtomicInteger();
    private volatile int dripBytes;
    private volatile Duration dripEvery = Duration.ZERO;
    private volatile ServedCertificate certificate = ServedCertificate.OWN;
    private volatile MemoryAttack attack = MemoryAttack.NONE;

    /** Turns all faults off. Held connections continue. */
    public void clear() {
        scripts.clear();
        failNext.set(0);
        latency = Duration.ZERO;
        throttledShare = 0;
        seats = 0;
        attack = MemoryAttack.NONE;
        for (Switch each : Switch.values()) {
            set(each, false);
        }
        slowDrip(0, Duration.ZERO);
        serveCertificate(ServedCertificate.OWN);
    }

    private void set(Switch which, boolean on) {
        boolean changed = on ? switchedOn.add(which) : switchedOn.remove(which);
        if (changed && which == Switch.BLACK_HOLE) {
            notifyListeners(FaultChange.WIRE);
        } else if (changed && which == Switch.REFUSE_CONNECTIONS) {
            notifyListeners(FaultChange.LISTENER);
        }
    }

    public boolean isOn(Switch which) {
        return switchedOn.contains(which);
    }

    /** Delays every response. */
    public void latency(Duration delay) {
        latency = delay;
    }

    public Duration latency() {
        return latency;
    }

    /** Rejects the next requests with an error. */
    public void failNext(int requests, int code) {
        failNextCode = code;
        failNext.set(requests);
    }

    /** Rejects this share of all requests (0 to 1) with 429 and this advice, sent in whole seconds. */
    public void throttle(double share, Duration retryAfterSeconds) {
        retryAfter = retryAfterSeconds;
        throttledShare = share;
    }

    /**
     * Limits concurrent requests, each of which takes {@link #latency} and the server's time; more are rejected with 429 and the advice to retry after 1 s, as by
     * API priority and fairness. Watches do not count. 0 turns it off.
     */
    public void seats(int limit) {
        seats = limit;
    }

    /** Takes a seat for a request, to be returned by {@link #releaseSlot}; false if there is none. */
    public boolean tryAcquireSlot() {
        int most = seats;
        if (seatsTaken.incrementAndGet() <= most || most == 0) {
            return true;
        }
        releaseSlot();
        return false;
    }

    /** See {@link #tryAcquireSlot}. */
    public void releaseSlot() {
        seatsTaken.decrementAndGet();
    }

    /** Calls a function before each request; the first of several that does not return {@link FaultAction#PASS} decides. */
    public void script(Function<RequestInfo, FaultAction> script) {
        scripts.add(script);
    }

    /** Ends all open watches once, as a server does at their timeout. */
    public void endWatches() {
        notifyListeners(FaultChange.END_WATCHES);
    }

    /** Rejects every new watch with the status 410 instead of an event in the stream. */
    public void watchesAreGone(boolean on) {
        set(Switch.WATCHES_ARE_GONE, on);
    }

    /** TCP works, but no byte is answered, not even HTTP/2 pings, also on open connections. Afterwards connections continue where they were. */
    public void blackHole(boolean on) {
        set(Switch.BLACK_HOLE, on);
    }

    /** Closes the port, but not open connections; turning it off opens the same port again. */
    public void refuseConnections(boolean on) {
        set(Switch.REFUSE_CONNECTIONS, on);
    }

    /** Rejects every credential with 401, as if it had expired. */
    public void credentialsExpired(boolean on) {
        set(Switch.CREDENTIALS_EXPIRED, on);
    }

    /** Connections send only this many bytes at a time, with a pause between; 0 bytes turns it off. */
    public void slowDrip(int bytes, Duration every) {
        if (dripBytes != bytes || !dripEvery.equals(every)) {
            dripEvery = every;
            dripBytes = bytes;
            notifyListeners(FaultChange.WIRE);
        }
    }

    /** 0 if off. */
    int dripBytes() {
        return dripBytes;
    }

    Duration dripEvery() {
        return dripEvery;
    }

    /** Answers new reads with an attack. Attacks that have begun continue until the client ends them. */
    public void attack(MemoryAttack by) {
        attack = by;
    }

    /** Serves new connections with another certificate and closes the open ones. */
    public void serveCertificate(ServedCertificate served) {
        if (certificate != served) {
            certificate = served;
            closeConnections();
        }
    }

    public ServedCertificate certificate() {
        return certificate;
    }

    /** Closes all open connections once. */
    public void closeConnections() {
        notifyListeners(FaultChange.CLOSE_CONNECTIONS);
    }

    /** The result of this request. Each call uses up one of {@link #failNext}. */
    public FaultAction decide(RequestInfo request) {
        for (Function<RequestInfo, FaultAction> script : scripts) {
            FaultAction verdict = script.apply(request);
            if (!(verdict instanceof FaultAction.Pass)) {
                return verdict;
            }
        }
        if (failNext.get() > 0 && failNext.getAndDecrement() > 0) {
            return FaultAction.fail(failNextCode);
        }
        if (happens(throttledShare)) {
            return new FaultAction.Fail(429, retryAfter);
        }
        if (isAttacked(request.verb())) {
            return new FaultAction.AttackResponse(attack);
        }
        return FaultAction.PASS;
    }

    private boolean isAttacked(String verb) {
        return switch (attack) {
            case NONE -> false;
            case ENDLESS_BODY -> verb.equals("get") || verb.equals("list");
            case ENDLESS_LIST, ENDLESS_PAGES, ENDLESS_OBJECT, TINY_VALUES, GZIP_BOMB, DRIPPING_LIST ->
                verb.equals("list");
            case ENDLESS_EVENT, ENDLESS_EVENTS -> verb.equals("watch");
        };
    }

    /** Notifies a listener of every change, on the thread that makes it, until the returned handle is run. */
    public Runnable onChange(Consumer<FaultChange> listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    private void notifyListeners(FaultChange change) {
        listeners.forEach(listener -> listener.accept(change));
    }

    private static boolean happens(double share) {
        return share > 0 && ThreadLocalRandom.current().nextDouble() < share;
    }
}
