/* Operators of rules/tensor.rules, types and records from short texts, for tests over tables. */
#ifndef TESTS_GIVEN_H
#define TESTS_GIVEN_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/dtype.h"
#include "dsl/rule.h"
#include "tensor/data.h"

static struct tn_ctx *c;
static struct rules rules;

static inline bool
load_operators(void)
{
	static const char *const path[] = {"rules/tensor.rules"};

	if (rules_load(&rules, path, 1))
		return true;
	diag_print(&rules.diags, stdout, false);
	return false;
}

static inline const struct tn_op *
op_named(const char *name)
{
	int i;

	for (i = 0; i < rules.text.nop; i++)
		if (strcmp(rules.text.op[i].name, name) == 0)
			return &rules.text.op[i];
	printf("no operator %s\n", name);
	exit(1);
}

/* a number, a name, or name-number or name*number */
static inline tn_dim
read_dim(const char *word)
{
	char name[32];
	int n = (int)strcspn(word, "*/-"), k = word[n] ? atoi(word + n + 1) : 0;
	tn_dim d;

	if (strspn(word, "-0123456789") == strlen(word))
		return atoi(word);
	snprintf(name, sizeof name, "%.*s", n, word);
	d = tn_dim_sym(c, name);
	return word[n] == '-' ? tn_dim_sub(c, d, k) : word[n] == '*' ? tn_dim_mul(c, d, k) : word[n] == '/' ? tn_dim_div(c, d, k) : d;
}

/* "f32 1 3 h w"; "?": TN_NONE, a number */
static inline tn_type
read_type(const char *text)
{
	struct tn_shape t = {.rank = -1};
	char copy[200], *word;

	if (strcmp(text, "?") == 0)
		return TN_NONE;
	snprintf(copy, sizeof copy, "%s", text);
	for (word = strtok(copy, " "); word; word = strtok(NULL, " ")) {
		if (t.rank >= 0)
			t.dim[t.rank] = read_dim(word);
		else
			t.dtype = dtype_named(word);
		t.rank++;
	}
	return tn_type_make(c, &t);
}

/* the words of one setting after its name */
static inline tn_val
read_value(const struct tn_attr_decl *d, char *words)
{
	int64_t list[16];
	struct tn_value v = {.kind = d->kind, .u.list = list};
	double number = strtod(words, NULL);
	char *word, *rest;

	for (word = strtok_r(words, " ", &rest); word && v.n < 16; word = strtok_r(NULL, " ", &rest))
		list[v.n++] = read_dim(word);
	if (d->kind == TN_K_FLOAT)
		v.u.f = number;
	else if (d->kind != TN_K_INTS && d->kind != TN_K_DIMS)
		v.u.i = list[0];
	return tn_val_make(c, &v);
}

/* "strides 2 2; groups 3": the others are as declared */
static inline tn_attrs
read_attrs(const struct tn_op *op, const char *text)
{
	char copy[200], name[32], *one, *rest = copy;
	tn_val v[16];
	int i, len;

	for (i = 0; i < op->nattr; i++)
		v[i] = attr_default(c, &op->attr[i]);
	snprintf(copy, sizeof copy, "%s", text);
	while ((one = strsep(&rest, ";"))) {
		one += strspn(one, " ");
		len = (int)strcspn(one, " ");
		snprintf(name, sizeof name, "%.*s", len, one);
		for (i = 0; i < op->nattr; i++)
			if (strcmp(op->attr[i].name, name) == 0)
				v[i] = read_value(&op->attr[i], one + len);
	}
	return tn_attrs_make(c, v, op->nattr);
}

#endif
