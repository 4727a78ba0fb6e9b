import ErrandCLI
import Glibc

exit(Errand.main())
