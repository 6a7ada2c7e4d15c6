package io.osmhub.sim.faults;

/** Answers of a server that wants to use up its client's memory. None of them ends while the client reads. */
public enum MemoryAttack {
    /** Reads are answered as usual. */
    NONE,
    /** Every GET that is not a watch is answered by one JSON text that never ends. */
    ENDLESS_BODY,
    /** Every list has one page whose items never end; each is a valid object. */
    ENDLESS_LIST,
    /** Every list has pages of 500 valid objects of 20 KB, and each page has a next one. */
    ENDLESS_PAGES,
    /** Every list has one object that never ends. */
    ENDLESS_OBJECT,
    /** Every list has objects of 1 MB that consist of empty arrays, of which a tree takes 20 times the memory. */
    TINY_VALUES,
    /** Every list is compressed by gzip, which the client did not ask for: 256 MB of spaces. */
    GZIP_BOMB,
    /** Every list is sent with one byte a second. */
    DRIPPING_LIST,
    /** Lists are answered as usual, and every watch sends one event that never ends. */
    ENDLESS_EVENT,
    /** Lists are answered as usual, and every watch sends valid events of new objects without end. */
    ENDLESS_EVENTS
}
