// How much faster ONNX Runtime runs a model than another, at its level `all`, one thread.
//
//	ORACLE_MODULES=… node onnxruntime.mjs ROUNDS A.onnx B.onnx… -- NAME=EXTENTS[:VALUE]...
//
// The models take turns, so that what else the machine does meets all alike.  Prints each one's 10th percentile and
// median, how many times as fast as A it is, and the same of the processor's time, which others on the machine disturb
// less; noise: the ratio of A to itself, on the odd and the even rounds.
import { basename } from 'node:path';
import { generator, makeInput, openFast } from '../oracle/runtime.mjs';

const [rounds, ...words] = process.argv.slice(2);
const cut = words.indexOf('--');
const paths = words.slice(0, cut < 0 ? words.length : cut);
const given = new Map((cut < 0 ? [] : words.slice(cut + 1)).map((w) => {
	const eq = w.lastIndexOf('=');
	const [extents, value] = w.slice(eq + 1).split(':');
	return [w.slice(0, eq), { extents: extents ? extents.split(',').map(Number) : null, value }];
}));

const sessions = await Promise.all(paths.map(openFast));
const random = generator(1);
const feeds = Object.fromEntries(sessions[0].inputMetadata.map((m) => [m.name, makeInput(m, given.get(m.name), random)]));
const times = paths.map(() => []);
const busy = paths.map(() => []);
for (let round = -3; round < Number(rounds); round++)
	for (const [i, session] of sessions.entries()) {
		const before = process.cpuUsage();
		const start = process.hrtime.bigint();
		await session.run(feeds);
		const took = Number(process.hrtime.bigint() - start) / 1e6;
		const used = process.cpuUsage(before);
		if (round >= 0) {
			times[i].push(took);
			busy[i].push((used.user + used.system) / 1e3);
		}
	}

const percentile = (list, share) => list.toSorted((a, b) => a - b)[Math.floor(share * (list.length - 1))];
const ratio = (lists, i) => (percentile(lists[0], 0.1) / percentile(lists[i], 0.1)).toFixed(2);
for (const [i, list] of times.entries())
	console.log(`${basename(paths[i])}: ${percentile(list, 0.1).toFixed(3)} ms, median ${percentile(list, 0.5).toFixed(3)} ms, ` +
		`${ratio(times, i)} times as fast; processor ${percentile(busy[i], 0.1).toFixed(3)} ms, ${ratio(busy, i)} times`);
const half = (odd) => percentile(times[0].filter((_, i) => i % 2 === odd), 0.1);
console.log(`noise: ${Math.max(half(0) / half(1), half(1) / half(0)).toFixed(3)}`);
