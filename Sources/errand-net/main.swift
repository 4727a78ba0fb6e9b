// The same program with the network.
import ErrandCLI
import Glibc
import HTTPDaemon
import Hub
import Network

exit(
  CommandLineProgram.main(
    network: { HTTPClient(userAgent: $0, environment: $1).access },
    pushCipher: .openSSL,
    serve: { try Daemon.serve($0, socket: $1, wake: $2, isEnding: $3) },
    hub: { try PostgreSQLHub($0, wake: $1) }))
