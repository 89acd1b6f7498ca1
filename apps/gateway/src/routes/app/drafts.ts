import { tryFormDraft } from '@sheaf/contracts';
import { route, type Route } from '../../route';
import { asking, rowOf } from '../derived';
import type { Services } from '../services';

const trial = asking(tryFormDraft);

/** A trial of the draft, which `submissions` makes as it checks submissions. */
export const drafts = ({ submissions }: Services): Route[] => [
  route({
    ...rowOf(tryFormDraft),
    handle: async ({ call, params, body }) => {
      const { faults, visible } = await submissions.tryDraft(call, trial({ params, body }));
      const found = JSON.parse(faults.toString()) as unknown[];
      return { valid: found.length === 0, faults: found, visible };
    },
  }),
];
