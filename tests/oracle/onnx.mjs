// ONNX files as JavaScript sees them: a reader and a writer of our own over the wire format, that know no more of
// the schema than the tests ask for.  They share no code with runtime/onnx, so that one judges the other.
import { readFileSync } from 'node:fs';

// field numbers; a message's fields that are messages themselves have their own table
const tensor = { name: 'tensor', fields: { 1: 'dims', 2: 'data_type', 4: 'float_data', 5: 'int32_data', 7: 'int64_data', 8: 'name', 9: 'raw_data', 10: 'double_data' } };
const attribute = { name: 'attribute', fields: { 1: 'name', 2: 'f', 3: 'i', 4: 's', 5: ['t', tensor], 7: 'floats', 8: 'ints', 20: 'type' } };
const node = { name: 'node', fields: { 1: 'input', 2: 'output', 3: 'name', 4: 'op_type', 5: ['attribute', attribute], 6: 'doc_string', 7: 'domain' } };
const dim = { name: 'dim', fields: { 1: 'dim_value', 2: 'dim_param' } };
const shape = { name: 'shape', fields: { 1: ['dim', dim] } };
const tensorType = { name: 'tensor_type', fields: { 1: 'elem_type', 2: ['shape', shape] } };
const type = { name: 'type', fields: { 1: ['tensor_type', tensorType] } };
const info = { name: 'value_info', fields: { 1: 'name', 2: ['type', type] } };
const graph = { name: 'graph', fields: { 1: ['node', node], 2: 'name', 5: ['initializer', tensor], 10: 'doc_string', 11: ['input', info], 12: ['output', info], 13: ['value_info', info] } };
attribute.fields[6] = ['g', graph];
attribute.fields[11] = ['graphs', graph];
const opset = { name: 'opset', fields: { 1: 'domain', 2: 'version' } };
export const model = { name: 'model', fields: { 1: 'ir_version', 2: 'producer_name', 3: 'producer_version', 4: 'domain', 5: 'model_version', 6: 'doc_string', 7: ['graph', graph], 8: ['opset_import', opset], 14: 'metadata_props' } };

export const DTYPE = { f32: 1, u8: 2, i8: 3, i32: 6, i64: 7, bool: 9, f16: 10, f64: 11 };

// ---- reading ------------------------------------------------------------------------------------------------

function varint(bytes, at) {
	let value = 0n;
	for (let shift = 0n; ; shift += 7n) {
		if (at >= bytes.length)
			throw new Error('cut off');
		value |= BigInt(bytes[at] & 0x7f) << shift;
		if (!(bytes[at++] & 0x80))
			return [BigInt.asUintN(64, value), at];
	}
}

// every field in order: its number, wire type, value (bytes or an integer), and its bytes with the tag
export function fields(bytes) {
	const list = [];
	for (let at = 0; at < bytes.length;) {
		const from = at;
		let tag, value, size;
		[tag, at] = varint(bytes, at);
		switch (Number(tag & 7n)) {
		case 0: [value, at] = varint(bytes, at); break;
		case 1: value = bytes.subarray(at, at += 8); break;
		case 2: [size, at] = varint(bytes, at); value = bytes.subarray(at, at += Number(size)); break;
		case 5: value = bytes.subarray(at, at += 4); break;
		default: throw new Error(`wire type ${tag & 7n}`);
		}
		list.push({ number: Number(tag >> 3n), value, whole: bytes.subarray(from, at) });
	}
	return list;
}

export const text = (bytes) => Buffer.from(bytes ?? []).toString('utf8');
const all = (bytes, number) => fields(bytes).filter((f) => f.number === number).map((f) => f.value);
const first = (bytes, number) => all(bytes, number)[0];

function readTensor(bytes) {
	const dims = fields(bytes).filter((f) => f.number === 1).flatMap((f) => (typeof f.value === 'bigint' ? [f.value] : packed(f.value)));
	return { name: text(first(bytes, 8)), dims: dims.map(Number), type: Number(first(bytes, 2) ?? 0n) };
}

function packed(bytes) {
	const list = [];
	for (let at = 0, v; at < bytes.length;) {
		[v, at] = varint(bytes, at);
		list.push(BigInt.asIntN(64, v));
	}
	return list;
}

