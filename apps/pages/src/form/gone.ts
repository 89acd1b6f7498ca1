import type { ShownAnswer, View } from '@sheaf/form-view';
import { enteredValues } from './entered';
import type { Posted } from './posted';
import { frameOf, type Deps, type Visit } from './visit';

/** The values that were typed on a page whose form no longer exists. Without the form, questions have only their keys. */
export const gone = (deps: Deps, visit: Visit, posted: Posted): View => ({
  ...frameOf(deps, visit),
  kind: 'message',
  message: { name: 'closed', because: 'closed', opensAt: undefined, closesAt: undefined, text: undefined, unsent: unsentOn(posted) },
  retry: undefined,
});

const unsentOn = (posted: Posted): ShownAnswer[] =>
  [...enteredValues(posted)].flatMap(([key, values]): ShownAnswer[] => {
    const answer = values.filter((value) => value !== '').join(', ');
    return answer === ''
      ? []
      : [{ field: { key, label: key, type: 'long_text', required: false }, answer, fileNames: [], change: undefined }];
  });
