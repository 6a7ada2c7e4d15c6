package io.osmhub.tenancy.connection;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/** Resolves host names. Blocks. */
@FunctionalInterface
public interface DnsResolver {
    /** The Java runtime's resolver, which uses the operating system's. */
    DnsResolver SYSTEM = name -> List.of(InetAddress.getAllByName(name));

    List<InetAddress> resolve(String name) throws UnknownHostException;
}
