# Files of this folder, one a line, so that a stray one is not built; read by the Makefile.

gen = \
	gen/alike.c \
	gen/apply.c \
	gen/compile.c \
	gen/def.c \
	gen/def_dim.c \
	gen/def_list.c \
	gen/def_node.c \
	gen/def_read.c \
	gen/draw.c \
	gen/emit.c \
	gen/eval.c \
	gen/file.c \
	gen/func.c \
	gen/gen.c \
	gen/guard.c \
	gen/join.c \
	gen/literal.c \
	gen/match.c \
	gen/names.c \
	gen/ops.c \
	gen/optimizer.c \
	gen/pattern.c \
	gen/place.c \
	gen/place_stmt.c \
	gen/plan.c \
	gen/plan_ask.c \
	gen/plan_column.c \
	gen/seal.c \
	gen/shape.c \
	gen/shape_x.c \
	gen/table.c \
	gen/tree.c \
	gen/typed.c
