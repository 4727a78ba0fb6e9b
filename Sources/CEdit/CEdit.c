#define _GNU_SOURCE
#include "CEdit.h"

#include <errno.h>
#include <histedit.h>
#include <locale.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Timeout for the rest of an escape sequence, in milliseconds.
static const int sequence_patience = 50;
// Replaces line breaks within a paste: visible, and not on any keyboard.
static const wchar_t pasted_newline = 0x23CE;

struct cedit {
  EditLine *line;
  History *history;
  FILE *input;
  FILE *output;
  int descriptor;
  int interrupt;
  int was_interrupted;
  // Whether a lone Esc ends the input.
  int escape_ends;
  const char *prompt;
  // Lookahead bytes.
  unsigned char ahead[16];
  int ahead_count;
  // Whether the terminal is in the middle of a paste.
  int is_pasting;
  int last_was_return;
};

static char *prompt_of(EditLine *line) {
  cedit *editor;
  el_get(line, EL_CLIENTDATA, &editor);
  return (char *)editor->prompt;
}

// Returns the next byte; -1 at the end, on an interrupt, or after `patience` milliseconds (none if
// negative).
static int next_byte(cedit *editor, int patience) {
  if (editor->ahead_count > 0) {
    int byte = editor->ahead[0];
    memmove(editor->ahead, editor->ahead + 1, (size_t)--editor->ahead_count);
    return byte;
  }
  for (;;) {
    struct pollfd polled[2] = {{editor->descriptor, POLLIN, 0}, {editor->interrupt, POLLIN, 0}};
    int count = poll(polled, editor->interrupt >= 0 ? 2 : 1, patience);
    if (count == 0) return -1;
    if (count < 0) {
      if (errno == EINTR || errno == EAGAIN) continue;
      return -1;
    }
    if (polled[1].revents != 0 && editor->interrupt >= 0) {
      editor->was_interrupted = 1;
      return -1;
    }
    unsigned char byte;
    ssize_t got = read(editor->descriptor, &byte, 1);
    if (got == 1) return byte;
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    return -1;
  }
}

// Consumes a sequence after an escape; the bytes of a partial match are read again later.
static int take_sequence(cedit *editor, const char *sequence) {
  unsigned char seen[8];
  int count = 0;
  for (const char *wanted = sequence; *wanted != 0; wanted++) {
    int byte = next_byte(editor, sequence_patience);
    if (byte >= 0) seen[count++] = (unsigned char)byte;
    if (byte != (unsigned char)*wanted) {
      memmove(editor->ahead + count, editor->ahead, (size_t)editor->ahead_count);
      memcpy(editor->ahead, seen, (size_t)count);
      editor->ahead_count += count;
      return 0;
    }
  }
  return 1;
}

// Decodes the UTF-8 character that starts with a byte.
static wchar_t character(cedit *editor, int first) {
  if (first < 0x80) return first;
  int more = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : 1;
  wchar_t scalar = first & (0x3F >> more);
  while (more-- > 0) {
    int byte = next_byte(editor, sequence_patience);
    if (byte < 0) return 0xFFFD;
    scalar = (scalar << 6) | (byte & 0x3F);
  }
  return scalar;
}

static int next_character(EditLine *line, wchar_t *result) {
  cedit *editor;
  el_get(line, EL_CLIENTDATA, &editor);
  for (;;) {
    int byte = next_byte(editor, -1);
    if (byte < 0) return 0;
    if (byte == 0x1B && editor->ahead_count == 0) {
      if (take_sequence(editor, editor->is_pasting ? "[201~" : "[200~")) {
        editor->is_pasting = !editor->is_pasting;
        editor->last_was_return = 0;
        continue;
      }
      if (editor->escape_ends && !editor->is_pasting && editor->ahead_count == 0) return 0;
    }
    if (editor->is_pasting) {
      int followed_return = editor->last_was_return;
      editor->last_was_return = byte == '\r';
      if (byte == '\n' && followed_return) continue;
      if (byte == '\n' || byte == '\r') {
        *result = pasted_newline;
        return 1;
      }
      if (byte == '\t') byte = ' ';
      if (byte < 0x20 || byte == 0x7F) continue;
    }
    *result = character(editor, byte);
    return 1;
  }
}

cedit *cedit_new(int input, int output, int interrupt) {
  // The only UTF-8 locale that a static program can rely on.
  if (setlocale(LC_CTYPE, "C.UTF-8") == NULL) return NULL;
  cedit *editor = calloc(1, sizeof *editor);
  if (editor == NULL) return NULL;
  editor->descriptor = input;
  editor->interrupt = interrupt;
  int in = dup(input), out = dup(output);
  editor->input = in < 0 ? NULL : fdopen(in, "r");
  editor->output = out < 0 ? NULL : fdopen(out, "w");
  editor->history = history_init();
  if (editor->input != NULL && editor->output != NULL && editor->history != NULL) {
    editor->line = el_init("errand", editor->input, editor->output, editor->output);
  }
  if (editor->line == NULL) {
    cedit_delete(editor);
    return NULL;
  }
  HistEvent event;
  history(editor->history, &event, H_SETSIZE, 500);
  history(editor->history, &event, H_SETUNIQUE, 1);
  el_set(editor->line, EL_CLIENTDATA, editor);
  el_set(editor->line, EL_PROMPT_ESC, prompt_of, '\1');
  el_set(editor->line, EL_HIST, history, editor->history);
  el_set(editor->line, EL_EDITOR, "emacs");
  el_set(editor->line, EL_SIGNAL, 1);
  el_set(editor->line, EL_GETCFN, next_character);
  static const char *const keys[][2] = {
    {"^W", "ed-delete-prev-word"}, {"^R", "em-inc-search-prev"},
    {"\\e[H", "ed-move-to-beg"}, {"\\e[F", "ed-move-to-end"},
    {"\\eOH", "ed-move-to-beg"}, {"\\eOF", "ed-move-to-end"},
    {"\\e[1~", "ed-move-to-beg"}, {"\\e[4~", "ed-move-to-end"},
    {"\\e[3~", "ed-delete-next-char"},
    {"\\e[1;5D", "ed-prev-word"}, {"\\e[1;5C", "em-next-word"},
    {"\\eb", "ed-prev-word"}, {"\\ef", "em-next-word"},
  };
  for (size_t index = 0; index < sizeof keys / sizeof *keys; index++) {
    el_set(editor->line, EL_BIND, keys[index][0], keys[index][1], NULL);
  }
  return editor;
}

void cedit_delete(cedit *editor) {
  if (editor->line != NULL) el_end(editor->line);
  if (editor->history != NULL) history_end(editor->history);
  if (editor->input != NULL) fclose(editor->input);
  if (editor->output != NULL) fclose(editor->output);
  free(editor);
}

void cedit_remember(cedit *editor, const char *line) {
  HistEvent event;
  history(editor->history, &event, H_ENTER, line);
}

int cedit_read(cedit *editor, const char *prompt, int escape_ends, const char **line, int *length) {
  editor->prompt = prompt;
  editor->was_interrupted = 0;
  editor->escape_ends = escape_ends;
  // Asks the terminal to mark what is pasted (xterm, “Bracketed Paste Mode”).
  fputs("\033[?2004h", editor->output);
  fflush(editor->output);
  *line = el_gets(editor->line, length);
  fputs("\033[?2004l", editor->output);
  fflush(editor->output);
  if (editor->was_interrupted) return cedit_interrupted;
  return *line != NULL && *length > 0 ? cedit_line : cedit_end;
}
