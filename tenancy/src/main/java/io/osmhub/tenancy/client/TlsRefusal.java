package io.osmhub.tenancy.client;

/**
 * Why a server's certificate was not accepted.
 *
 * @param cause one clause
 * @param expected fingerprint of the first certificate authority that is trusted
 * @param got fingerprint of the last certificate that the server sent: its authority, or the nearest to it
 */
public record TlsRefusal(String cause, String expected, String got) {
    @Override
    public String toString() {
        return cause + "; expected CA " + expected + ", got " + got;
    }
}
