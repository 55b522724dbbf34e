// ONNX Runtime, its own optimizer off, as the judge of two models: seeded inputs, outputs compared.
// Equal is |a-b| <= 1e-5*max|a| + 1e-4*|a|, NaN equal to NaN, integers exact; wider by the rounding of f16.
import { createRequire } from 'node:module';

const require = createRequire(process.env.ORACLE_MODULES ? process.env.ORACLE_MODULES + '/' : import.meta.url);
const ort = require('onnxruntime-node');
const options = { graphOptimizationLevel: 'disabled', intraOpNumThreads: 1, interOpNumThreads: 1, logSeverityLevel: 3 };
const seeds = 2;

export const open = (model) => ort.InferenceSession.create(model, options);
// as its users run it: everything it can do by itself, one thread
export const openFast = (model) => ort.InferenceSession.create(model, { ...options, graphOptimizationLevel: 'all' });

// splitmix-like 32-bit generator: the same numbers on every machine
export function generator(seed) {
	let s = seed >>> 0;
	return () => {
		s = (s + 0x9e3779b9) >>> 0;
		let z = s;
		z = Math.imul(z ^ (z >>> 16), 0x85ebca6b);
		z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35);
		return ((z ^ (z >>> 16)) >>> 0) / 0x100000000;
	};
}

// ---- half precision, which has no array of its own everywhere ----------------------------------------------------

export function toHalf(x) {
	if (Number.isNaN(x))
		return 0x7e00;
	const sign = x < 0 || Object.is(x, -0) ? 0x8000 : 0;
	const a = Math.abs(x);
	if (a >= 65520)
		return sign | 0x7c00;
	const e = Math.max(Math.floor(Math.log2(a)), -14);
	const m = a / 2 ** (e - 10);
	let n = Math.floor(m);
	if (m - n > 0.5 || (m - n === 0.5 && n % 2))
		n++;
	return sign | (a === 0 ? 0 : n + ((e + 14) << 10));	// a carry runs into the exponent
}

export function fromHalf(h) {
	const sign = h & 0x8000 ? -1 : 1;
	const e = (h >> 10) & 0x1f;
	const m = h & 0x3ff;
	return e === 31 ? (m ? NaN : sign * Infinity) : sign * (e ? (1024 + m) * 2 ** (e - 25) : m * 2 ** -24);
}

// ---- inputs ----------------------------------------------------------------------------------------------------

// what looks like lines of text: on noise a detector's last sigmoid is 0 everywhere, which proves nothing
function line(i, extents, random) {
	const [h, w] = extents.slice(-2);
	return (Math.floor((Math.floor(i / w) % h) / 6) % 2 ? 2 * Math.sign(Math.sin(1.7 * i)) : 2) + 0.1 * random();
}

export function makeInput(meta, given, random) {
	const extents = given?.extents ?? meta.shape.map((d) => (typeof d === 'number' ? d : 1));
	const length = extents.reduce((a, b) => a * b, 1);
	const value = given?.value;
	const real = (_, i) => (value === 'lines' ? line(i, extents, random) : Number(value ?? 2 * random() - 1));
	const whole = () => Number(value ?? Math.floor(8 * random()));
	switch (meta.type) {
	case 'float32': return new ort.Tensor('float32', Float32Array.from({ length }, real), extents);
	case 'float64': return new ort.Tensor('float64', Float64Array.from({ length }, real), extents);
	case 'float16': return new ort.Tensor('float16', Uint16Array.from({ length }, (_, i) => toHalf(real(_, i))), extents);
	case 'int64': return new ort.Tensor('int64', BigInt64Array.from({ length }, () => BigInt(whole())), extents);
	case 'int32': return new ort.Tensor('int32', Int32Array.from({ length }, whole), extents);
	case 'bool': return new ort.Tensor('bool', Uint8Array.from({ length }, () => whole() % 2), extents);
	default: throw new Error(`input ${meta.name}: ${meta.type} is not made here`);
	}
}

// ---- outputs ---------------------------------------------------------------------------------------------------

const slack = { float32: [1e-5, 1e-4], float64: [1e-5, 1e-4], float16: [4e-3, 8e-3] };

function values(tensor) {
	if (tensor.type === 'float16' && !(tensor.data[0] % 1))
		return Array.from(new Uint16Array(tensor.data.buffer, tensor.data.byteOffset, tensor.data.length), fromHalf);
	return Array.from(tensor.data, Number);
}

// {text}: what differs; else the worst |a-b| over its tolerance, the largest value, how many are NaN in both
function difference(name, a, b) {
	if (a.type !== b.type || a.dims.join() !== b.dims.join())
		return { text: `${name}: ${a.type} [${a.dims}] and ${b.type} [${b.dims}]` };
	const other = slack[a.type] ? -1 : a.data.findIndex((v, i) => v !== b.data[i]);
	if (other >= 0)
		return { text: `${name}[${other}]: ${a.data[other]} and ${b.data[other]}` };
	const x = values(a);
	const y = values(b);
	const most = x.reduce((m, v) => (Number.isFinite(v) ? Math.max(m, Math.abs(v)) : m), 0);
	const [wide, near] = slack[a.type] ?? [0, 0];
	let worst = 0;
	let nan = 0;
	for (let i = 0; i < x.length; i++) {
		const by = Math.abs(x[i] - y[i]);
		const may = wide * most + near * Math.abs(x[i]);
		if (Number.isNaN(x[i]) && Number.isNaN(y[i]))
			nan++;
		else if (x[i] !== y[i] && !(Number.isFinite(by) && by <= may))
			return { text: `${name}[${i}]: ${x[i]} and ${y[i]}` };
		else if (by > 0)
			worst = Math.max(worst, by / may);
	}
	return { worst, most, nan, n: x.length };
}

// both sessions on seeded inputs; given: input's name to {extents, value}
export async function compareRun(a, b, given) {
	const sum = { worst: 0, most: 0, nan: 0, n: 0 };
	for (let seed = 1; seed <= seeds; seed++) {
		const random = generator(seed);
		const feeds = Object.fromEntries(a.inputMetadata.map((m) => [m.name, makeInput(m, given.get(m.name), random)]));
		const ya = await a.run(feeds);
		const yb = await b.run(feeds);
		for (const name of a.outputNames) {
			const d = yb[name] ? difference(name, ya[name], yb[name]) : { text: `${name} is missing` };
			if (d.text)
				return d;
			sum.worst = Math.max(sum.worst, d.worst);
			sum.most = Math.max(sum.most, d.most);
			sum.nan += d.nan;
			sum.n += d.n;
		}
	}
	return sum;
}

export const said = (d) => d.text ?? `worst ${d.worst.toFixed(3)} of the tolerance, outputs up to ${d.most.toPrecision(3)}` +
	(d.nan ? `, ${d.nan} of ${d.n} NaN in both` : '');
