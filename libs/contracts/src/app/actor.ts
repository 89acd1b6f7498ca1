import { z } from 'zod';

/** The person, service account or process that did something: `kind` is `user`, `service_account` or `service`. */
export const Actor = z.object({ kind: z.string(), id: z.string() });
