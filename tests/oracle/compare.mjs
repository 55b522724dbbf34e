// Do two models give equal outputs in ONNX Runtime on seeded inputs?
//
//	node compare.mjs A.onnx B.onnx [NAME=EXTENTS[:VALUE]]... [-- NAME=EXTENTS[:VALUE]...]...
//
// Each group between -- is one run: NAME=1,3,48,192 gives an input's extents (those the model states need no
// word), :VALUE fills it with one number, :lines with what looks like lines of text.  Prints a line for each
// run; exit 1 where a run differs or fails, or where everything is NaN, which compares nothing.
import { basename } from 'node:path';
import { compareRun, open, said } from './runtime.mjs';

function parseRun(words) {
	return new Map(words.map((w) => {
		const eq = w.lastIndexOf('=');
		const [extents, value] = w.slice(eq + 1).split(':');
		return [w.slice(0, eq), { extents: extents ? extents.split(',').map(Number) : null, value }];
	}));
}

const [pathA, pathB, ...rest] = process.argv.slice(2);
const runs = [[]];
for (const w of rest)
	w === '--' ? runs.push([]) : runs.at(-1).push(w);
let failed = false;
try {
	const a = await open(pathA);
	const b = await open(pathB);
	for (const words of runs) {
		const d = await compareRun(a, b, parseRun(words));
		const bad = Boolean(d.text) || d.nan === d.n;
		failed ||= bad;
		console.log(`${bad ? 'differs' : 'equal'}  ${basename(pathA)} ${words.join(' ')}  ${said(d)}`);
	}
} catch (e) {
	console.log(`failed  ${basename(pathA)}: ${e.message}`);
	failed = true;
}
process.exit(failed ? 1 : 0);
