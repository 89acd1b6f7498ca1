import { FormSettingsDetail, FormSettingsRequest } from '@sheaf/contracts';
import { Problem } from '@sheaf/kernel';
import type { Call } from '@sheaf/rpc';
import { route, type Route } from '../../route';
import { param, type Services } from '../services';
import { submissionCounts } from './submission-counts';

/** Forms with the settings that v1 does not have. */
export const formSettings = ({ forms, submissions }: Services): Route[] => [
  route({
    method: 'get',
    path: '/app/v1/forms/:id',
    summary: 'Get a form with all settings',
    access: { scope: 'forms:read' },
    status: 200,
    reply: FormSettingsDetail,
    errors: [401, 403, 404],
    handle: async ({ call, params }) => detail({ submissions }, call, await forms.getFormSettings(call, { id: param(params, 'id') })),
  }),
  route({
    method: 'patch',
    path: '/app/v1/forms/:id',
    summary: 'Update the settings of a form',
    access: { scope: 'forms:write' },
    body: FormSettingsRequest,
    status: 200,
    reply: FormSettingsDetail,
    errors: [400, 401, 403, 404],
    handle: async ({ call, params, body }) =>
      detail(
        { submissions },
        call,
        await forms.updateFormSettings(call, { id: param(params, 'id'), patch: Buffer.from(JSON.stringify(body)) }),
      ),
  }),
];

type SettingsMessage = Awaited<ReturnType<Services['forms']['getFormSettings']>>;

async function detail(services: Pick<Services, 'submissions'>, call: Call, { id, settings, found }: SettingsMessage) {
  if (!found?.form) throw Problem.internal('forms sent settings without the form');
  const { form, ...more } = found;
  const counts = await submissionCounts(services, call, [id]);
  return { ...form, ...more, ...counts(id), ...(JSON.parse(settings.toString()) as object) };
}
