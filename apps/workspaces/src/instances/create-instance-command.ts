import { email, trimmed, workspaceSlug } from '@sheaf/contracts';
import { systemClock } from '@sheaf/kernel';
import { databaseCommand } from '@sheaf/postgres';
import { readConfig } from '@sheaf/runtime';
import { z } from 'zod';
import { Config } from '../config';
import { outputSecret } from '../operator/output-secret';
import { createInstance, type NewInstance } from './create-instance';
import { refuseReserved } from '../workspace/slug-quarantine';

const Settings = Config.pick({ SLUG_QUARANTINE_DAYS: true });

const Options = z.object({
  slug: workspaceSlug(),
  name: trimmed(1, 100),
  email: email().transform((address) => address.toLowerCase()),
  domain: z
    .string()
    .toLowerCase()
    .regex(/^(?=.{1,253}$)[a-z0-9-]+(?:\.[a-z0-9-]+)+$/, 'must be a host name')
    .optional(),
  output: z.string().min(1, 'must name a file').optional(),
});

/**
 * `create-instance`: adds an instance to the deployment, with a workspace of the same name, its owner and a key. The credentials appear
 * only in the result or, with `--output`, in the new file.
 */
export const createInstanceCommand = databaseCommand(Options, (db, { slug, name, email: address, domain, output }) => {
  const wanted: NewInstance = { name, customDomain: domain, workspace: { name, slug }, owner: { name: address, email: address } };
  return outputSecret(output, async () => {
    const now = systemClock.now();
    const { api_key, user, ...ids } = await db.transaction(async (trx) => {
      const created = await createInstance(trx, wanted, now);
      await refuseReserved(trx, { id: created.workspace_id, slug }, now, readConfig(Settings, process.env));
      return created;
    });
    return { shown: { ...ids, slug, domain }, secret: { api_key, user } };
  });
});
