// Generates the NATS users and their permissions from the senders and consumers that libs/contracts declares for each event.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadSource, root } from '../build/load-source.mjs';

const file = 'deploy/platform/nats/users.conf';
const { natsUsers } = await loadSource(`export { natsUsers } from './tools/deploy-checks/src/nats-users';`);
writeFileSync(join(root, file), natsUsers());
console.log(`libs/events/src/stream/permissions.ts → ${file}`);
