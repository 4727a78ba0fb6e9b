import ErrandCLI
import Glibc

exit(CommandLineProgram.main())
