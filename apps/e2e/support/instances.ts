import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Credentials } from '@sheaf/testing';
import { sheafJson } from './operator';

/** Creates another instance with the operator's tool. Rejects with the tool's error message if it fails. */
export async function createInstance(dataDir: string, options: { slug: string; domain?: string }): Promise<Omit<Credentials, 'base_url'>> {
  const file = join(dataDir, `${options.slug}.json`);
  const domain = options.domain === undefined ? [] : ['--domain', options.domain];
  await sheafJson(
    dataDir,
    'instances',
    'create',
    '--slug',
    options.slug,
    '--name',
    options.slug,
    '--email',
    `owner@${options.slug}.example`,
    '--output',
    file,
    ...domain,
  );
  return JSON.parse(await readFile(file, 'utf8')) as Omit<Credentials, 'base_url'>;
}
