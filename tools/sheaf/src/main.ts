// npm run sheaf: the operator's tool.
import { resolve } from 'node:path';
import { runTool } from './program';
import { createContext } from './context';

const root = resolve(__dirname, '../../..');
const dataDir = resolve(root, process.env.DATA_DIR ?? '.data');

runTool(process.argv.slice(2), createContext({ root, dataDir, env: process.env })).then(
  // Exit only after a slow reader has received all of a long answer.
  (code) => void process.stdout.write('', () => process.exit(code)),
  (error: unknown) => {
    // Thrown by the prompt library when the operator answers with Ctrl-C.
    if (error instanceof Error && error.name === 'ExitPromptError') process.exit(130);
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exit(1);
  },
);
