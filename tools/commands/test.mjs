// npm test: every rule of this tree, each where it lives, and once end to end where parts meet. `npm test -- --other-node` runs the part whose
// result can differ under another Node: sockets, streams, HTTP, cryptography, the launcher, the bundles, and one path through everything.
import { everything, runMany, runStages } from './gate.mjs';

const atTheEdge = ['client', 'egress', 'embedded', 'events', 'gateway', 'pages', 'postgres', 'rpc', 'runtime', 'system', 'webhooks'];
const otherNode = [
  { title: 'Unit tests on this Node', runs: [runMany(['test'], `--projects=${atTheEdge.join(',')}`)] },
  { title: 'Service tests on this Node', runs: [runMany(['service-test'], '--projects=delivery,events,postgres')] },
  { title: 'End-to-end tests on this Node', runs: [['run', 'e2e:each-node']] },
];

process.exitCode = (await runStages(process.argv.includes('--other-node') ? otherNode : everything)) ? 0 : 1;
