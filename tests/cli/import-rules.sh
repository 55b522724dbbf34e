#!/usr/bin/env bash
# Rules of TENSAT, egg and egglog become rule text that compiles; what is not read is said with its place.
set -u
bad=0
wrong() { echo "$*"; bad=1; }

# FILE, options: translated, and what came of it compiles
translate() {
	local file=$1
	shift
	"$TENON" import-rules "$@" "$TMP/$file" -o "$TMP/$file.rules" || { wrong "$file: not translated"; return; }
	"$TENONC" -I rules "$TMP/$file.rules" -o /dev/null || { cat "$TMP/$file.rules"; wrong "$file: does not compile"; }
}
has() { grep -qF -- "$2" "$TMP/$1.rules" || { cat "$TMP/$1.rules"; wrong "$1: lacks $2"; }; }

cat >"$TMP/single" <<'END'
(matmul 0 ?a (matmul 0 ?b ?c))=>(matmul 0 (matmul 0 ?a ?b) ?c)
(relu (conv2d 1 1 0 0 ?x ?w))=>(conv2d 1 1 0 2 ?x ?w)
(concat 1 2 (ewadd ?a ?b) (ewadd ?c ?d))=>(ewadd (concat 1 2 ?a ?c) (concat 1 2 ?b ?d))
END
translate single
has single '(=> (relu (conv2d ?x ?w :strides [1 1] :pads [$p $q $p $q] :act none)) (conv2d ?x ?w :strides [1 1] :pads [$p $q $p $q] :act relu))'
has single '(when (= 2 (rank ?a)))'

cat >"$TMP/multi" <<'END'
(matmul 0 ?a ?b)=>(split_0 (split 1 (matmul 0 ?a (concat 1 2 ?b ?c))))
(matmul 0 ?a ?c)=>(split_1 (split 1 (matmul 0 ?a (concat 1 2 ?b ?c))))
END
translate multi --pairs
has multi '(let ?y0 (matmul ?a (concat ?b ?c :axis 1) :act none))'
has multi '(slice ?y0 :axis 1 :from (dim ?b 1) :to (dim ?y0 1))'

cat >"$TMP/egg" <<'END'
vec![	// rules of a small calculator; "quoted" in a comment
	rw!("comm-add"; "(+ ?a ?b)" => "(+ ?b ?a)"),
	rewrite!("mul-one"; "(* ?a 1)" => "?a"),
	rw!("distribute"; "(* ?a (+ ?b ?c))" <=> "(+ (* ?a ?b) (* ?a ?c))"),
]
END
translate egg
has egg '(op + (cost 1) (in (x0) (x1)) (out))'
has egg '(rule distribute (<=> (* ?a (+ ?b ?c)) (+ (* ?a ?b) (* ?a ?c))))'

cat >"$TMP/egglog" <<'END'
(datatype Math (Num i64) (Add Math Math))
(rewrite (Add a b) (Add b a))
(birewrite (Add a (Add b c)) (Add (Add a b) c))
(run 10)
END
translate egglog
has egglog '(rule rewrite-1 (=> (Add ?a ?b) (Add ?b ?a)))'

# status 1, and what is said
refused() {
	local text=$1 what=$2 out rc
	shift 2
	printf '%s\n' "$text" >"$TMP/in"
	out=$("$TENON" import-rules "$@" "$TMP/in" 2>&1)
	rc=$?
	[ $rc = 1 ] || wrong "'$text': status $rc"
	case $out in *"$what"*) ;; *) wrong "'$text': said '$out'" ;; esac
}
refused '(frob ?a)=>?a' 'in:1:1: this operator, with so many operands, is none that is read'
refused '(matmul 9 ?a ?b)=>?a' 'in:1:9: another number is wanted here'
refused '(conv2d 2 2 0 0 ?x ?w)=>?x' 'stride 1 only'
refused '(relu (conv2d 1 1 0 0 ?x (relu ?w)))=>(conv2d 1 1 0 2 ?x (relu ?w))' 'the padding follows from the kernel'
refused '(relu ?a)=>(split_0 (split 1 (relu ?a)))' 'where this is split is not known'
refused '(relu ?a)=>(relu (relu ?a))' 'has no second one beside it' --pairs
refused '(rewrite (Add a b))' '(rewrite FROM TO) without conditions is read'
refused '(rule ((Add a b)) ((union a b)))' 'with actions is not read'
refused 'rw!("x"; "(f ?a)" => "?a" if is_zero("?a"))' 'without conditions is read'
refused 'rw!("x"; "(f ?a)" => "(f ?a ?a)")' 'had another number of operands before'
refused '' 'no rules were found'
exit $bad
