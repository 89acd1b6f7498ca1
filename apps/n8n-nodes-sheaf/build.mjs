// Compiles the nodes into dist/, beside the files that n8n reads with them: icons, and what the nodes panel says about each node.
import { execFileSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = dirname(fileURLToPath(import.meta.url));

rmSync(join(folder, 'dist'), { recursive: true, force: true });
execFileSync(process.execPath, [join(folder, 'node_modules/typescript/bin/tsc'), '-p', join(folder, 'tsconfig.json')], {
  stdio: 'inherit',
});
cpSync(join(folder, 'icons'), join(folder, 'dist/icons'), { recursive: true });
for (const node of ['Sheaf', 'SheafTrigger']) {
  const file = `nodes/${node}/${node}.node.json`;
  cpSync(join(folder, file), join(folder, 'dist', file));
}
