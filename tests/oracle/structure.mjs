// What became of a model's parts, by a reader that shares no code with ours.
//
//	node structure.mjs same A B	every field of A is in B, in order, byte for byte; else where they part
//	node structure.mjs frame A B	so is all but nodes, initializers and value infos: names, types, symbolic
//					sizes, order of inputs and outputs, operator sets, metadata, unknown fields
//	node structure.mjs only A B WHAT	B's nodes are A's, byte for byte and in order, but for new ones made of WHAT
//					(Op+Op…) in place of some of A's, as many new ones as WHAT names
//	node structure.mjs affine A	what is left of scalar affines and hard-swishes in pieces, and why it must be
//
// Exit 1 and a line that says what is otherwise.
import { readFileSync } from 'node:fs';
import { fields, ints, model, read, text } from './onnx.mjs';

// ---- two files -----------------------------------------------------------------------------------------------

const loose = new Set(['node', 'initializer', 'value_info']);

// path of the first field in which two messages of one schema differ; null: none
function parting(schema, a, b, path, skip) {
	const keep = (f) => !(skip && schema.name === 'graph' && loose.has([schema.fields[f.number]].flat()[0]));
	const x = fields(a).filter(keep);
	const y = fields(b).filter(keep);
	const seen = {};
	for (let i = 0; i < Math.max(x.length, y.length); i++) {
		const [name, inner] = [schema.fields[(x[i] ?? y[i]).number] ?? `field ${(x[i] ?? y[i]).number}`].flat();
		seen[name] = (seen[name] ?? -1) + 1;
		const here = `${path}.${name}[${seen[name]}]`;
		if (!x[i] || !y[i])
			return `${here} is in ${x[i] ? 'the first' : 'the second'} only`;
		if (x[i].number !== y[i].number)
			return `${here} stands where the second has ${[schema.fields[y[i].number] ?? `field ${y[i].number}`].flat()[0]}`;
		if (inner) {
			const within = parting(inner, x[i].value, y[i].value, here, skip);
			if (within)
				return within;
			if (skip)
				continue;
		}
		if (Buffer.compare(x[i].whole, y[i].whole))
			return `${here}: ${show(x[i].value)} and ${show(y[i].value)}`;
	}
	return null;
}

const show = (v) => (typeof v === 'bigint' ? String(v) : v.length > 60 ? `${v.length} bytes` : JSON.stringify(text(v)));

function same(pathA, pathB, skip) {
	const a = readFileSync(pathA);
	const b = readFileSync(pathB);
	return !skip && a.equals(b) ? null : parting(model, a, b, 'model', skip) ?? (skip ? null : 'the bytes differ, the fields do not');
}

// ---- one place -------------------------------------------------------------------------------------------------

// nodes of A in order, some replaced by new ones
function only(pathA, pathB, what) {
	const key = (n) => n.bytes.toString('latin1');
	const computed = (m) => m.nodes.filter((n) => n.op !== 'Constant');
	const a = computed(read(pathA));
	const known = new Map(a.map((n, i) => [key(n), i]));
	const made = [];
	let last = -1;
	for (const n of computed(read(pathB))) {
		const i = known.get(key(n));
		if (i === undefined) {
			made.push(n);
			continue;
		}
		if (i < last)
			return `${n.op} '${n.name}' has changed its place`;
		last = i;
	}
	const ops = made.map((n) => n.op).join('+');
	return ops === what ? null : `the new nodes are ${ops || 'none'}: ${made.map((n) => `${n.op} '${n.name}'`).join(', ')}`;
}

// ---- what is left ------------------------------------------------------------------------------------------------

const isScalar = (n, m) => ['Add', 'Sub', 'Mul', 'Div'].includes(n.op) && n.input.some((i) => m.constant.get(i) === 1);

// is it joined with other tensors before any convolution or product could take it?
function isJoined(n, users, m) {
	return (users.get(n.output[0]) ?? []).some((u) => u.op === 'Concat' || ((u.op === 'AveragePool' || isScalar(u, m)) && isJoined(u, users, m)));
}

// why a scalar shift or factor must stay; undefined: it need not
function reason(n, all, m) {
	const users = all.get(n.output[0]) ?? [];
	const isShift = n.op === 'Add' || n.op === 'Sub';
	const other = (u) => u.input.find((i) => i !== n.output[0]);

	if (m.outputs.includes(n.output[0]))
		return 'is an output';
	if (isShift && users.some((u) => u.op === 'Conv' && ints(u, 'pads').some((p) => p !== 0)))
		return 'shift before a padded convolution, whose borders do not see it';
	if (isShift && users.some((u) => u.op === 'Mul' && !m.constant.has(other(u))))
		return 'shift before a product with what is computed from it';
	if (users.every((u) => u.op === 'MatMul' && !m.constant.has(other(u))))
		return 'factor of a product of two operands that are computed';
	if (isShift && users.every((u) => u.op === 'Sqrt'))
		return 'epsilon of a normalisation';
	if (isJoined(n, all, m))
		return 'scales or shifts one part of a concatenation';
	return undefined;
}

function affine(path) {
	const m = read(path);
	const users = new Map();
	const left = new Map();
	const wrong = [];

	for (const n of m.nodes)
		n.input.forEach((i) => users.set(i, [...(users.get(i) ?? []), n]));
	for (const n of m.nodes) {
		if (n.op === 'Clip')
			wrong.push(`${n.op} '${n.output[0]}' is a piece of a hard-swish`);
		if (!isScalar(n, m))
			continue;
		const why = reason(n, users, m);
		if (why)
			left.set(why, (left.get(why) ?? 0) + 1);
		else
			wrong.push(`${n.op} '${n.output[0]}' before ${(users.get(n.output[0]) ?? []).map((u) => u.op).join(', ')} need not be there`);
	}
	for (const [why, n] of left)
		console.log(`left  ${n} × ${why}`);
	console.log(`${[...left.values()].reduce((a, b) => a + b, 0)} scalars left, each for its reason`);
	return wrong.length ? wrong.join('\n') : null;
}

const [command, ...paths] = process.argv.slice(2);
const commands = { same: (a, b) => same(a, b, false), frame: (a, b) => same(a, b, true), only, affine };
const wrong = commands[command](...paths);
if (wrong) {
	console.log(`${command}  ${wrong}`);
	process.exit(1);
}
