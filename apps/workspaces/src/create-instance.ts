import { access } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { workspaceSlug } from '@sheaf/contracts';
import { Problem, systemClock } from '@sheaf/kernel';
import { connectTo, databaseSettings } from '@sheaf/postgres';
import { command, ConfigError } from '@sheaf/runtime';
import { z } from 'zod';
import { makeInstance, type NewInstance } from './make-instance';
import { writePrivately } from './write-privately';

const usage = 'usage: create-instance --slug <slug> --name <name> --email <address of its owner> --credentials <new file> [--domain <custom domain>]';

const Arguments = z.object({
  slug: workspaceSlug(),
  name: z.string().trim().min(1, 'must not be empty').max(100, 'must have at most 100 characters'),
  email: z.string().trim().toLowerCase().pipe(z.email('must be an e-mail address')),
  credentials: z.string(),
  domain: z.string().toLowerCase().regex(/^(?=.{1,253}$)[a-z0-9-]+(?:\.[a-z0-9-]+)+$/, 'must be a host name').optional(),
});

/**
 * `create-instance`: one more instance in the deployment, with a workspace of the same name, its owner and a key. What is needed to
 * use them is written to a file that must not be there yet, readable by its owner only, and is nowhere else.
 */
export const createInstanceCommand = command(z.object({ DATABASE_URL: databaseSettings.DATABASE_URL }), async ({ config, args, log }) => {
  const { slug, name, email, credentials: file, domain } = await readArguments(args);
  const wanted: NewInstance = { name, customDomain: domain, workspace: { name, slug }, owner: { name: email, email } };

  const db = connectTo(config.DATABASE_URL, 'create-instance', 2);
  try {
    await db.transaction(async (trx) => {
      const made = await makeInstance(trx, wanted, systemClock.now());
      // Before the commit: an instance whose credentials could not be written is locked for ever.
      await writePrivately(file, made);
    });
    log.info({ slug, domain }, 'the instance was made');
  } catch (error) {
    if (error instanceof Problem) throw new ConfigError(error.message);
    throw error;
  } finally {
    await db.destroy();
  }
});

async function readArguments(args: readonly string[]): Promise<z.output<typeof Arguments>> {
  const { values } = parseArgs({
    args: [...args],
    options: { slug: { type: 'string' }, name: { type: 'string' }, email: { type: 'string' }, credentials: { type: 'string' }, domain: { type: 'string' } },
  });
  const given = Arguments.safeParse(values);
  if (!given.success) {
    throw new ConfigError([...given.error.issues.map(({ path, message }) => `--${path.join('.')}: ${message}`), usage].join('\n'));
  }
  // It may hold the credentials of another instance.
  if (await exists(given.data.credentials)) throw new ConfigError(`--credentials: ${given.data.credentials} is there already`);
  return given.data;
}

const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );
