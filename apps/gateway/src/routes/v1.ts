import { createForm, createHookSubscription, CreationKey, listSubmissions } from '@sheaf/contracts';
import { refuseOwnOrigin } from '../origins/own-origin';
import { route, type Route } from '../route';
import { asking, rowOf, showing } from './derived';
import { idempotencyKey } from './idempotency-key';
import { pageBytes, submissionPage } from './submission-page';
import { pageOf, param, type Services } from './services';

const creation = asking(createForm);
const shownForm = showing(createForm.reply);
const subscriptionRequest = asking(createHookSubscription);
const submissionsRequest = asking(listSubmissions);

/** The operations of the v1 contract, section 4. */
export const v1 = ({ workspaces, forms, submissions, hooks }: Services): Route[] => [
  route({
    ...rowOf(createForm),
    headers: { 'Idempotency-Key': CreationKey },
    handle: async ({ call, params, body, request }) => {
      const key = idempotencyKey(request.headers['idempotency-key']);
      return shownForm(await forms.createForm(call, creation({ params, body }, { idempotency_key: key })));
    },
  }),
  route({
    ...rowOf(listSubmissions),
    handle: async ({ call, params, query }) => {
      const page = await submissions.listSubmissions(call, submissionsRequest({ params, query }, { as_json: true, max_bytes: pageBytes }));
      return submissionPage({ submissions }, page, {
        formId: param(params, 'id'),
        envelope: (data) => pageOf(data, page.total, query),
      });
    },
  }),

  route({
    ...rowOf(createHookSubscription),
    handle: async ({ call, params, body, ...context }) => {
      await refuseOwnOrigin(workspaces, context, body.target_url);
      return hooks.subscribe(call, subscriptionRequest({ params, body }));
    },
  }),
];
