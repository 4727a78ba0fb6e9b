// A wrapper of libedit, the line editor; see Sources/CEdit/CEdit.c.
#ifndef ERRAND_CEDIT_H
#define ERRAND_CEDIT_H

#ifdef __cplusplus
extern "C" {
#endif

// A line editor on a terminal.
typedef struct cedit cedit;

// The outcomes of reading a line.
enum { cedit_end = 0, cedit_line = 1, cedit_interrupted = 2 };

// Creates an editor that reads from one descriptor and draws on another; NULL on failure. Reading
// ends when the descriptor `interrupt` becomes readable; -1 for none.
cedit *cedit_new(int input, int output, int interrupt);

void cedit_delete(cedit *editor);

// Appends a line to the history.
void cedit_remember(cedit *editor, const char *line);

// Reads a line after a prompt, in which characters between two \1 have no width. The line is valid
// until the next read; pasted lines are separated by U+23CE. With `escape_ends`, Esc alone ends the
// input, as Ctrl-D does.
int cedit_read(cedit *editor, const char *prompt, int escape_ends, const char **line, int *length);

#ifdef __cplusplus
}
#endif

#endif
