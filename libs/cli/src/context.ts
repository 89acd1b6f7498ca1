import type { Client } from '@sheaf/client';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The surroundings of a command, which tests replace. */
export interface Context {
  /** How a person calls this program, for messages that say what to run. */
  program: string;
  environment: Environment;
  /** Standard output, for results. */
  out: NodeJS.WritableStream;
  /** Standard error, for remarks. */
  say: (text: string) => void;
  /** Whether a person reads standard output. */
  isTerminal: boolean;
  hasColours: boolean;
  /** Asks the person. Undefined if there is none to ask. */
  confirm: ((question: string) => Promise<boolean>) | undefined;
  /** Reads a key without showing it: from a prompt, or from standard input. */
  readSecret: () => Promise<string>;
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
}

/** The surroundings of a command that calls Sheaf. */
export interface Session extends Context {
  client: Client;
  /** The address of the instance. */
  instanceUrl: string;
  /** Whether the results are for a program, as lines of JSON. */
  json: boolean;
  /** The secret by which this program signs the events of a form, or of every form: the same each time, and nothing of the key can be told from it. */
  webhookSecret: (form: string | undefined) => string;
}
