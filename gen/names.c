/* C identifiers from the names of a rule file: spelt so that they are ones, numbered where taken. */
#include "gen/names.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

/* Words of C, and what generated code calls by name. */
static const char *const taken[] = {
	"alignas", "alignof", "asm", "auto", "bool", "break", "case", "char", "const", "continue",
	"default", "do", "double", "else", "enum", "erf", "exp", "extern", "fabs", "false", "float",
	"floor", "for", "goto", "if", "inline", "int", "int64_t", "isnan", "log", "long", "pow",
	"register", "restrict", "return", "short", "signed", "signgam", "sizeof", "sqrt", "static",
	"struct", "switch", "tanh", "true", "typedef", "typeof", "uint32_t", "union", "unsigned", "void",
	"volatile", "while",
};

static const char *
spell_char(char c)
{
	switch (c) {
	case '+': return "plus";
	case '*': return "times";
	case '/': return "over";
	case '=': return "eq";
	case '<': return "lt";
	case '>': return "gt";
	case '!': return "not";
	default: return "_";
	}
}

const char *
name_spell(struct arena *a, const char *text)
{
	size_t len, n = 0;
	char *out;

	/* A dot begins names that no rule file can have. */
	while (text[0] == '.')
		text++;
	len = strlen(text);
	out = arena_alloc(a, 5 * len + 3);

	if (strcmp(text, "-") == 0)
		return "minus";
	/* INFINITY and the like are macros, tn_ is ours: no plain name may start so. */
	if (len == 0 || isdigit((unsigned char)text[0]) || isupper((unsigned char)text[0]) ||
	    text[0] == '_' || strncmp(text, "tn_", 3) == 0) {
		memcpy(out, "v_", 2);
		n = 2;
	}
	for (size_t i = 0; i < len; i++) {
		if (isalnum((unsigned char)text[i]) && (unsigned char)text[i] < 128) {
			out[n++] = text[i];
			continue;
		}
		const char *s = spell_char(text[i]);

		memcpy(out + n, s, strlen(s));
		n += strlen(s);
	}
	out[n] = '\0';
	return out;
}

/* Is it the name of a table of one of the operators? */
static bool
is_table(const struct names *ops, const char *text)
{
	static const char *const prefix[] = {NAME_PREFIXES};

	for (size_t i = 0; i < sizeof prefix / sizeof *prefix; i++) {
		size_t len = strlen(prefix[i]);

		for (uint32_t k = 0; k < ops->used.n && strncmp(text, prefix[i], len) == 0; k++)
			if (strcmp(ops->used.at[k], text) == 0 ||
			    (strncmp(ops->used.at[k], "op_", 3) == 0 && strcmp(ops->used.at[k] + 3, text + len) == 0))
				return true;
	}
	return false;
}

static bool
is_taken(const struct names *n, const char *text)
{
	if (n->ops && is_table(n->ops, text))
		return true;
	for (size_t i = 0; i < sizeof taken / sizeof taken[0]; i++)
		if (strcmp(taken[i], text) == 0)
			return true;
	for (uint32_t i = 0; i < n->used.n; i++)
		if (strcmp(n->used.at[i], text) == 0)
			return true;
	return false;
}

const char *
name_new(struct names *n, const char *text)
{
	const char *stem = name_spell(n->arena, text), *name = stem;

	for (int i = 2; is_taken(n, name); i++)
		name = arena_printf(n->arena, "%s%d", stem, i);
	vec_push(&n->used, name);
	return name;
}

void
names_free(struct names *n)
{
	vec_free(&n->used);
}
