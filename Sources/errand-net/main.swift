// The same program with the network.
import ErrandCLI
import Glibc
import Network

exit(CommandLineProgram.main { HTTPClient(userAgent: $0, environment: $1).access })
