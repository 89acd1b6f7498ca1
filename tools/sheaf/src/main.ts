// npm run sheaf: the operator's tool.
import { resolve } from 'node:path';
import { runTool } from './program';
import { surroundings } from './surroundings';

const root = resolve(__dirname, '../../..');
const dataDir = resolve(root, process.env.DATA_DIR ?? '.data');

runTool(process.argv.slice(2), surroundings({ root, dataDir, env: process.env })).then(
  // Not before a slow reader has all of a long answer.
  (code) => void process.stdout.write('', () => process.exit(code)),
  (error: unknown) => {
    // What the library throws when somebody answers a question with Ctrl-C.
    if (error instanceof Error && error.name === 'ExitPromptError') process.exit(130);
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exit(1);
  },
);
