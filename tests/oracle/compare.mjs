// Do two models give equal outputs in ONNX Runtime, its own optimizer off, on seeded inputs?
//
//	node compare.mjs A.onnx B.onnx [NAME=EXTENTS[:VALUE]]... [-- NAME=EXTENTS[:VALUE]...]...
//
// Each group between -- is one run: NAME=1,3,48,192 gives an input's extents (those the model
// states need no word), :VALUE fills it with one number, :lines with what looks like lines of text (on noise
// a detector's last sigmoid is 0 everywhere, which proves nothing).  Prints a line for each run; exit 1 where a
// run differs or fails.  Equal is |a-b| <= 1e-5*max|a| + 1e-4*|a|, NaN equal to NaN, integers exact.
import { createRequire } from 'node:module';
import { basename } from 'node:path';

const require = createRequire(process.env.ORACLE_MODULES ? process.env.ORACLE_MODULES + '/' : import.meta.url);
const ort = require('onnxruntime-node');
const options = { graphOptimizationLevel: 'disabled', intraOpNumThreads: 1, interOpNumThreads: 1, logSeverityLevel: 3 };
const seeds = 2;

// splitmix-like 32-bit generator: the same numbers on every machine
function generator(seed) {
	let s = seed >>> 0;
	return () => {
		s = (s + 0x9e3779b9) >>> 0;
		let z = s;
		z = Math.imul(z ^ (z >>> 16), 0x85ebca6b);
		z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35);
		return ((z ^ (z >>> 16)) >>> 0) / 0x100000000;
	};
}

function parseRun(words) {
	return new Map(words.map((w) => {
		const eq = w.lastIndexOf('=');
		const [extents, value] = w.slice(eq + 1).split(':');
		return [w.slice(0, eq), { extents: extents ? extents.split(',').map(Number) : null, value }];
	}));
}

function makeInput(meta, given, random) {
	const extents = given?.extents ?? meta.shape.map((d) => (typeof d === 'number' ? d : 1));
	const n = extents.reduce((a, b) => a * b, 1);
	const value = given?.value;
	switch (meta.type) {
	case 'float32':
		if (value === 'lines') {
			const [h, w] = extents.slice(-2);
			return new ort.Tensor('float32', Float32Array.from({ length: n }, (_, i) =>
				(Math.floor((Math.floor(i / w) % h) / 6) % 2 ? 2 * Math.sign(Math.sin(1.7 * i)) : 2) + 0.1 * random()), extents);
		}
		return new ort.Tensor('float32', Float32Array.from({ length: n }, () => (value ?? 2 * random() - 1)), extents);
	case 'int64':
		return new ort.Tensor('int64', BigInt64Array.from({ length: n }, () => BigInt(value ?? Math.floor(8 * random()))), extents);
	default:
		throw new Error(`input ${meta.name}: ${meta.type} is not made here`);
	}
}

function same(x, y, most) {
	return Object.is(x, y) || x === y || Math.abs(x - y) <= 1e-5 * most + 1e-4 * Math.abs(x);
}

// the worst |a-b| over its tolerance, or what differs in kind
function difference(name, a, b) {
	if (a.type !== b.type || a.dims.join() !== b.dims.join())
		return { text: `${name}: ${a.type} [${a.dims}] and ${b.type} [${b.dims}]` };
	let most = 0;
	let worst = 0;
	for (const v of a.data)
		if (Number.isFinite(Number(v)))
			most = Math.max(most, Math.abs(Number(v)));
	for (let i = 0; i < a.data.length; i++) {
		const x = Number(a.data[i]);
		const y = Number(b.data[i]);
		if (a.type !== 'float32' ? a.data[i] !== b.data[i] : !same(x, y, most))
			return { text: `${name}[${i}]: ${a.data[i]} and ${b.data[i]}` };
		if (x !== y && Number.isFinite(x))
			worst = Math.max(worst, Math.abs(x - y) / (1e-5 * most + 1e-4 * Math.abs(x)));
	}
	return { worst, most };
}

async function compareRun(a, b, given) {
	let worst = 0;
	let most = 0;
	for (let seed = 1; seed <= seeds; seed++) {
		const random = generator(seed);
		const feeds = Object.fromEntries(a.inputMetadata.map((m) => [m.name, makeInput(m, given.get(m.name), random)]));
		const ya = await a.run(feeds);
		const yb = await b.run(feeds);
		for (const name of a.outputNames) {
			if (!yb[name])
				return { text: `${name} is missing` };
			const d = difference(name, ya[name], yb[name]);
			if (d.text)
				return d;
			worst = Math.max(worst, d.worst);
			most = Math.max(most, d.most);
		}
	}
	return { worst, most };
}

const [pathA, pathB, ...rest] = process.argv.slice(2);
const runs = [[]];
for (const w of rest)
	w === '--' ? runs.push([]) : runs.at(-1).push(w);
let failed = false;
try {
	const a = await ort.InferenceSession.create(pathA, options);
	const b = await ort.InferenceSession.create(pathB, options);
	for (const words of runs) {
		const d = await compareRun(a, b, parseRun(words));
		failed ||= Boolean(d.text);
		console.log(`${d.text ? 'differs' : 'equal'}  ${basename(pathA)} ${words.join(' ')}  ` +
			(d.text ?? `worst ${d.worst.toFixed(3)} of the tolerance, outputs up to ${d.most.toPrecision(3)}`));
	}
} catch (e) {
	console.log(`failed  ${basename(pathA)}: ${e.message}`);
	failed = true;
}
process.exit(failed ? 1 : 0);
