// ErrandCLI
