import { z } from 'zod';
import { described } from '../described';
import { ownId } from '../shapes';

/** The person, service account or process that did something: `kind` is `user`, `service_account` or `service`. */
export const Actor = described(
  z.object({
    kind: described(z.string(), 'The kind of actor: `user`, `service_account`, or a process of this deployment.', 'user'),
    id: ownId(),
  }),
  'The person, service account or process that performed an action.',
);
