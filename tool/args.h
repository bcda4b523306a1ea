/* SPDX-License-Identifier: MIT */
/* The words of a command line. A verb has its options in a table; from it they are read, checked and explained. */
#ifndef TOOL_ARGS_H
#define TOOL_ARGS_H

#include <stdio.h>
#include <weft/base.h>

typedef enum args_kind {
    ARGS_FLAG,   /* bool */
    ARGS_TEXT,   /* const char * */
    ARGS_INT,    /* int32_t in [low, high] */
    ARGS_NUMBER, /* double in [low, high] */
    ARGS_VECTOR, /* args_vector: x,y,z */
    ARGS_RANGE,  /* args_range: A:B, A: or :B */
    ARGS_CHOICE, /* int32_t: which of the words in `shown`, "one|two" */
    ARGS_LIST    /* args_list: may be given several times */
} args_kind;

typedef struct args_vector {
    bool given;
    weft_vec3 v;
} args_vector;

typedef struct args_range {
    bool given;
    int32_t from, to; /* to -1: the last */
} args_range;

/* Has room for as many as there are words on the command line. */
typedef struct args_list {
    const char **items;
    int32_t n;
} args_list;

typedef struct args_option {
    const char *name; /* "frames" for --frames */
    char letter;      /* 'o' for -o; 0: none */
    args_kind kind;
    void *value;       /* keeps what it has unless the option is given */
    const char *shown; /* stands for the value in the help: "N" */
    const char *about;
    double low, high;
} args_option;

typedef struct args_spec {
    const char *verb;
    const char *usage; /* behind the verb: "SCENE [options]" */
    const char *about;
    const char *examples; /* whole lines */
    const char *notes;    /* whole lines; or NULL */
    const args_option *options;
    int32_t n_options;
    int32_t least_words, most_words; /* that are no options; at most ARGS_WORDS */
    const char *words_shown;         /* "a scene file": what is missing or too much */
} args_spec;

enum { ARGS_WORDS = 16 };

typedef struct args_words {
    const char *items[ARGS_WORDS];
    int32_t n;
} args_words;

typedef enum args_result { ARGS_GO, ARGS_HELP, ARGS_WRONG } args_result;

/* argv are the words behind the verb. ARGS_WRONG: message says what is wrong. */
args_result args_parse(const args_spec *spec, int argc, char **argv, args_words *words, char *message, size_t room);
void args_help(const args_spec *spec, FILE *out);
/* The two, and printing. True: go on. False: the program ends with *exit_code. */
bool args_begin(const args_spec *spec, int argc, char **argv, args_words *words, int *exit_code);

/* The name most like a word, NULL if none is like it. Changes of letters are counted (Damerau 1964). */
const char *args_nearest(const char *word, const char *const *names, int32_t n);

/* Whole text as a number. */
bool args_read_int(const char *text, int32_t *out);
bool args_read_number(const char *text, double *out);

#endif
