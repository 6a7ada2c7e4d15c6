package io.osmhub.sim.faults;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The fault switches of one cluster. Each takes effect at once, also on open connections where that makes sense, and lasts until it is
 * turned back or {@link #clear} is called. Safe for use by several threads.
 */
public final class ClusterFaults {
    /** What changed, for those who have to act on it. */
    public enum FaultChange {
        /** Bytes are held back, slowed down, or no longer. */
        WIRE,
        /** The listener is to be opened or closed. */
        LISTENER,
        /** New connections get another certificate. */
        CERTIFICATE,
        /** Open connections are to be closed. */
        CLOSE_CONNECTIONS,
        /** Open watches are to be ended. */
        END_WATCHES
    }

    private final Set<Consumer<FaultChange>> listeners = ConcurrentHashMap.newKeySet();
    private final CopyOnWriteArrayList<Function<RequestInfo, FaultAction>> scripts = new CopyOnWriteArrayList<>();
    private final AtomicInteger failNext = new AtomicInteger();
    private volatile int failNextCode = 500;
    private volatile Duration latency = Duration.ZERO;
    private volatile double errorShare;
    private volatile int errorCode = 500;
    private volatile double throttledShare;
    private volatile Duration retryAfter = Duration.ofSeconds(1);
    private volatile int seats;
    private final AtomicInteger seatsTaken = new AtomicInteger();
    private volatile boolean watchesEndAtOnce;
    private volatile boolean watchesAreGone;
    private volatile boolean watchesAreSilent;
    private volatile boolean listsHang;
    private volatile boolean writesHang;
    private volatile boolean blackHole;
    private volatile int dripBytes;
    private volatile Duration dripEvery = Duration.ZERO;
    private volatile boolean connectionsRefused;
    private volatile boolean credentialsExpired;
    private volatile ServedCertificate certificate = ServedCertificate.OWN;
    private volatile Duration clockOffset = Duration.ZERO;
    private volatile MemoryAttack attack = MemoryAttack.NONE;

    /** Turns everything back. Connections that were held go on. */
    public void clear() {
        scripts.clear();
        failNext.set(0);
        latency = Duration.ZERO;
        errorShare = 0;
        throttledShare = 0;
        seats = 0;
        watchesEndAtOnce = false;
        watchesAreGone = false;
        watchesAreSilent = false;
        listsHang = false;
        writesHang = false;
        credentialsExpired = false;
        clockOffset = Duration.ZERO;
        attack = MemoryAttack.NONE;
        blackHole(false);
        slowDrip(0, Duration.ZERO);
        refuseConnections(false);
        serveCertificate(ServedCertificate.OWN);
    }

    /** Every request is answered so much later. */
    public void latency(Duration delay) {
        latency = delay;
    }

    /** This share of all requests (0 to 1) is not carried out and answered by an error. */
    public void failShare(double share, int code) {
        errorCode = code;
        errorShare = share;
    }

    /** The next so many requests are not carried out and answered by an error. */
    public void failNext(int requests, int code) {
        failNextCode = code;
        failNext.set(requests);
    }

    /** This share of all requests (0 to 1) is answered by 429 with this advice, given in whole seconds. */
    public void throttle(double share, Duration retryAfterSeconds) {
        retryAfter = retryAfterSeconds;
        throttledShare = share;
    }

    /**
     * No more requests at once than these, each for its {@link #latency}; more are answered by 429 and the advice to come back after 1 s, as
     * by the priority and fairness of an API server. Watches do not count. 0 turns it off.
     */
    public void seats(int atOnce) {
        seats = atOnce;
    }

    /** Takes a seat for a request, to be left by {@link #releaseSlot} when it is answered; false when there is none. */
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

    /** A function that is asked before each request; the first of several that does not answer {@link FaultAction#PASS} decides. */
    public void script(Function<RequestInfo, FaultAction> script) {
        scripts.add(script);
    }

    /** Ends all open watches once, as a server does at their time-out. */
    public void endWatches() {
        notifyListeners(FaultChange.END_WATCHES);
    }

    /** Every new watch ends as soon as it began. */
    public void watchesEndAtOnce(boolean on) {
        watchesEndAtOnce = on;
    }

    /** Every new watch is answered by the status 410, not by an event in the stream. */
    public void watchesAreGone(boolean on) {
        watchesAreGone = on;
    }

    /** Watches stay open but carry nothing any more: no events, no bookmarks. What they missed is lost to them. */
    public void watchesAreSilent(boolean on) {
        watchesAreSilent = on;
    }

    /** Lists are never answered. */
    public void listsHang(boolean on) {
        listsHang = on;
    }

    /** Writes are neither carried out nor answered. */
    public void writesHang(boolean on) {
        writesHang = on;
    }

    /** TCP works, but nothing is ever answered, on open connections neither, not even HTTP/2 pings. Afterwards connections go on where they were. */
    public void blackHole(boolean on) {
        if (blackHole != on) {
            blackHole = on;
            notifyListeners(FaultChange.WIRE);
        }
    }

    /** Only so many bytes leave a connection at a time, with such a pause between; 0 bytes turns it off. */
    public void slowDrip(int bytes, Duration every) {
        if (dripBytes != bytes || !dripEvery.equals(every)) {
            dripEvery = every;
            dripBytes = bytes;
            notifyListeners(FaultChange.WIRE);
        }
    }

    /** New reads get answers that are to use up the client's memory. Those that have begun continue until the client ends them. */
    public void attack(MemoryAttack by) {
        attack = by;
    }

    /** The port is closed, and so are all connections; turned back, the same port is opened again. */
    public void refuseConnections(boolean on) {
        if (connectionsRefused != on) {
            connectionsRefused = on;
            notifyListeners(FaultChange.LISTENER);
        }
    }

    /** Every credential is answered by 401, as if it had expired. */
    public void credentialsExpired(boolean on) {
        credentialsExpired = on;
    }

    /** New connections are served with another certificate; open ones are closed. */
    public void serveCertificate(ServedCertificate served) {
        if (certificate != served) {
            certificate = served;
            notifyListeners(FaultChange.CERTIFICATE);
            notifyListeners(FaultChange.CLOSE_CONNECTIONS);
        }
    }

    /** The cluster's clock is ahead by so much (behind, when negative): timestamps, token expiry and the Date header follow. */
    public void clockOffset(Duration offset) {
        clockOffset = offset;
    }

    /** Closes all open connections once. */
    public void closeConnections() {
        notifyListeners(FaultChange.CLOSE_CONNECTIONS);
    }

    /** What becomes of this request. Each call uses up one of {@link #failNext}. */
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
        if (happens(errorShare)) {
            return FaultAction.fail(errorCode);
        }
        if (isAttacked(request.verb())) {
            return new FaultAction.AttackResponse(attack);
        }
        boolean write = !request.verb().equals("get")
                && !request.verb().equals("list")
                && !request.verb().equals("watch");
        boolean hangs = (listsHang && request.verb().equals("list")) || (writesHang && write);
        return hangs ? new FaultAction.Hang() : FaultAction.PASS;
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

    /** See {@link #latency(Duration)}. */
    public Duration latency() {
        return latency;
    }

    /** See {@link #watchesEndAtOnce(boolean)}. */
    public boolean watchesEndAtOnce() {
        return watchesEndAtOnce;
    }

    /** See {@link #watchesAreGone(boolean)}. */
    public boolean watchesAreGone() {
        return watchesAreGone;
    }

    /** See {@link #watchesAreSilent(boolean)}. */
    public boolean watchesAreSilent() {
        return watchesAreSilent;
    }

    /** See {@link #blackHole(boolean)}. */
    public boolean blackHole() {
        return blackHole;
    }

    /** See {@link #slowDrip}; 0 when off. */
    public int dripBytes() {
        return dripBytes;
    }

    /** See {@link #slowDrip}. */
    public Duration dripEvery() {
        return dripEvery;
    }

    /** See {@link #refuseConnections(boolean)}. */
    public boolean connectionsRefused() {
        return connectionsRefused;
    }

    /** See {@link #credentialsExpired(boolean)}. */
    public boolean credentialsExpired() {
        return credentialsExpired;
    }

    /** See {@link #serveCertificate}. */
    public ServedCertificate certificate() {
        return certificate;
    }

    /** See {@link #clockOffset(Duration)}. */
    public Duration clockOffset() {
        return clockOffset;
    }

    /** Notifies a listener of every change until the returned handle is run; on the thread that makes the change. */
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
