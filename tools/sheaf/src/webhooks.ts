import { failureOf, listenTo, webhookSecretBy, withListenOptions, type ListenOptions } from '@sheaf/cli';
import { createClient, SheafError } from '@sheaf/client';
import type { Command } from 'commander';
import type { ToolContext } from './context';
import { Failure } from './failure';
import { group, isJson, leaf } from './leaf';

/** Commands for those who write what receives webhooks, on the machine of the system. */
export function webhookCommands(program: Command, context: ToolContext): void {
  const example = 'webhooks listen --forward http://localhost:3000';
  const webhooks = group(program, 'webhooks', 'events on their way to a developer', example);
  const listen = withListenOptions(
    leaf(webhooks, 'listen', 'prints events as they happen, and forwards them to a server on this machine, until Ctrl-C', example),
  ).argument('[form]', 'the id of a form (default: every form that the key may change, of which there may be 20)');
  listen.action(async (form: string | undefined) => {
    const { url, key } = await context.account();
    const signal = context.interruption();
    const surroundings = {
      signal,
      json: isJson(listen),
      say: (line: string) => context.printError(line),
      out: { write: (text: string) => (context.print(text.replace(/\n$/, '')), true) },
      isTerminal: context.hasColours,
      hasColours: context.hasColours,
      webhookSecret: webhookSecretBy(key),
    };
    try {
      await listenTo({ ...surroundings, client: createClient({ url, key }) }, form, listen.opts<ListenOptions>());
    } catch (error) {
      if (signal.aborted) return;
      const { code, message, exitCode } = failureOf(error, adviceAfter);
      throw new Failure(code, message, exitCode);
    }
  });
}

/** The next step after a refusal of the key, or of an address that would not be safe, which this tool has no option to permit. */
const adviceAfter = (error: Error): string | undefined => {
  if (!(error instanceof SheafError))
    return /^url: .*allowHttp/.test(error.message)
      ? 'Set SHEAF_URL to an address with https://, or run this on the machine of the system, with one such as http://localhost:8080.'
      : undefined;
  return error.code === 'unauthorized'
    ? 'The key of the first start was revoked or has expired: set SHEAF_URL and SHEAF_KEY to the address and a valid key.'
    : undefined;
};
