// npm run test:all: the suite for the night. All of npm test with every case of the property tests, then what takes long: whole clusters, killed
// and replaced processes, every journey, two versions side by side; then all of that on the other Node; then the packages in a real n8n and
// Zapier, once, as they bring what they run on. `--this-node` leaves the last two out.
import { execFileSync, spawnSync } from 'node:child_process';
import { bootstrap, root } from '../build/bootstrap.mjs';
import { everything, runMany, runStages } from './gate.mjs';

process.env.FUZZ_SHARE ??= '1';
process.env.PICTURES ??= '1';
await bootstrap();

const onEachNode = [
  ...everything,
  { title: 'Clusters, crashes, every journey', runs: [runMany(['night'], '--parallel=1')] },
  { title: 'Two versions side by side', runs: [['run', 'e2e:neighbours']] },
];
const packages = [
  { title: 'Packages for n8n and Zapier', runs: [runMany(['check'], '--parallel=1')] },
  { title: 'Clients made by other generators', runs: [['run', 'gateway:generated-clients']] },
  { title: 'The nodes in a real n8n', runs: [['run', 'n8n-nodes-sheaf:in-n8n']] },
];

if (process.argv.includes('--this-node')) {
  process.exitCode = (await runStages(onEachNode)) ? 0 : 1;
} else {
  const isGood = await runStages([...onEachNode, ...packages]);
  const major = process.versions.node.startsWith('24.') ? '20' : '24';
  console.log(`\n══ Node ${major}`);
  const folder = execFileSync(process.execPath, ['tools/build/fetch-node.mjs', major], { cwd: root, encoding: 'utf8' }).trim();
  const env = { ...process.env, PATH: `${folder}:${process.env.PATH}` };
  const other = spawnSync('npm', ['run', 'test:all', '--', '--this-node'], { cwd: root, stdio: 'inherit', env });
  process.exitCode = isGood && other.status === 0 ? 0 : 1;
}
