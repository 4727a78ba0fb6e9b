// The program without the network; it re-executes as `errand-net` when an action needs it.
import ErrandCLI
import Glibc

exit(CommandLineProgram.main())
