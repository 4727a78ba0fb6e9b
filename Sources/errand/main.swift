import ErrandCLI
