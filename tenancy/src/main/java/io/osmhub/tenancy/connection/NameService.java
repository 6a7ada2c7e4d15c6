package io.osmhub.tenancy.connection;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/** Finds the addresses of a name; waits for the answer. */
@FunctionalInterface
public interface NameService {
    /** The runtime's, which asks what the operating system asks. */
    NameService SYSTEM = name -> List.of(InetAddress.getAllByName(name));

    List<InetAddress> addresses(String name) throws UnknownHostException;
}
