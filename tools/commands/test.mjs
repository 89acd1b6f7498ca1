// npm test: every rule of this tree, each where it lives, and once end to end where parts meet. `npm test -- --part=services` runs one part of
// it: checks, services, end-to-end, or other-node, the part whose result can differ under another Node: sockets, streams, HTTP, cryptography, the
// launcher, the bundles, and one path through everything.
import { parseArgs } from 'node:util';
import { exitWith } from '../build/bootstrap.mjs';
import { everything, parts, runMany, runStages } from './gate.mjs';

const atTheEdge = ['client', 'egress', 'embedded', 'gateway', 'pages', 'rpc', 'runtime', 'system', 'webhooks'];
const known = {
  ...parts,
  'other-node': [
    { title: 'Unit tests on this Node', runs: [runMany(['test'], `--projects=${atTheEdge.join(',')}`)] },
    { title: 'Service tests on this Node', runs: [runMany(['each-node'], '--projects=delivery,events,postgres')] },
    { title: 'End-to-end tests on this Node', runs: [['run', 'e2e:each-node']] },
  ],
};

const { part } = parseArgs({ options: { part: { type: 'string' } } }).values;
if (part !== undefined && !Object.hasOwn(known, part)) exitWith(`--part is one of ${Object.keys(known).join(', ')}.`);
process.exitCode = (await runStages(part === undefined ? everything : known[part])) ? 0 : 1;
