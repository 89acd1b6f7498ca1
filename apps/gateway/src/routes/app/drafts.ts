import { tryFormDraft } from '@sheaf/contracts';
import { route, type Route } from '../../route';
import { rowOf } from '../derived';
import { param, type Services } from '../services';

/** A trial of the draft, which `submissions` makes as it checks submissions. */
export const drafts = ({ submissions }: Services): Route[] => [
  route({
    ...rowOf(tryFormDraft),
    handle: async ({ call, params, body }) => {
      const data = Buffer.from(JSON.stringify(body.data));
      const { faults, visible } = await submissions.tryDraft(call, { form_id: param(params, 'id'), data });
      const found = JSON.parse(faults.toString()) as unknown[];
      return { valid: found.length === 0, faults: found, visible };
    },
  }),
];
