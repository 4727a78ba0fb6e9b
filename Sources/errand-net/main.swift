import ErrandCLI
import Glibc
import Network

exit(Errand.main { HTTPClient(userAgent: $0, environment: $1).access })
