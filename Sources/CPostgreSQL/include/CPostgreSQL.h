// libpq, which is loaded on first use.
#ifndef ERRAND_CPOSTGRESQL_H
#define ERRAND_CPOSTGRESQL_H

#include <postgresql/libpq-fe.h>

/// Whether libpq is installed.
int errand_pq_is_available(void);

#endif
