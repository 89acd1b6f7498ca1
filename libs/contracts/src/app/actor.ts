import { z } from 'zod';

/** Who did something, wherever it is told: `kind` is `user`, `service_account`, or a part of the service. */
export const Actor = z.object({ kind: z.string(), id: z.string() });
