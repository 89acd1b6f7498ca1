import { z } from 'zod';
import { FieldList, FormItem } from '../app/draft';
import { Payment } from '../app/payment';
import { asStored } from '../app/stored-items';
import { described } from '../described';
import { updatedAt, whole } from '../shapes';
import { carriedAs } from './message';
import { operation } from './operation';
import { formId, idOfForm } from './params';
import { PublishResponse } from './forms';

const price = described(Payment.optional(), 'The price of each submission; absent if the form collects no payment.');

const revision = (text: string) => described(whole(0, 2_147_483_647), text, 3);
const ownRevision = 'The revision of the draft. Every change increases it.';

/** A form without `payment` collects none. */
export const Draft = described(
  z.object({
    fields: described(z.array(FormItem), 'The fields, in order.'),
    payment: price,
    revision: described(z.int(), ownRevision, 3),
    updated_at: updatedAt(),
  }),
  'The unpublished content of a form.',
);
carriedAs(Draft, { json: ['fields'] });

export const DraftRequest = described(
  z.object({ fields: described(FieldList, 'The fields, in order.'), payment: price, revision: revision(ownRevision) }),
  'The new content of a draft.',
);
carriedAs(DraftRequest, { jsonAs: { fields: asStored } });

export const DraftRestoreRequest = described(
  z.object({
    version: described(whole(1, 2_147_483_647), 'The version to restore.', 2),
    revision: revision('The revision of the draft that is replaced.'),
  }),
  'The version to restore, and the draft that it replaces.',
);

export const DraftDiscardRequest = described(
  z.object({ revision: revision('The revision of the draft that is discarded.') }),
  'The draft to discard.',
);

export const DraftPublishRequest = described(
  z.object({ revision: revision('The revision of the draft that is published.') }),
  'The draft to publish.',
);

export const DraftTrialRequest = described(
  z.object({
    data: described(z.record(z.string(), z.unknown(), 'must be an object'), 'The answers, by field key.', {
      name: 'Ada Lovelace',
      stars: 5,
    }),
  }),
  'Answers to try a draft with.',
);

export const AnswerFaultDetail = described(
  z.object({
    key: described(z.string(), 'The key of the field in `data`.', 'name'),
    code: described(z.string(), 'Why the answer would be refused, as in the answers of `/public/v1`.', 'required'),
    params: described(z.record(z.string(), z.union([z.number(), z.string()])), 'The bounds that the message names, such as `max`.', {}),
    message: described(z.string(), 'The reason in English.', 'is required'),
  }),
  'Why an answer would be refused.',
);

export const DraftTrial = described(
  z.object({
    valid: described(z.boolean(), 'Whether the answers have no fault.', false),
    faults: described(
      z.array(AnswerFaultDetail),
      'The faults, in the order of the fields; those of unknown keys come first, and only some of them are listed.',
    ),
    visible: described(z.array(z.string()), 'The keys of the fields that these answers show, in their order.', ['name']),
  }),
  'The result of trying a draft with answers.',
);

const path = '/app/v1/forms/:id/draft';
const params = { id: idOfForm };

export const getFormDraft = operation({
  method: 'get',
  path,
  params,
  summary: 'Get the draft of a form',
  description: 'Returns the draft of a form with the revision that saveFormDraft expects.',
  access: { scope: 'forms:read' },
  status: 200,
  reply: Draft,
  errors: [401, 403, 404],
  rpc: 'forms.GetDraft',
});

export const saveFormDraft = operation({
  method: 'put',
  path,
  params,
  summary: 'Save the draft of a form',
  description:
    "Replaces the draft. A stale revision is 409, so that people cannot silently overwrite each other's changes. For owners and editors.",
  access: { scope: 'forms:write' },
  body: DraftRequest,
  status: 200,
  reply: Draft,
  errors: [400, 401, 403, 404, 409],
  rpc: 'forms.PutDraft',
});

export const tryFormDraft = operation({
  method: 'post',
  path: `${path}/try`,
  params: { id: formId },
  summary: 'Try the draft of a form with answers',
  description:
    'Checks answers against the draft as a submission to it would be checked if it were published, and stores nothing. Files are not looked up, so any file id is valid. For owners and editors.',
  access: { scope: 'forms:read' },
  body: DraftTrialRequest,
  status: 200,
  reply: DraftTrial,
  errors: [400, 401, 403, 404],
  // It checks the answers as it checks submissions.
  rpc: 'submissions.TryDraft',
  repeatable: true,
  composed: true,
  answer: 'DraftTrial',
});

export const restoreFormDraft = operation({
  method: 'post',
  path: `${path}/restore`,
  params,
  summary: 'Restore a version into the draft of a form',
  description:
    'Replaces the draft with the content of a version. Like saving the draft, this publishes it if the form publishes automatically. A stale revision is 409. For owners and editors.',
  access: { scope: 'forms:write' },
  body: DraftRestoreRequest,
  status: 200,
  reply: Draft,
  errors: [400, 401, 403, 404, 409],
  rpc: 'forms.RestoreDraft',
});

export const discardFormDraft = operation({
  method: 'post',
  path: `${path}/discard`,
  params,
  summary: 'Discard the unpublished changes of a form',
  description:
    'Replaces the draft with the content of the latest version. A form that was never published has none (400). A stale revision is 409. For owners and editors.',
  access: { scope: 'forms:write' },
  body: DraftDiscardRequest,
  status: 200,
  reply: Draft,
  errors: [400, 401, 403, 404, 409],
  rpc: 'forms.DiscardDraft',
});

export const publishFormDraft = operation({
  method: 'post',
  path: `${path}/publish`,
  params,
  summary: 'Publish the draft of a form as it was seen',
  description:
    'Publishes the draft like publishForm, if it still has this revision: a stale revision is 409, so that nobody publishes changes that they have not seen. For owners and editors.',
  access: { scope: 'forms:write' },
  body: DraftPublishRequest,
  status: 200,
  reply: PublishResponse,
  errors: [400, 401, 403, 404, 409],
  rpc: 'forms.PublishDraft',
});
