import { createHookSubscription, listSubmissions } from '@sheaf/contracts';
import { refuseOwnOrigin } from '../origins/own-origin';
import { route, type Route } from '../route';
import { asking, rowOf } from './derived';
import { pageBytes, submissionPage } from './submission-page';
import { pageOf, param, type Services } from './services';

const subscriptionRequest = asking(createHookSubscription);
const submissionsRequest = asking(listSubmissions);

/** The operations of the v1 contract, section 4. */
export const v1 = ({ workspaces, submissions, hooks }: Services): Route[] => [
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
