// A face for libedit, which edits a line on a terminal; see Sources/CEdit/CEdit.c.
#ifndef ERRAND_CEDIT_H
#define ERRAND_CEDIT_H

#ifdef __cplusplus
extern "C" {
#endif

// An editor of lines on one terminal.
typedef struct cedit cedit;

// What reading a line came to.
enum { cedit_end = 0, cedit_line = 1, cedit_interrupted = 2 };

// Makes an editor that reads from one descriptor and draws on another; NULL where that is
// impossible. What becomes readable on `interrupt` ends a reading; -1 for nothing.
cedit *cedit_new(int input, int output, int interrupt);

void cedit_delete(cedit *editor);

// Puts a line into the history, as the latest.
void cedit_remember(cedit *editor, const char *line);

// Lets a person type a line behind a prompt, in which characters between two \1 take no room. The
// line stays until the next one is read; lines of a paste are parted by U+23CE.
int cedit_read(cedit *editor, const char *prompt, const char **line, int *length);

#ifdef __cplusplus
}
#endif

#endif
