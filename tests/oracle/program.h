/* The program that a test is of: built in, or SHARED-OBJECT SYMBOL of its command line.  NULL: said why. */
#ifndef ORACLE_PROGRAM_H
#define ORACLE_PROGRAM_H

struct tn_program;

const struct tn_program *program_of(int argc, char **argv);

#endif
