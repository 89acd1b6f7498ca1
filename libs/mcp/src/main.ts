import { parseArgs } from 'node:util';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { bridge } from './bridge';
import { settingsFrom, usage, UsageError } from './settings';

declare const PACKAGE_VERSION: string;

// Standard output belongs to the protocol; people read standard error.
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      url: { type: 'string' },
      'allow-http': { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
      version: { type: 'boolean' },
    },
  });
  if (values.help === true) process.stdout.write(usage);
  else if (values.version === true) process.stdout.write(`${PACKAGE_VERSION}\n`);
  else await bridge(new StdioServerTransport(), { ...settingsFrom(values, process.env), version: PACKAGE_VERSION });
}

main().catch((error: unknown) => {
  const { message, code } = error as { message: string; code?: string };
  const isUsage = error instanceof UsageError || code?.startsWith('ERR_PARSE_ARGS') === true;
  process.stderr.write(`sheaf-mcp: ${message}\n${isUsage ? `\n${usage}` : ''}`);
  process.exitCode = isUsage ? 2 : 1;
});
