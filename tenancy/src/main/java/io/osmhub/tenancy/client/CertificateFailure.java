package io.osmhub.tenancy.client;

/**
 * Why a server's certificate was rejected.
 *
 * @param cause one clause
 * @param expected fingerprint of the first trusted certificate authority
 * @param got fingerprint of the last certificate of the server's chain
 */
public record CertificateFailure(String cause, String expected, String got) {
    @Override
    public String toString() {
        return cause + ", expected CA " + expected + ", got " + got;
    }
}
