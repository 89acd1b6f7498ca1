import { chmod, readFile, rm } from 'node:fs/promises';
import { z } from 'zod';
import { type DataPaths, readJson, Refusal, writeJson } from '@sheaf/data-dir';

/** The fields that we read from the seed's file; the others are kept unchanged. */
const Credentials = z.looseObject({ base_url: z.string(), api_key: z.string(), user: z.looseObject({ email: z.string() }) });

export type FirstUser = {
  apiKey: string;
  email: string;
  /** Undefined once they have signed in, or where nobody wants it. */
  signInLink: string | undefined;
};

type Seeding = {
  paths: DataPaths;
  /** The base URL of v1. */
  url: string;
  /** Whether to create a link. It must not end up in a log, so a terminal has to show it. */
  wantsLink: boolean;
  /** Runs a command of `workspaces`. */
  run: (args: readonly string[]) => Promise<void>;
  /** Called before the first user exists. */
  onFirstStart: () => Promise<void>;
};

/** Creates the first user at the first start, and a link that signs them in as long as they have never signed in. */
export async function seedFirstUser({ paths, url, wantsLink, run, onFirstStart }: Seeding): Promise<FirstUser> {
  const file = paths.credentials;
  if (!(await readJson(file, Credentials))) await onFirstStart();
  await run(['seed', '--credentials', file, '--base-url', url, ...(wantsLink ? ['--sign-in-link', paths.signInLink] : [])]);

  const credentials = await readJson(file, Credentials);
  if (!credentials) throw new Refusal(`${file} is missing, but the first user exists, and the password cannot be recovered.`);
  if (credentials.base_url !== url) await writeJson(file, { ...credentials, base_url: url });
  else await chmod(file, 0o600);
  return { apiKey: credentials.api_key, email: credentials.user.email, signInLink: await takeLink(paths.signInLink) };
}

/** The link is shown once, and kept nowhere. */
async function takeLink(file: string): Promise<string | undefined> {
  try {
    return z.object({ sign_in_url: z.string() }).parse(JSON.parse(await readFile(file, 'utf8'))).sign_in_url;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  } finally {
    await rm(file, { force: true });
  }
}
