import { text } from 'node:stream/consumers';
import confirm from '@inquirer/confirm';
import password from '@inquirer/password';
import { runProgram } from './program';

declare const PACKAGE_VERSION: string;

const { stdin, stdout, stderr, env } = process;
const interruption = new AbortController();
process.once('SIGINT', () => interruption.abort());
// A reader such as head has seen enough.
stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

const isInteractive = stdin.isTTY && stderr.isTTY;
const prompting = { output: stderr, signal: interruption.signal };

void runProgram(
  process.argv.slice(2),
  {
    // npx says so to what it runs.
    program: env.npm_command === 'exec' ? 'npx @sheaf/cli' : 'sheaf',
    environment: env,
    out: stdout,
    say: (line) => void stderr.write(`${line}\n`),
    isTerminal: stdout.isTTY,
    hasColours: stdout.isTTY && (env.NO_COLOR ?? '') === '',
    confirm: isInteractive ? (message) => confirm({ message, default: false }, prompting) : undefined,
    readSecret: () => (isInteractive ? password({ message: 'API key' }, prompting) : text(stdin)),
    signal: interruption.signal,
  },
  PACKAGE_VERSION,
).then((code) => {
  process.exitCode = code;
});