function readNode(f) {
	const attrs = new Map(all(f.value, 5).map((a) => [text(first(a, 1)), a]));
	return { op: text(first(f.value, 4)), name: text(first(f.value, 3)), input: all(f.value, 1).map(text),
		output: all(f.value, 2).map(text), attrs, bytes: f.whole };
}

// integers of an attribute; otherwise [] or what is given
export function ints(node, name, otherwise = []) {
	const a = node.attrs.get(name);
	return a ? fields(a).filter((f) => f.number === 8).flatMap((f) => (typeof f.value === 'bigint' ? [f.value] : packed(f.value))).map(Number) : otherwise;
}

// elements of the tensor that is a Constant's value, or of an initializer
const elements = (t) => t.dims.reduce((a, b) => a * b, 1);

export function read(path) {
	const bytes = readFileSync(path);
	const g = first(bytes, 7);
	const nodes = fields(g).filter((f) => f.number === 1).map(readNode);
	const constant = new Map(all(g, 5).map(readTensor).map((t) => [t.name, elements(t)]));
	for (const n of nodes)
		if (n.op === 'Constant' && n.attrs.has('value'))
			constant.set(n.output[0], elements(readTensor(first(n.attrs.get('value'), 5))));
	return { bytes, nodes, constant, outputs: all(g, 12).map((i) => text(first(i, 1))) };
}

// ---- writing ------------------------------------------------------------------------------------------------

function putVarint(n) {
	const out = [];
	for (n = BigInt.asUintN(64, BigInt(n)); n > 0x7fn; n >>= 7n)
		out.push(Number(n & 0x7fn) | 0x80);
	return Buffer.from([...out, Number(n)]);
}

export const putInt = (number, n) => Buffer.concat([putVarint(number << 3), putVarint(n)]);
export function putBytes(number, bytes) {
	bytes = Buffer.from(bytes.buffer ?? bytes, bytes.byteOffset, bytes.byteLength);
	return Buffer.concat([putVarint(number << 3 | 2), putVarint(bytes.length), bytes]);
}
const putFloat = (number, x) => Buffer.concat([putVarint(number << 3 | 5), Buffer.from(Float32Array.of(x).buffer)]);

function putAttribute(name, v) {
	const parts = [putBytes(1, name)];
	if (Array.isArray(v))
		parts.push(...v.map((i) => putInt(8, i)), putInt(20, 7));
	else if (typeof v === 'string')
		parts.push(putBytes(4, v), putInt(20, 3));
	else if (v instanceof Number)		// new Number(1): a float, whatever it looks like
		parts.push(putFloat(2, v.valueOf()), putInt(20, 1));
	else
		parts.push(putInt(3, v), putInt(20, 2));
	return putBytes(5, Buffer.concat(parts));
}

function putInfo(number, { name, type: t, dims }) {
	const s = (dims ?? []).map((d) => putBytes(1, typeof d === 'string' ? putBytes(2, d) : putInt(1, d)));
	const tt = Buffer.concat([putInt(1, DTYPE[t]), ...(dims ? [putBytes(2, Buffer.concat(s))] : [])]);
	return putBytes(number, Buffer.concat([putBytes(1, name), putBytes(2, putBytes(1, tt))]));
}

function putTensor({ name, type: t, dims, data }) {
	return putBytes(5, Buffer.concat([...dims.map((d) => putInt(1, d)), putInt(2, DTYPE[t]), putBytes(8, name), putBytes(9, data)]));
}

function putNode({ op, input, output, attrs = {}, name = '' }) {
	return putBytes(1, Buffer.concat([...input.map((i) => putBytes(1, i)), ...output.map((o) => putBytes(2, o)), putBytes(3, name),
		putBytes(4, op), ...Object.entries(attrs).map(([k, v]) => putAttribute(k, v))]));
}

// nodes {op, input, output, attrs}, weights {name, type, dims, data (an array)}, inputs and outputs {name, type, dims (or none)}
export function write({ nodes, weights, inputs, outputs, opset: version }) {
	const g = Buffer.concat([...nodes.map(putNode), putBytes(2, 'g'), ...weights.map(putTensor),
		...inputs.map((i) => putInfo(11, i)), ...outputs.map((o) => putInfo(12, o))]);
	return Buffer.concat([putInt(1, 8), putBytes(2, 'tests'), putBytes(7, g), putBytes(8, Buffer.concat([putBytes(1, ''), putInt(2, version)]))]);
}
