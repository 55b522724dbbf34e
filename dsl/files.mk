# Files of this folder, one a line, so that a stray one is not built; read by the Makefile.

dsl = \
	dsl/check.c \
	dsl/check_expr.c \
	dsl/check_op.c \
	dsl/check_rule.c \
	dsl/cover.c \
	dsl/cover_index.c \
	dsl/diag.c \
	dsl/dump.c \
	dsl/format.c \
	dsl/lint.c \
	dsl/names.c \
	dsl/op_def.c \
	dsl/op_in.c \
	dsl/op_let.c \
	dsl/op_scope.c \
	dsl/reader.c \
	dsl/rule_body.c \
	dsl/rule_scope.c \
	dsl/rule_term.c \
	dsl/rule_value.c \
	dsl/sexp.c \
	dsl/siblings.c \
	dsl/source.c \
	dsl/symmetry.c
